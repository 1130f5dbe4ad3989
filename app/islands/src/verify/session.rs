//! The verification session: the input, the running check and its result.

use send_wrapper::SendWrapper;
use web_sys::FileList;

use super::{
    selected_file::{self, SelectedFile},
    worker::{VerifierWorker, WorkerMessage},
};
use crate::{
    prelude::*,
    verify::view::{CheckError, Checked, Role, SECONDS_MAX},
};

/// The pause in typing after which the fingerprints are used.
const INPUT_DELAY: Duration = Duration::from_millis(250);

const CHECK_TIMEOUT: Duration = Duration::from_secs(SECONDS_MAX as u64);

#[derive(Clone, Debug)]
pub(super) enum State {
    /// There is nothing to check.
    Empty,
    Fetching,
    Checking,
    Done(Arc<Checked>),
    NotChecked(CheckError),
}

/// The report, what the receipt states, and the duration in milliseconds.
type CheckOutput = (Option<String>, Option<String>, f64);

/// A selected file, or the reason why there is none.
type FileSlot = Result<Arc<SelectedFile>, CheckError>;

#[derive(Clone, Default)]
struct CheckInput {
    number: u32,
    bundle: Option<Arc<SelectedFile>>,
    trust: Option<Arc<SelectedFile>>,
    pins: String,
}

/// The selected files and fingerprints, and their check.
#[derive(Clone, Copy)]
pub(super) struct VerifySession {
    bundle: StoredValue<Option<FileSlot>>,
    trust: RwSignal<Option<FileSlot>>,
    pins: StoredValue<String>,
    state: RwSignal<State>,
    is_ready: RwSignal<bool>,
    /// Whether the result belongs to a new bundle and should take the focus.
    is_new: StoredValue<bool>,
    /// The numbers of requests for a bundle, a trust document and a check. Only the newest of each is used.
    request_counts: StoredValue<[u32; 3]>,
    worker: StoredValue<Option<SendWrapper<VerifierWorker>>>,
    running: StoredValue<Option<CheckInput>>,
    next: StoredValue<Option<CheckInput>>,
}

/// The index of checks in `request_counts`.
const CHECK_SLOT: usize = 2;

impl VerifySession {
    pub(super) fn new() -> Self {
        Self {
            bundle: StoredValue::new(None),
            trust: RwSignal::new(None),
            pins: StoredValue::new(String::new()),
            state: RwSignal::new(State::Empty),
            is_ready: RwSignal::new(false),
            is_new: StoredValue::new(false),
            request_counts: StoredValue::new([0; 3]),
            worker: StoredValue::new(None),
            running: StoredValue::new(None),
            next: StoredValue::new(None),
        }
    }

    pub(super) fn state(self) -> State {
        self.state.get()
    }

    /// Returns whether the verifier has loaded, so that no further code is fetched.
    pub(super) fn is_ready(self) -> bool {
        self.is_ready.get()
    }

    /// Returns whether a trust document is selected.
    pub(super) fn has_trust(self) -> bool {
        self.trust.read().is_some()
    }

    /// Returns whether the trust document is the registry published by the service.
    pub(super) fn is_published(self) -> bool {
        matches!(&*self.trust.read(), Some(Ok(file)) if file.is_published)
    }

    /// Returns whether the result should take the focus; `true` once for each bundle.
    pub(super) fn should_focus_result(self) -> bool {
        let is_new = self.is_new.get_value();
        self.is_new.set_value(false);
        is_new
    }

    /// Starts the verifier in a worker, unless it is running.
    pub(super) fn start(self) {
        if self.worker.with_value(Option::is_some) {
            return;
        }
        let worker = VerifierWorker::start(move |message| self.on_message(message));
        if worker.is_none() {
            self.on_message(WorkerMessage::Missing);
        }
        self.worker.set_value(worker.map(SendWrapper::new));
    }

    /// Selects the first of `files`.
    pub(super) fn select_file(self, role: Role, files: Option<FileList>) {
        if let Some(file) = selected_file::first_file(files) {
            // Supersedes a pending request for this file.
            let _ = self.begin_request(role as usize);
            self.set_file(role, file);
        }
    }

    pub(super) fn fetch_bundle(self, id: String) {
        self.fetch_file(Role::Bundle, async move { selected_file::fetch_bundle(&id).await });
    }

    pub(super) fn fetch_registry(self) {
        self.fetch_file(Role::Trust, selected_file::fetch_registry());
    }

    fn fetch_file(
        self,
        role: Role,
        file: impl Future<Output = Result<SelectedFile, CheckError>> + 'static,
    ) {
        let is_newest = self.begin_request(role as usize);
        self.state.set(State::Fetching);
        spawn_local(async move {
            let file = file.await;
            if is_newest() {
                self.set_file(role, file);
            }
        });
    }

    /// Sets the fingerprints, one per line, and checks after a pause.
    pub(super) fn pin(self, pins: String) {
        self.pins.set_value(pins);
        let is_newest = self.begin_request(CHECK_SLOT);
        set_timeout(
            move || {
                if is_newest() {
                    self.check();
                }
            },
            INPUT_DELAY,
        );
    }

