//! The frame around the pages: navigation, search, and the dialogs of the session.

pub(crate) mod layout;
mod menu;
pub(crate) mod session;
pub(crate) mod view;
