//! What lies before the reader, and what it came to.

use std::{sync::Arc, time::Duration};

use leptos::{prelude::*, task::spawn_local};
use send_wrapper::SendWrapper;
use web_sys::FileList;

use super::{
    given::{self, Given},
    thread::{Said, Thread},
};
use crate::view::verify::{Checked, Refused, Role, SECONDS_MAX};

/// How long a pause in typing is, before what was typed counts.
const PAUSE: Duration = Duration::from_millis(250);

/// How long the verifier may take.
const TIME: Duration = Duration::from_secs(SECONDS_MAX as u64);

/// How a check stands.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// There is nothing to check.
    Empty,
    /// Something is on its way from the service.
    Fetching,
    /// The verifier is at work.
    Checking,
    /// It is done.
    Done(Arc<Checked>),
    /// Nothing was checked.
    Refused(Refused),
}

/// A file, or why there is none.
type Held = Result<Arc<Given>, Refused>;

/// What is checked, with what.
#[derive(Clone, Default)]
struct Case {
    /// Which check it is.
    turn: u32,
    bundle: Option<Arc<Given>>,
    trust: Option<Arc<Given>>,
    lines: String,
}

/// The files and fingerprints that were given, and the check of them.
#[derive(Clone, Copy)]
pub(super) struct Desk {
    bundle: StoredValue<Option<Held>>,
    trust: RwSignal<Option<Held>>,
    lines: StoredValue<String>,
    state: RwSignal<State>,
    /// Whether the verifier is here.
    is_ready: RwSignal<bool>,
    /// Whether the result is of a new bundle, to which the reader is to be led.
    is_new: StoredValue<bool>,
    /// How often a bundle and a trust document were given, and a check was asked for: only the newest
    /// counts.
    turns: StoredValue<[u32; 3]>,
    thread: StoredValue<Option<SendWrapper<Thread>>>,
    /// What the thread is at.
    running: StoredValue<Option<Case>>,
    /// What it is to do next.
    wanted: StoredValue<Option<Case>>,
}

/// The place of checks among the turns.
const CHECK: usize = 2;

impl Desk {
    pub(super) fn new() -> Self {
        Self {
            bundle: StoredValue::new(None),
            trust: RwSignal::new(None),
            lines: StoredValue::new(String::new()),
            state: RwSignal::new(State::Empty),
            is_ready: RwSignal::new(false),
            is_new: StoredValue::new(false),
            turns: StoredValue::new([0; 3]),
            thread: StoredValue::new(None),
            running: StoredValue::new(None),
            wanted: StoredValue::new(None),
        }
    }

    /// How the check stands.
    pub(super) fn state(self) -> State {
        self.state.get()
    }

    /// Whether the verifier is here, so that nothing more will be fetched for it.
    pub(super) fn is_ready(self) -> bool {
        self.is_ready.get()
    }

    /// Whether something was given to trust, beside fingerprints.
    pub(super) fn has_trust(self) -> bool {
        self.trust.read().is_some()
    }

    /// Whether what is trusted came from the service itself.
    pub(super) fn is_published(self) -> bool {
        matches!(&*self.trust.read(), Some(Ok(given)) if given.is_published)
    }

    /// Whether the reader is to be led to the result; true once for each bundle.
    pub(super) fn leads(self) -> bool {
        let is_new = self.is_new.get_value();
        self.is_new.set_value(false);
        is_new
    }

    /// Fetches the verifier, in a thread of its own, unless it is there.
    pub(super) fn start(self) {
        if self.thread.with_value(Option::is_some) {
            return;
        }
        let thread = Thread::start(move |said| self.hear(said));
        if thread.is_none() {
            self.hear(Said::Missing);
        }
        self.thread.set_value(thread.map(SendWrapper::new));
    }

    /// Takes the first of `files`.
    pub(super) fn take(self, role: Role, files: Option<FileList>) {
        if let Some(read) = given::first(files) {
            // Whatever is still on its way for this role is no longer wanted.
            let _ = self.begin(role as usize);
            self.put(role, read);
        }
    }

    /// Fetches the bundle of a decision, as the reader asked for it.
    pub(super) fn fetch(self, id: String) {
        self.bring(Role::Bundle, async move { given::bundle(&id).await });
    }

    /// Fetches the keys that the service publishes, as the reader asked for them.
    pub(super) fn fetch_registry(self) {
        self.bring(Role::Trust, given::registry());
    }

    fn bring(self, role: Role, fetched: impl Future<Output = Result<Given, Refused>> + 'static) {
        let is_newest = self.begin(role as usize);
        self.state.set(State::Fetching);
        spawn_local(async move {
            let fetched = fetched.await;
            if is_newest() {
                self.put(role, fetched);
            }
        });
    }

    /// Takes fingerprints, one a line.
    pub(super) fn pin(self, lines: String) {
        self.lines.set_value(lines);
        let is_newest = self.begin(CHECK);
        set_timeout(
            move || {
                if is_newest() {
                    self.check();
                }
            },
            PAUSE,
        );
    }

