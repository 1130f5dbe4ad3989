//! Theme and density of the pages.

pub(crate) mod act;
pub(crate) mod markup;
pub(crate) mod view;
