//! The sessions of a token: a small pool on blocking threads. Lost sessions are opened again.

use std::{
    collections::BTreeMap,
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
use governance::base::error::Cause;
use tokio::sync::Semaphore;

use crate::config::keys::TokenConfig;

/// The maximum number of sessions of a process, which is the number of concurrent signatures.
const SESSIONS_MAX: usize = 4;

/// The time limit of an operation, including the wait for a session.
const OPERATION_TIMEOUT: Duration = Duration::from_secs(10);

/// The modules that this process has loaded. A module can be initialized only once.
static MODULES: Mutex<BTreeMap<PathBuf, Pkcs11>> = Mutex::new(BTreeMap::new());

/// A token and its sessions.
#[derive(derive_more::Debug)]
#[debug("Token {{ label: {label:?}, .. }}")]
pub(super) struct Token {
    module: Pkcs11,
    label: String,
    pin: AuthPin,
    /// Whether the token refused the PIN. It is not tried again, because tokens lock after a few attempts.
    is_pin_rejected: AtomicBool,
    /// Open sessions that are logged in and not in use.
    idle: Mutex<Vec<Session>>,
    permits: Arc<Semaphore>,
}

impl Token {
    pub(super) fn new(config: &TokenConfig) -> Result<Self> {
        Ok(Self {
            module: load(&config.module).with_context(|| {
                format!("GOVERN_PKCS11_MODULE: {} cannot be used", config.module.display())
            })?,
            label: config.label.clone(),
            pin: pin(&config.pin_file).context("GOVERN_PKCS11_PIN_FILE")?,
            is_pin_rejected: AtomicBool::new(false),
            idle: Mutex::default(),
            permits: Arc::new(Semaphore::new(SESSIONS_MAX)),
        })
    }

    /// Runs `operation` in an idle session. If it fails there, runs it again in a new session, because the
    /// idle one may have been lost. `operation` must therefore be repeatable.
    pub(super) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        operation: impl Fn(&Session) -> Result<T> + Send + 'static,
    ) -> Result<T, Cause> {
        self.run_blocking(move |token| token.run_in_session(&operation)).await
    }

    /// Runs `operation`, which changes the token, in a new session.
    pub(super) async fn run_once<T: Send + 'static>(
        self: &Arc<Self>,
        operation: impl Fn(&Session) -> Result<T> + Send + 'static,
    ) -> Result<T, Cause> {
        self.run_blocking(move |token| operation(&token.open(true)?)).await
    }

    async fn run_blocking<T: Send + 'static>(
        self: &Arc<Self>,
        operation: impl FnOnce(&Self) -> Result<T> + Send + 'static,
    ) -> Result<T, Cause> {
        let (token, permits) = (Arc::clone(self), Arc::clone(&self.permits));
        let call = async {
            let permit = permits.acquire_owned().await?;
            let operation = move || {
                // A thread that waits for the device keeps its permit, even after the caller has
                // stopped waiting.
                let _permit = permit;
                operation(&token)
            };
            tokio::task::spawn_blocking(operation)
                .await?
                .map_err(|error| Cause::from(format!("{error:#}")))
        };
        let result = tokio::time::timeout(OPERATION_TIMEOUT, call).await;
        result.map_err(|_| Cause::from("the PKCS#11 token does not respond"))?
    }

    fn run_in_session<T>(&self, operation: &impl Fn(&Session) -> Result<T>) -> Result<T> {
        let idle = self.idle().pop();
        if let Some(session) = idle {
            if let Ok(value) = operation(&session) {
                self.idle().push(session);
                return Ok(value);
            }
            // The other idle sessions may be lost too.
            let lost = std::mem::take(&mut *self.idle());
            drop((session, lost));
        }
        let session = self.open(false)?;
        let value = operation(&session)?;
        self.idle().push(session);
        Ok(value)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Session>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a session, and logs in unless the process is logged in already.
    fn open(&self, writes: bool) -> Result<Session> {
        const PIN_REJECTED: &str = "the PKCS#11 token rejects the PIN";
        if self.is_pin_rejected.load(Ordering::Acquire) {
            bail!(PIN_REJECTED);
        }
        let slot = self.slot()?;
        let session = if writes {
            self.module.open_rw_session(slot)
        } else {
            self.module.open_ro_session(slot)
        };
        let session = session.context("the PKCS#11 token cannot open a session")?;
        match session.login(UserType::User, Some(&self.pin)) {
            Ok(()) | Err(Error::Pkcs11(RvError::UserAlreadyLoggedIn, _)) => Ok(session),
            Err(error) => {
                let pin_errors = [RvError::PinIncorrect, RvError::PinLocked, RvError::PinExpired];
                let is_pin = matches!(&error, Error::Pkcs11(code, _) if pin_errors.contains(code));
                self.is_pin_rejected.fetch_or(is_pin, Ordering::AcqRel);
                Err(error).context(PIN_REJECTED)
            }
        }
    }

    /// Returns the slot of the token, which may have changed since the last session.
    fn slot(&self) -> Result<Slot> {
        let slots = self
            .module
            .get_slots_with_token()
            .context("the PKCS#11 module cannot list its slots")?;
        let mut matching = slots.into_iter().filter(|slot| {
            let token = self.module.get_token_info(*slot);
            token.is_ok_and(|token| token.label().trim_end() == self.label)
        });
        let slot = matching.next().ok_or_else(|| {
            anyhow!("GOVERN_PKCS11_TOKEN: the module has no token with the label `{}`", self.label)
        })?;
        if matching.next().is_some() {
            bail!("GOVERN_PKCS11_TOKEN: the module has two tokens with the label `{}`", self.label);
        }
        Ok(slot)
    }
}

/// Loads and initializes a module. A loaded module is reused.
fn load(path: &Path) -> Result<Pkcs11> {
    let mut modules = MODULES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(module) = modules.get(path) {
        return Ok(module.clone());
    }
    let module = Pkcs11::new(path)?;
    match module.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)) {
        Ok(()) | Err(Error::Pkcs11(RvError::CryptokiAlreadyInitialized, _)) => {}
        Err(error) => return Err(error.into()),
    }
    modules.insert(path.to_owned(), module.clone());
    Ok(module)
}

/// Reads the PIN from a file that only its owner may read.
fn pin(file: &Path) -> Result<AuthPin> {
    let contents = private_file::read(file)?;
    let contents = contents.with_context(|| format!("{} does not exist", file.display()))?;
    Ok(AuthPin::from(contents.text.trim_end_matches(['\r', '\n'])))
}
