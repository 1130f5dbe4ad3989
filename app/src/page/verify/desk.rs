//! What lies before the reader, and what it came to.

use std::{sync::Arc, time::Duration};

use leptos::{prelude::*, task::spawn_local};
use web_sys::FileList;

use super::given;
use crate::view::verify::{Checked, Given, Refused, Role, trusted};

/// How long a pause in typing is, before what was typed counts.
const PAUSE: Duration = Duration::from_millis(250);

/// How a check stands.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// There is nothing to check.
    Empty,
    /// A file is being read.
    Reading,
    /// A bundle is on its way from the service.
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

/// A bundle, and the trust document to check it with.
type Case = (Arc<Given>, Option<Arc<Given>>);

/// The files and fingerprints that were given, and the check of them.
#[derive(Clone, Copy)]
pub(super) struct Desk {
    bundle: StoredValue<Option<Held>>,
    trust: RwSignal<Option<Held>>,
    pins: StoredValue<String>,
    state: RwSignal<State>,
    /// Whether the result is of a new bundle, to which the reader is to be led.
    is_new: StoredValue<bool>,
    /// How often a bundle and a trust document were given, and a check was begun: only the newest counts.
    turns: StoredValue<[u32; 3]>,
}

/// The place of checks among the turns.
const CHECK: usize = 2;

impl Desk {
    pub(super) fn new() -> Self {
        Self {
            bundle: StoredValue::new(None),
            trust: RwSignal::new(None),
            pins: StoredValue::new(String::new()),
            state: RwSignal::new(State::Empty),
            is_new: StoredValue::new(false),
            turns: StoredValue::new([0; 3]),
        }
    }

    /// How the check stands.
    pub(super) fn state(self) -> State {
        self.state.get()
    }

    /// Whether a trust document was given.
    pub(super) fn has_trust(self) -> bool {
        self.trust.read().is_some()
    }

    /// Whether the reader is to be led to the result; true once for each bundle.
    pub(super) fn leads(self) -> bool {
        let is_new = self.is_new.get_value();
        self.is_new.set_value(false);
        is_new
    }

    /// Takes the first of `files`.
    pub(super) fn take(self, role: Role, files: Option<FileList>) {
        let Some(file) = files.and_then(|files| files.get(0)) else { return };
        let is_newest = self.begin(role as usize);
        self.state.set(State::Reading);
        spawn_local(async move {
            let read = given::read(&file, role).await;
            if is_newest() {
                self.put(role, read);
            }
        });
    }

    /// Fetches the bundle of a decision, as the reader asked for it.
    pub(super) fn fetch(self, id: String) {
        let is_newest = self.begin(Role::Bundle as usize);
        self.state.set(State::Fetching);
        spawn_local(async move {
            let read = given::fetch(&id).await;
            if is_newest() {
                self.put(Role::Bundle, read);
            }
        });
    }

    /// Takes fingerprints, one a line.
    pub(super) fn pin(self, lines: String) {
        self.pins.set_value(lines);
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

    /// Goes on without a trust document.
    pub(super) fn forget_trust(self) {
        // One that is still being read is forgotten too.
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

    /// Begins a turn; the answer says whether a newer one has begun since, or the page is gone.
    fn begin(self, place: usize) -> impl Fn() -> bool + Clone + Send + 'static {
        let mut mine = 0;
        self.turns.update_value(|turns| {
            if let Some(turn) = turns.get_mut(place) {
                *turn = turn.wrapping_add(1);
                mine = *turn;
            }
        });
        move || self.turns.try_get_value().is_some_and(|turns| turns.get(place) == Some(&mine))
    }

    /// Checks what is there, once the browser has shown that it does.
    fn check(self) {
        let is_newest = self.begin(CHECK);
        match self.given() {
            Ok(None) => self.state.set(State::Empty),
            Err(refused) => self.state.set(State::Refused(refused)),
            Ok(Some((bundle, document))) => {
                self.state.set(State::Checking);
                given::after_painting(move || {
                    if is_newest() {
                        let pins = self.pins.get_value();
                        let checked =
                            Checked::new(&bundle, document.as_deref(), &pins, given::now_ms);
                        self.state.set(match checked {
                            Ok(checked) => State::Done(Arc::new(given::dated(checked))),
                            Err(refused) => State::Refused(refused),
                        });
                    }
                });
            }
        }
    }

    /// What there is to check. What is trusted is refused before there is a
    /// bundle, too.
    fn given(self) -> Result<Option<Case>, Refused> {
        let document = self.trust.get_untracked().transpose()?;
        let bundle = self.bundle.get_value().transpose()?;
        if bundle.is_none() {
            trusted(document.as_deref(), &self.pins.get_value())?;
        }
        Ok(bundle.map(|bundle| (bundle, document)))
    }
}
