//! Password validation and hashing.

use std::{fmt::Display, net::IpAddr, num::NonZeroUsize};

use argon2::{Argon2, CustomizedPasswordHasher, Params, PasswordHash, password_hash::phc};
use contract::{email::fold_email, member::PASSWORD_CHARS, text::normalized_password};
use entity::user::{self as table, Column};
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use unicode_normalization::UnicodeNormalization;
use zxcvbn::{Score, zxcvbn};

use crate::base::{network, prelude::*};

/// Returns the reason why a new password is refused, if any (contract, section 2). The normalized password counts.
pub(crate) fn validate(password: &str, email: &str) -> Option<FieldError> {
    let password = &*normalized_password(password);
    let length = password.chars().count();
    let (code, message) = if length < *PASSWORD_CHARS.start() {
        ("too_short", "must have at least 12 characters")
    } else if length > *PASSWORD_CHARS.end() {
        ("too_long", "must have at most 256 characters")
    } else if zxcvbn(password, &[email]).score() < Score::Two {
        // Fewer than a million guesses: a common password or a simple variation of one.
        ("common", "is easy to guess; choose a longer one, or one with less common words")
    } else {
        return None;
    };
    Some(FieldError::new("/password", code, message))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Salt(phc::Salt);

impl Salt {
    /// Returns a new random salt, for a secret that belongs to no email address.
    ///
    /// # Errors
    /// Internal error when the size of a salt is refused.
    pub(crate) fn random(entropy: &Entropy) -> Result<Self> {
        Self::new(&entropy.bytes::<SALT_LEN>())
    }

    /// Returns the salt of dummy computations, which only equalize response times.
    ///
    /// # Errors
    /// Internal error when the size of a salt is refused.
    pub(crate) fn decoy() -> Result<Self> {
        Self::new(b"govern-no-hash..")
    }

    fn new(bytes: &[u8]) -> Result<Self> {
        phc::Salt::new(bytes).map(Self).map_err(argon2_error)
    }
}

const SALT_LEN: usize = 16;

/// Returns the salt shared by all accounts of an email address. With a shared salt, one computation
/// checks a password against all accounts, so its time does not reveal their number.
///
/// The salt is taken from an account of the address that has a password. Without such an account, it is
/// derived from the address and the pepper. So two accounts created at the same time get the same salt,
/// and a password change does not change it.
pub(crate) async fn salt_of(governance: &Governance, email: &str) -> Result<Salt> {
    let email = fold_email(email);
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
    Salt::new(digest.get(..SALT_LEN).unwrap_or(&digest))
}

/// The maximum number of concurrent argon2 computations. Each needs 19 MiB, so this limits their
/// memory.
const CONCURRENT_MAX: usize = 8;

/// The maximum number of waiting computations. Further ones are refused.
const WAITING_MAX: usize = 64;

/// The maximum number of admitted callers of one network block. The others are for other blocks, so that one caller cannot
/// keep all others out.
const BLOCK_MAX: usize = 56;

/// Computes the argon2id hashes of account and form passwords for a process. Runs at most one computation
/// per core and limits the number of waiting callers.
#[derive(Debug)]
pub(crate) struct Hasher {
    /// One permit per running computation.
    running: Arc<Semaphore>,
    /// One permit per running or waiting computation.
    admitted: Arc<Semaphore>,
    /// The number of admitted callers of each network block.
    of_blocks: Arc<Mutex<HashMap<IpAddr, usize>>>,
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
            of_blocks: Arc::default(),
        }
    }

    /// Returns the PHC string of the hash of the normalized password.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when too many computations wait.
    pub(crate) async fn hash(&self, password: String, salt: Salt) -> Result<String> {
        let slot = self.admit(None)?.slot().await?;
        let hash = move || compute(&normalized_password(&password), &HashSettings::new(salt)?);
        let computed = slot.run(hash).await??;
        Ok(computed.to_string())
    }

    /// Admits the caller to the limited number of running and waiting computations. A part of them is for callers from
    /// other network blocks than that of `address`.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when too many computations wait.
    pub(crate) fn admit(&self, address: Option<IpAddr>) -> Result<Admission> {
        let overloaded = || Error::overloaded("too many passwords wait to be checked");
        let share = match address.map(network::block) {
            Some(block) => Some(BlockShare::take(&self.of_blocks, block).ok_or_else(overloaded)?),
            None => None,
        };
        let admitted = Arc::clone(&self.admitted).try_acquire_owned();
        let admitted = admitted.map_err(|_| overloaded())?;
        Ok(Admission { admitted, share, running: Arc::clone(&self.running) })
    }
}

