//! Public forms: the list and the editor of a form.

pub(crate) mod act;
pub(crate) mod list;
pub(crate) mod load;
pub(crate) mod markup;
pub(crate) mod page;
pub(crate) mod view;
pub(crate) mod words;
