//! Why something did not succeed, as the pages carry it.

use contract::error::FieldError;
use leptos::prelude::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Serialize};

use crate::{api::codec::JsonText, text::words};

/// A refusal or a fault: its code, the service's sentence, and the facts that pages speak of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The code of the contract.
    pub code: String,
    /// The service's own sentence, for codes that the catalogue does not know.
    pub message: String,
    /// The HTTP status.
    pub status: u16,
    /// The reason within the code, such as `VERSION_NOT_DRAFT`.
    pub reason: Option<Box<str>>,
    /// The state that the thing is in now.
    pub state: Option<Box<str>>,
    /// The revision that the draft has moved on to.
    pub revision: Option<u32>,
    /// How many seconds to wait.
    pub wait_seconds: Option<u32>,
    /// The request's name in the logs.
    pub correlation_id: Option<Box<str>>,
}

/// The code of a request that never reached the service, or whose answer could not be read.
pub const UNREACHABLE: &str = "UNREACHABLE";

/// The reason that asks for the password again.
pub const CONFIRMATION_REQUIRED: &str = "CONFIRMATION_REQUIRED";

impl Problem {
    /// A page whose address names nothing.
    pub fn missing() -> Self {
        Self { code: "NOT_FOUND".into(), status: 404, ..Self::default() }
    }

    /// A form that cannot be taken as it is; `message` says why in a sentence.
    pub fn of_form(message: impl Into<String>) -> Self {
        let code = "VALIDATION_ERROR".into();
        Self { code, status: 422, message: message.into(), ..Self::default() }
    }

    /// All that is wrong with a form, a sentence each. `labels` says what the form calls the members.
    pub fn of_fields(errors: &[FieldError], labels: &[(&str, &str)]) -> Self {
        let sentence = |error: &FieldError| {
            let label = labels.iter().find(|(path, _)| *path == error.path);
            let label = label.map_or(error.path.as_str(), |(_, label)| label);
            format!("{label}: {}.", error.message)
        };
        Self::of_form(errors.iter().map(sentence).collect::<Vec<_>>().join(" "))
    }

    /// Whether the password must be asked for again before the act.
    pub fn asks_for_confirmation(&self) -> bool {
        self.reason.as_deref() == Some(CONFIRMATION_REQUIRED)
    }
}

impl FromServerFnError for Problem {
    type Encoder = JsonText;

    fn from_server_fn_error(fault: ServerFnErrorErr) -> Self {
        match &fault {
            // What the reader of the framework says of them speaks of our types.
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => {
                Self::of_form(words::UNREADABLE)
            }
            _ => Self {
                code: UNREACHABLE.into(),
                message: fault.to_string(),
                status: 503,
                ..Self::default()
            },
        }
    }
}
