//! The request context.

use std::{fmt, sync::Arc};

use contract::{scope::Role, time::Timestamp};

use crate::{
    Governance,
    base::{
        caller::{Caller, Human, Person},
        error::{Result, human_required},
    },
};

/// The ID of one request in responses, logs and records. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorrelationId(Arc<str>);

impl CorrelationId {
    /// Parses a correlation ID of the caller: 1 to 128 characters of `[A-Za-z0-9._:-]`.
    pub fn parse(text: &str) -> Option<Self> {
        let is_valid = (1..=128).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte));
        is_valid.then(|| Self(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CorrelationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<uuid::Uuid> for CorrelationId {
    fn from(id: uuid::Uuid) -> Self {
        Self((*id.hyphenated().encode_lower(&mut uuid::Uuid::encode_buffer())).into())
    }
}

/// The context of one operation: caller, time and correlation ID.
#[derive(Clone, Debug)]
pub struct Cx {
    pub caller: Caller,
    /// The time of the operation. Fixed for its whole duration.
    pub now: Timestamp,
    pub correlation_id: CorrelationId,
    pub(crate) governance: Governance,
}

impl Cx {
    pub fn governance(&self) -> &Governance {
        &self.governance
    }

    /// Returns the signed-in user.
    ///
    /// # Errors
    /// `HUMAN_REQUIRED` for any other caller.
    pub fn human(&self) -> Result<&Human> {
        match &self.caller {
            Caller::Human(human) => Ok(human),
            _ => Err(human_required().into()),
        }
    }

    /// Returns this context with an authenticated user as the caller.
    pub(crate) fn with_person(&self, person: Person) -> Self {
        Self { caller: Caller::Person(person), ..self.clone() }
    }

    /// Returns the role of the signed-in user; `None` for other callers.
    pub fn role(&self) -> Option<Role> {
        match &self.caller {
            Caller::Human(human) => Some(human.role),
            _ => None,
        }
    }
}