    /// Goes on with fingerprints alone.
    pub(super) fn forget_trust(self) {
        // What is still on its way is forgotten too.
        let _ = self.begin(Role::Trust as usize);
        self.trust.set(None);
        self.check();
    }

    fn put(self, role: Role, read: Result<Given, Refused>) {
        let read = Some(read.map(Arc::new));
        match role {
            Role::Bundle => {
                self.bundle.set_value(read);
                self.is_new.set_value(true);
            }
            Role::Trust => self.trust.set(read),
        }
        self.check();
    }

    /// Begins a turn; the answer says whether no newer one has begun since, and the page is still there.
    fn begin(self, place: usize) -> impl Fn() -> bool + 'static {
        let mine = self.count(place);
        move || self.turns.try_get_value().is_some_and(|turns| turns.get(place) == Some(&mine))
    }

    fn count(self, place: usize) -> u32 {
        let mut mine = 0;
        self.turns.update_value(|turns| {
            if let Some(turn) = turns.get_mut(place) {
                *turn = turn.wrapping_add(1);
                mine = *turn;
            }
        });
        mine
    }

    /// Has checked what is there. Without a bundle only what is trusted is looked at.
    fn check(self) {
        let turn = self.count(CHECK);
        self.wanted.set_value(None);
        let case = self.given(turn);
        self.state.set(match &case {
            Err(refused) => State::Refused(refused.clone()),
            Ok(case) if case.bundle.is_some() => State::Checking,
            Ok(_) => State::Empty,
        });
        if let Ok(case) = case {
            self.wanted.set_value(Some(case));
            self.go_on();
        }
    }

    fn given(self, turn: u32) -> Result<Case, Refused> {
        let trust = self.trust.get_untracked().transpose()?;
        let bundle = self.bundle.get_value().transpose()?;
        Ok(Case { turn, bundle, trust, lines: self.lines.get_value() })
    }

    /// Gives the thread what it is to do next, when it is free.
    fn go_on(self) {
        if self.running.with_value(Option::is_some) {
            return;
        }
        let Some(case) = self.wanted.try_update_value(Option::take).flatten() else { return };
        self.running.set_value(Some(case.clone()));
        self.start();
        self.thread.with_value(|thread| {
            if let Some(thread) = thread {
                thread.ask(case.bundle.as_deref(), case.trust.as_deref(), &case.lines);
            }
        });
    }

    /// Hears what the thread says.
    fn hear(self, said: Said) {
        // The page may be gone.
        if self.running.try_with_value(|_| ()).is_none() {
            return;
        }
        let answer = match said {
            Said::Ready => return self.is_ready.set(true),
            Said::Begun => return self.limit(),
            Said::Missing => {
                self.end();
                Err(Refused::NoVerifier)
            }
            Said::Ended => {
                self.end();
                Err(Refused::Ended)
            }
            Said::Done(text, took_ms) => Ok((text, took_ms)),
            Said::Refused(word) => Err(self.refused(&word)),
        };
        self.answer(answer);
    }

    /// Ends the thread if it takes too long.
    fn limit(self) {
        let turn = move || self.running.try_with_value(|case| case.as_ref().map(|case| case.turn));
        let mine = turn();
        set_timeout(
            move || {
                if turn() == mine {
                    self.end();
                    self.answer(Err(Refused::TookTooLong));
                    self.start();
                }
            },
            TIME,
        );
    }

    /// Ends the thread.
    fn end(self) {
        self.is_ready.set(false);
        self.thread.set_value(None);
    }

    fn refused(self, word: &str) -> Refused {
        self.running.with_value(|case| {
            let bundle = case.as_ref().and_then(|case| case.bundle.as_deref());
            Refused::of(word, bundle.map(|bundle| bundle.name.as_str()).unwrap_or_default())
        })
    }

    /// Shows what a check came to, unless it is outdated.
    fn answer(self, answer: Result<(Option<String>, f64), Refused>) {
        let Some(case) = self.running.try_update_value(Option::take).flatten() else { return };
        if self.turns.with_value(|turns| turns.get(CHECK) == Some(&case.turn)) {
            match answer.and_then(|(text, took_ms)| case.checked(text, took_ms)) {
                Ok(Some(checked)) => self.state.set(State::Done(Arc::new(checked))),
                Ok(None) => {}
                Err(refused) => self.state.set(State::Refused(refused)),
            }
        }
        self.go_on();
    }
}

impl Case {
    fn checked(self, text: Option<String>, took_ms: f64) -> Result<Option<Checked>, Refused> {
        let (Some(bundle), Some(text)) = (self.bundle, text) else { return Ok(None) };
        let report = serde_json::from_str(&text).map_err(|_| Refused::Ended)?;
        Ok(Some(Checked {
            name: bundle.name.clone(),
            bytes: bundle.bytes,
            report,
            text,
            took_ms,
            at: given::now(),
            is_published: self.trust.is_some_and(|trust| trust.is_published),
        }))
    }
}
