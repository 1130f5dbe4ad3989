//! Webhook deliveries.

pub(crate) mod act;
pub(crate) mod list;
pub(crate) mod load;
pub(crate) mod markup;
pub(crate) mod page;
pub(crate) mod view;
pub(crate) mod words;