/// One of the admitted callers of a network block.
#[derive(Debug)]
struct BlockShare {
    of_blocks: Arc<Mutex<HashMap<IpAddr, usize>>>,
    block: IpAddr,
}

impl BlockShare {
    /// Counts a caller. Returns `None` if its block has reached its limit.
    fn take(of_blocks: &Arc<Mutex<HashMap<IpAddr, usize>>>, block: IpAddr) -> Option<Self> {
        let mut counts = of_blocks.lock();
        let count = counts.entry(block).or_default();
        if *count >= BLOCK_MAX {
            return None;
        }
        *count = count.saturating_add(1);
        Some(Self { of_blocks: Arc::clone(of_blocks), block })
    }
}

impl Drop for BlockShare {
    fn drop(&mut self) {
        let mut counts = self.of_blocks.lock();
        if let Some(count) = counts.get_mut(&self.block) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.remove(&self.block);
            }
        }
    }
}

/// The permission to wait for a computation. A caller that disconnects while waiting releases it.
#[derive(Debug)]
pub(crate) struct Admission {
    admitted: OwnedSemaphorePermit,
    share: Option<BlockShare>,
    running: Arc<Semaphore>,
}

impl Admission {
    /// Waits for the permission to run the computation.
    pub(crate) async fn slot(self) -> Result<Slot> {
        let running = self.running.acquire_owned().await;
        let running = running.map_err(Error::internal)?;
        Ok(Slot { _admitted: self.admitted, _share: self.share, _running: running })
    }
}

/// The permission to compute now.
#[derive(Debug)]
pub(crate) struct Slot {
    _admitted: OwnedSemaphorePermit,
    _share: Option<BlockShare>,
    _running: OwnedSemaphorePermit,
}

impl Slot {
    /// Returns the index of the first of `hashes` that matches the password.
    ///
    /// It computes one hash for each distinct salt, which is one for the accounts of one address, and for each form of
    /// the password in [`forms`]. Without any hash it computes them with `decoy`, which takes the same time.
    ///
    /// # Errors
    /// Internal error when argon2 fails.
    pub(crate) async fn find(
        self,
        password: String,
        hashes: Vec<String>,
        decoy: Salt,
    ) -> Result<Option<usize>> {
        self.run(move || first_match_of_forms(&password, &hashes, decoy)).await?
    }

    /// Runs `work` on a blocking thread. It occupies the slot until `work` is done, even if the caller
    /// disconnects.
    async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let task = tokio::task::spawn_blocking(move || {
            let _slot = self;
            work()
        });
        task.await.map_err(Error::internal)
    }
}

/// The inputs of a hash other than the password.
#[derive(Clone, Debug, PartialEq)]
struct HashSettings {
    algorithm: phc::Ident,
    version: Option<u32>,
    params: phc::ParamsString,
    salt: phc::Salt,
}

impl HashSettings {
    fn new(salt: Salt) -> Result<Self> {
        let params = phc::ParamsString::try_from(&Params::default()).map_err(argon2_error)?;
        let version = Some(argon2::Version::default().into());
        Ok(Self { algorithm: argon2::ARGON2ID_IDENT, version, params, salt: salt.0 })
    }

    /// Returns the settings of a stored hash; `None` for a hash without a salt.
    fn from_hash(hash: &PasswordHash) -> Option<Self> {
        let salt = hash.salt?;
        let PasswordHash { algorithm, version, params, .. } = hash.clone();
        Some(Self { algorithm, version, params, salt })
    }
}

