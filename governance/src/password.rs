//! Passwords: which ones are refused, and how they are hashed.

use std::{num::NonZeroUsize, sync::Arc};

use argon2::{Argon2, CustomizedPasswordHasher, Params, PasswordHash, password_hash::phc};
use contract::{error::FieldError, member::PASSWORD_CHARS};
use entity::user::{self as table, Column};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use zxcvbn::{Score, zxcvbn};

use crate::{
    Governance,
    clock::Chance,
    database::untenanted,
    error::{Error, Result},
};

/// What is wrong with a new password, if anything (contract, section 2).
pub(crate) fn refuse(password: &str, email: &str) -> Option<FieldError> {
    let length = password.chars().count();
    let (code, message) = if length < *PASSWORD_CHARS.start() {
        ("too_short", "must have at least 12 characters")
    } else if length > *PASSWORD_CHARS.end() {
        ("too_long", "must have at most 256 characters")
    } else if zxcvbn(password, &[email]).score() < Score::Two {
        // Fewer than a million guesses: a common password, or little more than one.
        ("common", "is easy to guess; choose a longer one, or one with less common words")
    } else {
        return None;
    };
    Some(FieldError {
        path: "/password".to_owned(),
        code: code.to_owned(),
        message: message.to_owned(),
    })
}

/// The salt of a password hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Salt(phc::Salt);

impl Salt {
    /// Returns a new random salt, for a secret that belongs to no e-mail address.
    ///
    /// # Errors
    /// Internal error when the size of a salt is refused.
    pub(crate) fn random(entropy: &Chance) -> Result<Self> {
        Self::new(&entropy.bytes::<SALT_BYTES>())
    }

    /// Returns the salt of a computation that checks nothing.
    ///
    /// # Errors
    /// Internal error when the size of a salt is refused.
    pub(crate) fn decoy() -> Result<Self> {
        Self::new(b"govern-no-hash..")
    }

    fn new(bytes: &[u8]) -> Result<Self> {
        phc::Salt::new(bytes).map(Self).map_err(|error| Error::bug(format!("argon2: {error}")))
    }
}

/// The size of a new salt.
const SALT_BYTES: usize = 16;

/// Returns the salt that all accounts of an e-mail address share, so that one computation checks a
/// password against all of them, and its time does not depend on how many there are.
///
/// It is the salt of an account of the address that has a password; for an address without one it is
/// derived from the address and the server's secret. The result is therefore the same for two accounts
/// that are created at the same time, and it does not change when a password is changed.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub(crate) async fn salt_of(governance: &Governance, email: &str) -> Result<Salt> {
    let email = email.trim().to_lowercase();
    let account = untenanted::<table::Entity>()
        .filter(Column::Email.eq(email.as_str()))
        .filter(Column::PasswordHash.is_not_null())
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::UserId);
    let hash = account.one(governance.database()).await?.and_then(|account| account.password_hash);
    let salt = hash.and_then(|hash| PasswordHash::new(&hash).ok()?.salt);
    if let Some(salt) = salt {
        return Ok(Salt(salt));
    }
    let digest = governance.pepper().digest("password-salt", email.as_bytes());
    Salt::new(digest.get(..SALT_BYTES).unwrap_or(&digest))
}

/// How many computations of argon2 run at the same time at most, on a machine of many cores. Each needs
/// 19 MiB, so this bounds their memory.
const CONCURRENT_MAX: usize = 8;

/// How many computations wait at most; those beyond are refused.
const WAITING_MAX: usize = 64;

/// Computes argon2id: at most one hash for each core at a time, with a bounded number of callers that wait.
/// All passwords of a process go through one of these: those of accounts and those of forms.
#[derive(Debug)]
pub(crate) struct Hasher {
    /// One permit for each computation that runs.
    running: Arc<Semaphore>,
    /// One permit for each computation that runs or waits.
    admitted: Arc<Semaphore>,
}

impl Default for Hasher {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self::new(cores.min(CONCURRENT_MAX))
    }
}

impl Hasher {
    fn new(concurrent: usize) -> Self {
        Self {
            running: Arc::new(Semaphore::new(concurrent)),
            admitted: Arc::new(Semaphore::new(concurrent + WAITING_MAX)),
        }
    }

