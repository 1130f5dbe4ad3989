//! The sessions of one token: a small pool on blocking threads, opened again when they are lost.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, Result, anyhow, bail};
use cryptoki::{
    context::{CInitializeArgs, CInitializeFlags, Pkcs11},
    error::{Error, RvError},
    session::{Session, UserType},
    slot::Slot,
    types::AuthPin,
};
use governance::error::Cause;
use tokio::sync::Semaphore;

use super::TokenConfig;
use crate::keys::files::read_private;

/// The number of sessions that a process holds at most: as many signatures are made at a time.
const SESSIONS_MAX: usize = 4;

/// How long an act may take, with the wait for a session.
const PATIENCE: Duration = Duration::from_secs(10);

/// The modules that this process has loaded. A module can be initialized once only.
static MODULES: Mutex<BTreeMap<PathBuf, Pkcs11>> = Mutex::new(BTreeMap::new());

/// A token and its sessions.
pub(super) struct Token {
    module: Pkcs11,
    label: String,
    pin: AuthPin,
    /// Whether the token refused the PIN: it is not tried again, because tokens lock after a few attempts.
    is_pin_refused: AtomicBool,
    /// Sessions that are open, logged in and not in use.
    idle: Mutex<Vec<Session>>,
    permits: Arc<Semaphore>,
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").field("label", &self.label).finish_non_exhaustive()
    }
}

impl Token {
    pub(super) fn new(config: &TokenConfig) -> Result<Self> {
        Ok(Self {
            module: load(&config.module).with_context(|| {
                format!("GOVERN_PKCS11_MODULE: {} cannot be used", config.module.display())
            })?,
            label: config.label.clone(),
            pin: pin(&config.pin_file).context("GOVERN_PKCS11_PIN_FILE")?,
            is_pin_refused: AtomicBool::new(false),
            idle: Mutex::default(),
            permits: Arc::new(Semaphore::new(SESSIONS_MAX)),
        })
    }

    /// Runs `act` in an idle session, and once more in a new one when it fails there, because the idle one
    /// may have been lost. So `act` must be repeatable.
    pub(super) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl Fn(&Session) -> Result<T> + Send + 'static,
    ) -> Result<T, Cause> {
        self.on_a_thread(move |token| token.act(&act)).await
    }

    /// Runs `act`, which changes the token, in a session that was opened for it.
    pub(super) async fn run_once<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl Fn(&Session) -> Result<T> + Send + 'static,
    ) -> Result<T, Cause> {
        self.on_a_thread(move |token| act(&token.open(true)?)).await
    }

    async fn on_a_thread<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&Self) -> Result<T> + Send + 'static,
    ) -> Result<T, Cause> {
        let (token, permits) = (Arc::clone(self), Arc::clone(&self.permits));
        let acted = async {
            let permit = permits.acquire_owned().await?;
            let act = move || {
                // A thread that a device does not answer holds its permit, whoever waits for it.
                let _permit = permit;
                act(&token)
            };
            tokio::task::spawn_blocking(act).await?.map_err(|why| Cause::from(format!("{why:#}")))
        };
        let in_time = tokio::time::timeout(PATIENCE, acted).await;
        in_time.map_err(|_| Cause::from("the PKCS#11 token does not answer"))?
    }

    fn act<T>(&self, act: &impl Fn(&Session) -> Result<T>) -> Result<T> {
        let idle = self.idle().pop();
        if let Some(session) = idle {
            if let Ok(done) = act(&session) {
                self.idle().push(session);
                return Ok(done);
            }
            // The other idle sessions may be lost too.
            let lost = std::mem::take(&mut *self.idle());
            drop((session, lost));
        }
        let session = self.open(false)?;
        let done = act(&session)?;
        self.idle().push(session);
        Ok(done)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Session>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a session, and logs in unless the process is logged in.
    fn open(&self, writes: bool) -> Result<Session> {
        const REFUSED: &str = "the PKCS#11 token refuses the PIN";
        if self.is_pin_refused.load(Ordering::Acquire) {
            bail!(REFUSED);
        }
        let slot = self.slot()?;
        let session = if writes {
            self.module.open_rw_session(slot)
        } else {
            self.module.open_ro_session(slot)
        };
        let session = session.context("the PKCS#11 token opens no session")?;
        match session.login(UserType::User, Some(&self.pin)) {
            Ok(()) | Err(Error::Pkcs11(RvError::UserAlreadyLoggedIn, _)) => Ok(session),
            Err(why) => {
                let pin = [RvError::PinIncorrect, RvError::PinLocked, RvError::PinExpired];
                let is_pin = matches!(&why, Error::Pkcs11(error, _) if pin.contains(error));
                self.is_pin_refused.fetch_or(is_pin, Ordering::AcqRel);
                Err(why).context(REFUSED)
            }
        }
    }

    /// The slot of the token, which may have changed since the last session.
    fn slot(&self) -> Result<Slot> {
        let slots =
            self.module.get_slots_with_token().context("the PKCS#11 module lists no slots")?;
        let mut named = slots.into_iter().filter(|slot| {
            let token = self.module.get_token_info(*slot);
            token.is_ok_and(|token| token.label().trim_end() == self.label)
        });
        let slot = named.next().ok_or_else(|| {
            anyhow!("GOVERN_PKCS11_TOKEN: the module has no token with the label `{}`", self.label)
        })?;
        if named.next().is_some() {
            bail!("GOVERN_PKCS11_TOKEN: the module has two tokens with the label `{}`", self.label);
        }
        Ok(slot)
    }
}

/// Loads and initializes a module, once in the life of the process.
fn load(path: &Path) -> Result<Pkcs11> {
    let mut modules = MODULES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(module) = modules.get(path) {
        return Ok(module.clone());
    }
    let module = Pkcs11::new(path)?;
    match module.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)) {
        Ok(()) | Err(Error::Pkcs11(RvError::CryptokiAlreadyInitialized, _)) => {}
        Err(why) => return Err(why.into()),
    }
    modules.insert(path.to_owned(), module.clone());
    Ok(module)
}

/// The PIN in a file that nobody but its owner may read.
fn pin(file: &Path) -> Result<AuthPin> {
    let stored = read_private(file)?;
    let stored = stored.with_context(|| format!("{} does not exist", file.display()))?;
    Ok(AuthPin::from(stored.text.trim_end_matches(['\r', '\n'])))
}
