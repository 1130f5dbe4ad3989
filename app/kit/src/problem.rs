//! The error type of the pages.

use contract::error::FieldError;
use leptos::prelude::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Serialize};

use crate::codec::JsonText;

/// An error or refusal: its code, the message of the service, and the details that pages use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The error code of the contract.
    pub code: String,
    /// The message of the service, shown for codes without a text of their own.
    pub message: String,
    pub status: u16,
    /// The reason within the code, such as `VERSION_NOT_DRAFT`.
    pub reason: Option<Box<str>>,
    /// The current state of the resource.
    pub state: Option<Box<str>>,
    /// The current revision of the draft, when the request used an older one.
    pub revision: Option<u32>,
    pub wait_seconds: Option<u32>,
    pub correlation_id: Option<Box<str>>,
    /// Whether the rejected input was too large to be retained for the page.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_input_lost: bool,
}

/// The code of a request that did not reach the service, or whose response could not be read.
pub const UNREACHABLE: &str = "UNREACHABLE";

/// The message for a form whose fields are missing or malformed.
pub const UNREADABLE: &str = "the submitted form cannot be read";

/// The code of an action that requires the user to confirm the identity.
const CONFIRMATION_REQUIRED: &str = "CONFIRMATION_REQUIRED";

impl Problem {
    pub fn missing() -> Self {
        Self { code: "NOT_FOUND".into(), status: 404, ..Self::default() }
    }

    /// Returns the problem of an invalid form; `message` explains it in one sentence.
    pub fn of_form(message: impl Into<String>) -> Self {
        let code = "VALIDATION_ERROR".into();
        Self { code, status: 422, message: message.into(), ..Self::default() }
    }

    /// Returns the problem of a form with invalid fields, one sentence per error. `labels` maps wire members
    /// to the labels of the form.
    pub fn of_fields(errors: &[FieldError], labels: &[(&str, &str)]) -> Self {
        let sentence = |error: &FieldError| {
            let label = labels.iter().find(|(path, _)| *path == error.path);
            let label = label.map_or(error.path.as_str(), |(_, label)| label);
            format!("{label}: {}.", error.message)
        };
        Self::of_form(errors.iter().map(sentence).collect::<Vec<_>>().join(" "))
    }

    /// Returns whether the same request can succeed later.
    pub fn is_temporary(&self) -> bool {
        self.status >= 500 || matches!(self.status, 408 | 409 | 429)
    }

    /// Returns whether the user must confirm the identity before the action.
    pub fn asks_for_confirmation(&self) -> bool {
        self.code == CONFIRMATION_REQUIRED
    }
}

impl FromServerFnError for Problem {
    type Encoder = JsonText;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match &error {
            // The framework's own message names Rust types.
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => {
                Self::of_form(UNREADABLE)
            }
            _ => Self {
                code: UNREACHABLE.into(),
                message: error.to_string(),
                status: 503,
                ..Self::default()
            },
        }
    }
}