    /// Returns the PHC text of a password under a salt.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when too many computations wait.
    pub(crate) async fn hash(&self, password: String, salt: Salt) -> Result<String> {
        let slot = self.slot().await?;
        let computed = slot.run(move || compute(&password, &HashSettings::new(salt)?)).await??;
        Ok(computed.to_string())
    }

    /// Waits for the turn of one computation. A caller that leaves while it waits frees its place.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when too many computations wait.
    pub(crate) async fn slot(&self) -> Result<Slot> {
        let Ok(admitted) = Arc::clone(&self.admitted).try_acquire_owned() else {
            return Err(Error::overloaded("too many passwords wait to be checked"));
        };
        let running = Arc::clone(&self.running).acquire_owned().await;
        let running = running.map_err(|error| Error::Bug(error.into()))?;
        Ok(Slot { _admitted: admitted, _running: running })
    }
}

/// The right to compute one hash now.
#[derive(Debug)]
pub(crate) struct Slot {
    _admitted: OwnedSemaphorePermit,
    _running: OwnedSemaphorePermit,
}

impl Slot {
    /// Returns the index of the first of `hashes` that belongs to the password. It computes one hash
    /// for each different salt among them, which for the accounts of one address is one; without any
    /// it computes one with `decoy`, so that it takes as long.
    ///
    /// # Errors
    /// Internal error when argon2 fails.
    pub(crate) async fn find(
        self,
        password: String,
        hashes: Vec<String>,
        decoy: Salt,
    ) -> Result<Option<usize>> {
        self.run(move || first_match(&password, &hashes, decoy)).await?
    }

    /// Runs `work` beside the async threads. It keeps the slot until it is done, even when the caller
    /// leaves.
    async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let done = tokio::task::spawn_blocking(move || {
            let _slot = self;
            work()
        });
        done.await.map_err(|error| Error::Bug(error.into()))
    }
}

/// What a hash depends on beside the password.
#[derive(Clone, Debug, PartialEq)]
struct HashSettings {
    algorithm: phc::Ident,
    version: Option<u32>,
    params: phc::ParamsString,
    salt: phc::Salt,
}

impl HashSettings {
    /// Returns that of a new hash.
    fn new(salt: Salt) -> Result<Self> {
        let params = Params::default();
        let params = phc::ParamsString::try_from(&params)
            .map_err(|error| Error::bug(format!("argon2: {error}")))?;
        let version = Some(argon2::Version::default().into());
        Ok(Self { algorithm: argon2::ARGON2ID_IDENT, version, params, salt: salt.0 })
    }

    /// Returns that of a stored hash; nothing for one without a salt.
    fn of(hash: &PasswordHash) -> Option<Self> {
        let salt = hash.salt?;
        let PasswordHash { algorithm, version, params, .. } = hash.clone();
        Some(Self { algorithm, version, params, salt })
    }
}

fn compute(password: &str, settings: &HashSettings) -> Result<PasswordHash> {
    let fault = |error: &dyn std::fmt::Display| Error::bug(format!("argon2: {error}"));
    let stored = PasswordHash {
        algorithm: settings.algorithm,
        version: settings.version,
        params: settings.params.clone(),
        salt: Some(settings.salt),
        hash: None,
    };
    let params = Params::try_from(&stored).map_err(|error| fault(&error))?;
    let algorithm = Some(settings.algorithm.as_str());
    Argon2::default()
        .hash_password_customized(
            password.as_bytes(),
            settings.salt.as_ref(),
            algorithm,
            settings.version,
            params,
        )
        .map_err(|error| fault(&error))
}

fn first_match(password: &str, hashes: &[String], decoy: Salt) -> Result<Option<usize>> {
    let mut computed: Vec<(HashSettings, PasswordHash)> = Vec::new();
    let mut first = None;
    for (index, hash) in hashes.iter().enumerate() {
        let Ok(hash) = PasswordHash::new(hash) else { continue };
        let Some(settings) = HashSettings::of(&hash) else { continue };
        let known = computed.iter().position(|(of, _)| *of == settings);
        let known = if let Some(known) = known {
            known
        } else {
            let hash = compute(password, &settings)?;
            computed.push((settings, hash));
            computed.len() - 1
        };
        let is_right = computed.get(known).is_some_and(|(_, computed)| computed.hash == hash.hash);
        // All are compared, so that the time does not tell which one it was.
        if is_right && first.is_none() {
            first = Some(index);
        }
    }
    if computed.is_empty() {
        compute(password, &HashSettings::new(decoy)?)?;
    }
    Ok(first)
}

