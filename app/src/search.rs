//! Search and the command palette.

pub(crate) mod act;
pub(crate) mod load;
pub(crate) mod page;
pub(crate) mod palette;
pub(crate) mod palette_words;
pub(crate) mod view;
pub(crate) mod words;
