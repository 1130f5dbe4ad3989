//! Rules.

pub(crate) use islands::rule as view;

pub(crate) mod load;
pub(crate) mod markup;
