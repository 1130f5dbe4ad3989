//! Comments on versions.

pub(crate) mod act;
pub(crate) mod load;
pub(crate) mod markup;
pub(crate) mod view;
pub(crate) mod words;
