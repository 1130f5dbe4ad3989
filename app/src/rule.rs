//! Rules.

pub(crate) use islands::rule as view;

pub(crate) mod chart;
pub(crate) mod markup;
