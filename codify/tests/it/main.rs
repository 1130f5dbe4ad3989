//! What the codifier promises, and how well the lint finds what people found.

mod codifier;
mod figures;
mod laws;
