//! Refusals of streams (contract, section 5).

use contract::{
    error::ErrorCode,
    json::{Object, Value},
};

use super::{Refusal, invalid_field, refusal};

/// How long whoever has too many streams should wait, in seconds: a connection that is gone is noticed by
/// then.
const WAIT: u32 = 15;

/// One more stream than a caller may have open.
pub fn too_many_streams(max: usize) -> Refusal {
    Refusal {
        details: Some(Object::from([("retry_after", Value::from(WAIT))]).into()),
        ..refusal(
            ErrorCode::TooManyRequests,
            format!("{max} streams are open already; close one first"),
        )
    }
}

/// The last event is none of this tenant's, or was told too long ago.
pub fn last_event_unknown() -> Refusal {
    let message = "is not an event of the last hour here; start again without it";
    invalid_field("/Last-Event-ID", "cursor", message)
}
