//! Form input preserved after a rejected action.

use contract::error::FieldError;
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// The body of a form that was posted to a page. The server stores it in the request.
#[derive(Clone, Debug)]
pub struct PostedForm(pub std::sync::Arc<[u8]>);

/// A rejected form: the error, and the text that the user entered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedForm {
    /// The page that contains the form.
    pub page: String,
    pub problem: Problem,
    /// The entered text: a note, a reason, or an email address.
    pub text: String,
}

/// A form with field errors, stored for the page that shows it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormWithErrors<F> {
    pub form: F,
    pub errors: Vec<FieldError>,
}

/// A secret that is shown once, directly after its creation.
#[derive(Clone, derive_more::Debug, PartialEq, Eq, Serialize, Deserialize)]
#[debug("OneTimeSecret {{ name: {name:?}, .. }}")]
pub struct OneTimeSecret {
    /// The name of what it belongs to, such as a key or an account.
    pub name: String,
    /// The secret: a key or a link.
    pub secret: String,
}
