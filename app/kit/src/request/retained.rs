//! What the session keeps for a later page: rejected input, unsaved input and results of actions.
//!
//! Each request of the user loads the session, so the retained values are limited in bytes. The oldest ones are dropped
//! first.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use tower_sessions::Session;

use super::write_error;
use crate::problem::Problem;

/// The member of the session data that contains the retained values, oldest first.
const RETAINED: &str = "retained";

/// The maximum size of one value with its key, as JSON in bytes.
const VALUE_BYTES_MAX: usize = 131_072;

/// The maximum size of all values with their keys, as JSON in bytes.
const BYTES_MAX: usize = 262_144;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Retained {
    key: String,
    value: Value,
}

impl Retained {
    fn bytes(&self) -> usize {
        serde_json::to_vec(self).map_or(usize::MAX, |json| json.len())
    }
}

/// Returns the problem of input that is too large to be retained.
pub fn too_large() -> Problem {
    let message = format!("the input is larger than {} KiB", VALUE_BYTES_MAX >> 10);
    Problem { is_input_lost: true, ..Problem::of_form(message) }
}

/// Keeps a value in the session. Returns whether it is retained: a value that is too large is not.
pub async fn put(key: &str, value: impl Serialize) -> Result<bool, Problem> {
    let Some(session) = super::session() else { return Ok(true) };
    let value = serde_json::to_value(value).map_err(|_| write_error())?;
    let mut retained = read(&session).await;
    let is_retained = add(&mut retained, Retained { key: key.to_owned(), value });
    session.insert(RETAINED, retained).await.map_err(|_| write_error())?;
    Ok(is_retained)
}

/// Replaces the value of the key, and drops the oldest values beyond the limit. Returns whether the value is retained.
fn add(retained: &mut Vec<Retained>, new: Retained) -> bool {
    retained.retain(|old| old.key != new.key);
    let is_small = new.bytes() <= VALUE_BYTES_MAX;
    if is_small {
        retained.push(new);
    }
    let mut left = BYTES_MAX;
    let newest = retained.iter().rev().take_while(|value| {
        let rest = left.checked_sub(value.bytes());
        left = rest.unwrap_or_default();
        rest.is_some()
    });
    let dropped = retained.len() - newest.count();
    retained.drain(..dropped);
    is_small
}

/// Returns a value of the session.
pub async fn get<T: DeserializeOwned>(key: &str) -> Option<T> {
    let retained = read(&super::session()?).await;
    let value = retained.into_iter().find(|retained| retained.key == key)?.value;
    serde_json::from_value(value).ok()
}

/// Returns a value of the session and removes it.
pub(super) async fn take<T: DeserializeOwned>(key: &str) -> Option<T> {
    let value = get(key).await?;
    remove(key).await.ok()?;
    Some(value)
}

/// Removes a value from the session.
pub async fn remove(key: &str) -> Result<(), Problem> {
    let Some(session) = super::session() else { return Ok(()) };
    let mut retained = read(&session).await;
    let count = retained.len();
    retained.retain(|retained| retained.key != key);
    if retained.len() == count {
        // Removing an absent value would still write the session.
        return Ok(());
    }
    session.insert(RETAINED, retained).await.map_err(|_| write_error())
}

async fn read(session: &Session) -> Vec<Retained> {
    session.get(RETAINED).await.ok().flatten().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retained(key: &str, bytes: usize) -> Retained {
        Retained { key: key.to_owned(), value: "x".repeat(bytes).into() }
    }

    #[test]
    fn the_oldest_values_are_dropped_beyond_the_limit() {
        let mut all = Vec::new();
        for key in ["a", "b", "c", "a", "d"] {
            assert!(add(&mut all, retained(key, 100_000)));
        }
        let keys: Vec<&str> = all.iter().map(|retained| retained.key.as_str()).collect();
        assert_eq!(keys, ["a", "d"]);
        assert!(add(&mut all, retained("e", 1_000)));
        assert_eq!(all.len(), 3);
    }

    #[test]
    fn a_value_that_is_too_large_is_not_retained_and_replaces_the_old_one() {
        let mut all = vec![retained("a", 10), retained("b", 10)];
        assert!(!add(&mut all, retained("a", 1_000_000)));
        assert_eq!(all, [retained("b", 10)]);
    }
}