    pub(super) fn clear_trust(self) {
        // Supersedes a pending request for a trust document.
        let _ = self.begin_request(Role::Trust as usize);
        self.trust.set(None);
        self.check();
    }

    fn set_file(self, role: Role, file: Result<SelectedFile, CheckError>) {
        let file = Some(file.map(Arc::new));
        match role {
            Role::Bundle => {
                self.bundle.set_value(file);
                self.is_new.set_value(true);
            }
            Role::Trust => self.trust.set(file),
        }
        self.check();
    }

    /// Starts a request. The returned function checks whether it is still the newest one and the page is still
    /// mounted.
    fn begin_request(self, slot: usize) -> impl Fn() -> bool + 'static {
        let request = self.next_request(slot);
        move || {
            self.request_counts
                .try_get_value()
                .is_some_and(|counts| counts.get(slot) == Some(&request))
        }
    }

    fn next_request(self, slot: usize) -> u32 {
        let mut request = 0;
        self.request_counts.update_value(|counts| {
            if let Some(count) = counts.get_mut(slot) {
                *count = count.wrapping_add(1);
                request = *count;
            }
        });
        request
    }

    /// Starts a check of the current input. Without a bundle, only the trust input is checked.
    fn check(self) {
        let number = self.next_request(CHECK_SLOT);
        self.next.set_value(None);
        let input = self.input(number);
        self.state.set(match &input {
            Err(error) => State::NotChecked(error.clone()),
            Ok(input) if input.bundle.is_some() => State::Checking,
            Ok(_) => State::Empty,
        });
        if let Ok(input) = input {
            self.next.set_value(Some(input));
            self.resume();
        }
    }

    fn input(self, number: u32) -> Result<CheckInput, CheckError> {
        let trust = self.trust.get_untracked().transpose()?;
        let bundle = self.bundle.get_value().transpose()?;
        Ok(CheckInput { number, bundle, trust, pins: self.pins.get_value() })
    }

    /// Sends the next check to the worker when it is idle.
    fn resume(self) {
        if self.running.with_value(Option::is_some) {
            return;
        }
        let Some(input) = self.next.try_update_value(Option::take).flatten() else { return };
        self.running.set_value(Some(input.clone()));
        self.start();
        self.worker.with_value(|worker| {
            if let Some(worker) = worker {
                worker.post(input.bundle.as_deref(), input.trust.as_deref(), &input.pins);
            }
        });
    }

    fn on_message(self, message: WorkerMessage) {
        // The page may be unmounted.
        if self.running.try_with_value(|_| ()).is_none() {
            return;
        }
        let result = match message {
            WorkerMessage::Ready => return self.is_ready.set(true),
            WorkerMessage::Started => return self.start_timeout(),
            WorkerMessage::Missing => {
                self.terminate();
                Err(CheckError::NoVerifier)
            }
            WorkerMessage::Ended => {
                self.terminate();
                Err(CheckError::Ended)
            }
            WorkerMessage::Done { text, stated, took_ms } => Ok((text, stated, took_ms)),
            WorkerMessage::Refused(code) => Err(self.check_error(&code)),
        };
        self.show_result(result);
    }

    /// Terminates the worker if the check takes too long.
    fn start_timeout(self) {
        let current =
            move || self.running.try_with_value(|input| input.as_ref().map(|input| input.number));
        let number = current();
        set_timeout(
            move || {
                if current() == number {
                    self.terminate();
                    self.show_result(Err(CheckError::TookTooLong));
                    self.start();
                }
            },
            CHECK_TIMEOUT,
        );
    }

    fn terminate(self) {
        self.is_ready.set(false);
        self.worker.set_value(None);
    }

    fn check_error(self, code: &str) -> CheckError {
        self.running.with_value(|input| {
            let bundle = input.as_ref().and_then(|input| input.bundle.as_deref());
            CheckError::of(code, bundle.map(|bundle| bundle.name.as_str()).unwrap_or_default())
        })
    }

    /// Shows the result of a check, unless there is a newer one.
    fn show_result(self, result: Result<CheckOutput, CheckError>) {
        let Some(input) = self.running.try_update_value(Option::take).flatten() else { return };
        if self.request_counts.with_value(|counts| counts.get(CHECK_SLOT) == Some(&input.number)) {
            match result.and_then(|output| input.checked(output)) {
                Ok(Some(checked)) => self.state.set(State::Done(Arc::new(checked))),
                Ok(None) => {}
                Err(error) => self.state.set(State::NotChecked(error)),
            }
        }
        self.resume();
    }
}

impl CheckInput {
    fn checked(self, (text, stated, took_ms): CheckOutput) -> Result<Option<Checked>, CheckError> {
        let (Some(bundle), Some(text)) = (self.bundle, text) else { return Ok(None) };
        let report = serde_json::from_str(&text).map_err(|_| CheckError::Ended)?;
        Ok(Some(Checked {
            name: bundle.name.clone(),
            bytes: bundle.bytes,
            report,
            stated: stated.and_then(|stated| serde_json::from_str(&stated).ok()),
            text,
            took_ms,
            at: selected_file::now(),
            is_published: self.trust.is_some_and(|trust| trust.is_published),
        }))
    }
}
