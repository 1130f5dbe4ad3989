//! Passwords: what is refused, and argon2id.

use argon2::{Argon2, PasswordHasher, PasswordVerifier, password_hash::phc::PasswordHash};
use contract::error::FieldError;

use crate::{
    clock::Chance,
    error::{Error, Result},
};

/// Passwords of 12 characters and more that everybody tries first.
const COMMON: &str = include_str!("password/common.txt");

/// The hash of a password that nobody has: what an unknown e-mail address is checked against, so
/// that it takes as long as a known one.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$Z292ZXJuLW5vYm9keS4u\
                      $Ke6tS8yBQjKcjKXqv3NqTAM3xvXrTjYtq0s3n6bQnPk";

/// What is wrong with a new password, if anything (contract, section 2).
pub(crate) fn refuse(password: &str, email: &str) -> Option<FieldError> {
    let length = password.chars().count();
    let folded = password.to_lowercase();
    let (code, message) = if length < 12 {
        ("too_short", "must have at least 12 characters")
    } else if length > 256 {
        ("too_long", "must have at most 256 characters")
    } else if COMMON.lines().any(|common| common == folded) || is_monotonous(&folded) {
        ("common", "is one of the first that anybody would try; choose another")
    } else if folded == email.to_lowercase() {
        ("common", "must not be the e-mail address; choose another")
    } else {
        return None;
    };
    Some(FieldError {
        path: "/password".to_owned(),
        code: code.to_owned(),
        message: message.to_owned(),
    })
}

/// Whether the text is one or two characters over and over, or a run such as `abcdef` or `987654`.
fn is_monotonous(text: &str) -> bool {
    let mut characters: Vec<char> = text.chars().collect();
    let runs = |step: i64| {
        characters.windows(2).all(|pair| {
            pair.first()
                .zip(pair.last())
                .is_some_and(|(a, b)| i64::from(u32::from(*b)) - i64::from(u32::from(*a)) == step)
        })
    };
    if runs(1) || runs(-1) {
        return true;
    }
    characters.sort_unstable();
    characters.dedup();
    characters.len() <= 2
}

/// The PHC text of a password under a new salt.
///
/// # Errors
/// A fault of ours when argon2 fails.
pub(crate) async fn hash(password: String, chance: &Chance) -> Result<String> {
    let salt: [u8; 16] = chance.bytes();
    blocking(move || {
        Argon2::default()
            .hash_password_with_salt(password.as_bytes(), &salt)
            .map(|hash: argon2::password_hash::phc::PasswordHash| hash.to_string())
            .map_err(|error| Error::bug(format!("argon2: {error}")))
    })
    .await?
}

/// Whether the password belongs to `hash`; without a hash it takes as long and is never right.
///
/// # Errors
/// A fault of ours when the worker is lost.
pub(crate) async fn verify(password: String, hash: Option<String>) -> Result<bool> {
    blocking(move || {
        let known = hash.is_some();
        let text = hash.unwrap_or_else(|| NOBODY.to_owned());
        let good = PasswordHash::new(&text).is_ok_and(|hash| {
            Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
        });
        good && known
    })
    .await
}

/// Runs the hash beside the async threads: it takes tens of milliseconds.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Error::Bug(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_passwords_are_refused_with_the_reason() {
        let refused = |password: &str| refuse(password, "roy@acme.example").map(|e| e.code);
        assert_eq!(refused("short"), Some("too_short".to_owned()));
        assert_eq!(refused(&"x".repeat(257)), Some("too_long".to_owned()));
        assert_eq!(refused("Password1234"), Some("common".to_owned()));
        assert_eq!(refused("abababababab"), Some("common".to_owned()));
        assert_eq!(refused("abcdefghijkl"), Some("common".to_owned()));
        assert_eq!(refused("Roy@acme.example"), Some("common".to_owned()));
        assert_eq!(refused("four words of my own"), None);
    }

    #[test]
    fn nobody_has_a_hash_that_can_be_read() {
        assert!(PasswordHash::new(NOBODY).is_ok());
    }
}
