//! Invalid requests: each returns the error body with a helpful reason, and none returns a 500.

mod bodies;
mod fields;
mod framing;
mod lists;
mod paths;
mod rules;