#[cfg(test)]
mod tests {
    use std::{
        pin::Pin,
        sync::{
            Mutex,
            atomic::{AtomicUsize, Ordering},
        },
        task::{Context, Poll, Waker},
    };

    use super::*;

    #[test]
    fn weak_passwords_are_refused_with_the_reason() {
        let refused = |password: &str| refuse(password, "roy@acme.example").map(|e| e.code);
        assert_eq!(refused("short"), Some("too_short".to_owned()));
        assert_eq!(refused(&"x".repeat(257)), Some("too_long".to_owned()));
        for common in [
            "Password1234",
            "p@ssw0rd1234",
            "passwordpassword",
            "qwertyuiop12",
            "1qaz2wsx3edc",
            "administrator",
            "iloveyou1234",
            "abababababab",
            "abcdefghijkl",
            "987654321098",
            "Roy@acme.example",
        ] {
            assert_eq!(refused(common), Some("common".to_owned()), "{common}");
        }
        for strong in ["four words of my own", "governing-2026", "Sup3rSecret!pw"] {
            assert_eq!(refused(strong), None, "{strong}");
        }
    }

    fn salt(seed: u64) -> Salt {
        Salt::random(&Chance::seeded(seed)).unwrap()
    }

    #[tokio::test]
    async fn a_password_is_found_among_accounts_of_one_salt_and_of_several() {
        let hasher = Hasher::new(1);
        let hash = async |password: &str, of: Salt| hasher.hash(password.into(), of).await.unwrap();
        let [a, b, c] = [
            hash("first one", salt(1)).await,
            hash("second", salt(1)).await,
            hash("third", salt(2)).await,
        ];
        let find = async |password: &str| {
            let hashes = vec![a.clone(), b.clone(), "unreadable".to_owned(), c.clone()];
            let slot = hasher.slot().await.unwrap();
            slot.find(password.into(), hashes, salt(3)).await.unwrap()
        };
        assert_eq!(find("first one").await, Some(0));
        assert_eq!(find("second").await, Some(1));
        assert_eq!(find("third").await, Some(3));
        assert_eq!(find("fourth").await, None);
        let slot = hasher.slot().await.unwrap();
        let none = slot.find("third".into(), Vec::new(), Salt::decoy().unwrap()).await.unwrap();
        assert_eq!(none, None);
    }

    /// Polls a future once.
    fn poll<T>(future: &mut Pin<Box<impl Future<Output = T>>>) -> Poll<T> {
        future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
    }

    #[tokio::test]
    async fn one_computation_runs_for_each_core_and_sixty_four_wait() {
        let hasher = Hasher::new(2);
        let (underway, peak) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (release, held) = std::sync::mpsc::channel::<()>();
        let held = Arc::new(Mutex::new(held));
        let begin = || {
            let (underway, peak, held) = (underway.clone(), peak.clone(), held.clone());
            Box::pin(async {
                let work = move || {
                    peak.fetch_max(underway.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    // All are released when the sender is dropped.
                    let _ = held.lock().map(|held| held.recv());
                    underway.fetch_sub(1, Ordering::SeqCst);
                };
                hasher.slot().await?.run(work).await
            })
        };
        let mut admitted: Vec<_> = (0..2 + WAITING_MAX).map(|_| begin()).collect();
        assert!(admitted.iter_mut().all(|work| poll(work).is_pending()));
        let refused = poll(&mut begin());
        assert!(matches!(refused, Poll::Ready(Err(Error::Unavailable { .. }))), "{refused:?}");

        // A caller that leaves while it waits frees its place; one whose work has begun does not.
        drop(admitted.pop());
        let mut next = begin();
        assert!(poll(&mut next).is_pending());
        drop(admitted.remove(0));
        assert!(poll(&mut begin()).is_ready(), "the work of the first is still under way");
        admitted.push(next);

        drop(release);
        for work in admitted {
            work.await.unwrap();
        }
        assert!(peak.load(Ordering::SeqCst) <= 2, "{peak:?}");
        assert_eq!(hasher.running.available_permits(), 2);
        assert_eq!(hasher.admitted.available_permits(), 2 + WAITING_MAX);
    }
}
