//! Decision chains.

pub(crate) mod act;
pub(crate) mod list;
pub(crate) mod list_view;
pub(crate) mod list_words;
pub(crate) mod load;
pub(crate) mod markup;
pub(crate) mod page;
pub(crate) mod view;
pub(crate) mod words;
