//! Rules.

pub use islands::rule as view;

pub mod chart;
pub mod markup;
