//! What a person had typed when an act was refused.

use contract::error::FieldError;
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// A refused form: why, and the text that was in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The page that the form stands on.
    pub page: String,
    /// Why it was refused.
    pub problem: Problem,
    /// The typed text: a note, a reason, or an e-mail address.
    pub text: String,
}

/// A form whose values were refused, on its way back to its page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedForm<F> {
    /// What was typed.
    pub form: F,
    /// What is wrong, value by value.
    pub faults: Vec<FieldError>,
}

/// What is shown once, right after it was made.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// What or whom it is for.
    pub name: String,
    /// The key or the link itself.
    pub secret: String,
}

impl std::fmt::Debug for Made {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Made").field("name", &self.name).finish_non_exhaustive()
    }
}
