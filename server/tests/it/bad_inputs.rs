//! Whatever is sent: the error body, with a reason that helps, and never a 500.

mod bodies;
mod framing;
mod lists;
mod paths;
mod rules;