fn compute(password: &str, settings: &HashSettings) -> Result<PasswordHash> {
    let stored = PasswordHash {
        algorithm: settings.algorithm,
        version: settings.version,
        params: settings.params.clone(),
        salt: Some(settings.salt),
        hash: None,
    };
    let params = Params::try_from(&stored).map_err(argon2_error)?;
    let algorithm = Some(settings.algorithm.as_str());
    Argon2::default()
        .hash_password_customized(
            password.as_bytes(),
            settings.salt.as_ref(),
            algorithm,
            settings.version,
            params,
        )
        .map_err(argon2_error)
}

fn argon2_error(error: impl Display) -> Error {
    Error::bug(format!("argon2: {error}"))
}

/// Returns the forms of a password with which a stored hash can have been computed: normalized, and for hashes of earlier
/// releases as it is sent, or as a system sends it that decomposes characters.
fn forms(password: &str) -> Vec<String> {
    let composed = normalized_password(password).into_owned();
    let mut forms = vec![composed];
    for form in [password.to_owned(), password.nfd().collect()] {
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

/// Returns the first match of any form of the password. All forms are checked, so that the time depends only on the
/// password that was sent.
fn first_match_of_forms(password: &str, hashes: &[String], decoy: Salt) -> Result<Option<usize>> {
    let mut first = None;
    for form in forms(password) {
        let found = first_match(&form, hashes, decoy)?;
        first = first.or(found);
    }
    Ok(first)
}

fn first_match(password: &str, hashes: &[String], decoy: Salt) -> Result<Option<usize>> {
    let mut computed: Vec<(HashSettings, PasswordHash)> = Vec::new();
    let mut first = None;
    for (index, hash) in hashes.iter().enumerate() {
        let Ok(hash) = PasswordHash::new(hash) else { continue };
        let Some(settings) = HashSettings::from_hash(&hash) else { continue };
        let position =
            computed.iter().position(|(computed_settings, _)| *computed_settings == settings);
        let position = if let Some(position) = position {
            position
        } else {
            let hash = compute(password, &settings)?;
            computed.push((settings, hash));
            computed.len() - 1
        };
        let is_match =
            computed.get(position).is_some_and(|(_, computed)| computed.hash == hash.hash);
        // All hashes are compared, so that the time does not reveal which one matches.
        if is_match && first.is_none() {
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
        sync::atomic::{AtomicUsize, Ordering},
        task::{Context, Poll, Waker},
    };

    use super::*;

    #[test]
    fn weak_passwords_are_refused_with_a_reason() {
        let error_code = |password: &str| validate(password, "roy@acme.example").map(|e| e.code);
        assert_eq!(error_code("short"), Some("too_short".to_owned()));
        assert_eq!(error_code(&"x".repeat(257)), Some("too_long".to_owned()));
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
            assert_eq!(error_code(common), Some("common".to_owned()), "{common}");
        }
        for strong in ["four words of my own", "governing-2026", "Sup3rSecret!pw"] {
            assert_eq!(error_code(strong), None, "{strong}");
        }
    }

    fn salt(seed: u64) -> Salt {
        Salt::random(&Entropy::seeded(seed)).unwrap()
    }

    #[tokio::test]
    async fn password_is_found_among_hashes_with_shared_and_different_salts() {
        let hasher = Hasher::new(1);
        let hash =
            async |password: &str, salt: Salt| hasher.hash(password.into(), salt).await.unwrap();
        let [a, b, c] = [
            hash("first one", salt(1)).await,
            hash("second", salt(1)).await,
            hash("third", salt(2)).await,
        ];
        let find = async |password: &str| {
            let hashes = vec![a.clone(), b.clone(), "unreadable".to_owned(), c.clone()];
            let slot = hasher.admit(None).unwrap().slot().await.unwrap();
            slot.find(password.into(), hashes, salt(3)).await.unwrap()
        };
        assert_eq!(find("first one").await, Some(0));
        assert_eq!(find("second").await, Some(1));
        assert_eq!(find("third").await, Some(3));
        assert_eq!(find("fourth").await, None);
        let slot = hasher.admit(None).unwrap().slot().await.unwrap();
        let none = slot.find("third".into(), Vec::new(), Salt::decoy().unwrap()).await.unwrap();
        assert_eq!(none, None);
    }

    #[tokio::test]
    async fn a_password_typed_on_another_system_is_found() {
        const COMPOSED: &str = "p\u{E9}ch\u{E9} mignon";
        const DECOMPOSED: &str = "pe\u{301}che\u{301} mignon";
        let hasher = Hasher::new(1);
        let settings = HashSettings::new(salt(1)).unwrap();
        let old = |password: &str| compute(password, &settings).unwrap().to_string();
        let new = async |password: &str| hasher.hash(password.into(), salt(1)).await.unwrap();
        assert_eq!(new(COMPOSED).await, new(DECOMPOSED).await);
        let mixed = "p\u{E9}che\u{301} mignon";
        for hash in [new(DECOMPOSED).await, old(COMPOSED), old(DECOMPOSED)] {
            for typed in [COMPOSED, DECOMPOSED, mixed] {
                let slot = hasher.admit(None).unwrap().slot().await.unwrap();
                let found = slot.find(typed.into(), vec![hash.clone()], salt(3)).await.unwrap();
                assert_eq!(found, Some(0), "{typed:?}");
            }
        }
        let slot = hasher.admit(None).unwrap().slot().await.unwrap();
        let found = slot.find(mixed.into(), vec![old(mixed)], salt(3)).await.unwrap();
        assert_eq!(found, Some(0));
    }

    #[test]
    fn the_length_of_the_normalized_password_counts() {
        let code = |password: &str| validate(password, "roy@acme.example").map(|e| e.code);
        assert_eq!(code(&"e\u{301}".repeat(8)).as_deref(), Some("too_short"));
        let long = format!("four words of my own {}", "\u{E9}".repeat(235));
        let decomposed: String = long.nfd().collect();
        assert!(decomposed.chars().count() > 256);
        assert_eq!(code(&decomposed), None);
    }

    fn poll<T>(future: &mut Pin<Box<impl Future<Output = T>>>) -> Poll<T> {
        future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
    }

    #[tokio::test]
    async fn computations_are_limited_to_one_per_core_and_64_waiting() {
        let hasher = Hasher::new(2);
        let (running, peak) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (release, blocked) = std::sync::mpsc::channel::<()>();
        let blocked = Arc::new(Mutex::new(blocked));
        let start = || {
            let (running, peak, blocked) = (running.clone(), peak.clone(), blocked.clone());
            Box::pin(async {
                let work = move || {
                    peak.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    // All are released when the sender is dropped.
                    let _ = blocked.lock().recv();
                    running.fetch_sub(1, Ordering::SeqCst);
                };
                hasher.admit(None)?.slot().await?.run(work).await
            })
        };
        let mut admitted: Vec<_> = (0..2 + WAITING_MAX).map(|_| start()).collect();
        assert!(admitted.iter_mut().all(|work| poll(work).is_pending()));
        let rejected = poll(&mut start());
        assert!(matches!(rejected, Poll::Ready(Err(Error::Unavailable { .. }))), "{rejected:?}");

        // A caller that disconnects while waiting frees its slot. A caller whose work has started does
        // not.
        drop(admitted.pop());
        let mut next = start();
        assert!(poll(&mut next).is_pending());
        drop(admitted.remove(0));
        assert!(poll(&mut start()).is_ready(), "the work of the first is still under way");
        admitted.push(next);

        drop(release);
        for work in admitted {
            work.await.unwrap();
        }
        assert!(peak.load(Ordering::SeqCst) <= 2, "{peak:?}");
        assert_eq!(hasher.running.available_permits(), 2);
        assert_eq!(hasher.admitted.available_permits(), 2 + WAITING_MAX);
    }

    #[test]
    fn one_network_block_leaves_room_for_others() {
        let hasher = Hasher::new(1);
        let [first, neighbour, other] = ["2001:db8:0:1::1", "2001:db8:0:1::2", "192.0.2.1"]
            .map(|address| Some(address.parse().unwrap()));
        let mut admitted: Vec<_> = (0..BLOCK_MAX).map(|_| hasher.admit(first).unwrap()).collect();
        assert_eq!(hasher.admit(neighbour).unwrap_err().status(), 503);
        hasher.admit(other).unwrap();
        admitted.pop();
        drop(hasher.admit(neighbour).unwrap());
        drop(admitted);
        assert!(hasher.of_blocks.lock().is_empty());
    }
}
