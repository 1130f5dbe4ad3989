//! Tests of the codifier, and of the accuracy of the lint on labelled clauses.

mod codifier;
mod figures;
mod properties;
