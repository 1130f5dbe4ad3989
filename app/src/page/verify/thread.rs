//! The verifier, in a thread of its own: no bundle can freeze the page.

use js_sys::{Object, Reflect};
use leptos::wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Event, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::given::Given;

/// The thread's script, which fetches the verifier at once.
const SCRIPT: &str = "/pkg/verifier_worker.js";

/// What the thread says.
pub(super) enum Said {
    /// It is here: from now on nothing more is fetched.
    Ready,
    /// It cannot be fetched.
    Missing,
    /// It has the files, and begins.
    Begun,
    /// The report, if there was a bundle; and the milliseconds that it took.
    Done(Option<String>, f64),
    /// Why nothing was checked.
    Refused(String),
    /// It came to an end without an answer.
    Ended,
}

impl Said {
    fn of(message: &JsValue) -> Self {
        let text = |name: &str| field(message, name).as_string();
        match text("said").as_deref() {
            Some("ready") => Self::Ready,
            Some("missing") => Self::Missing,
            Some("begun") => Self::Begun,
            Some("done") => {
                Self::Done(text("text"), field(message, "took").as_f64().unwrap_or_default())
            }
            Some("refused") => Self::Refused(text("text").unwrap_or_default()),
            _ => Self::Ended,
        }
    }
}

fn field(message: &JsValue, name: &str) -> JsValue {
    Reflect::get(message, &name.into()).unwrap_or_default()
}

/// A running thread. It ends when this is dropped.
pub(super) struct Thread {
    worker: Worker,
    _heard: Closure<dyn Fn(MessageEvent)>,
    _lost: Closure<dyn Fn(Event)>,
}

impl Thread {
    /// Starts the thread. `hear` is told all that it says.
    pub(super) fn start(hear: impl Fn(Said) + Copy + 'static) -> Option<Self> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(SCRIPT, &options).ok()?;
        let heard: Closure<dyn Fn(MessageEvent)> =
            Closure::new(move |message: MessageEvent| hear(Said::of(&message.data())));
        let lost: Closure<dyn Fn(Event)> = Closure::new(move |_| hear(Said::Missing));
        worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
        worker.set_onerror(Some(lost.as_ref().unchecked_ref()));
        Some(Self { worker, _heard: heard, _lost: lost })
    }

    /// Has `bundle` checked with what is trusted. It answers once; `Begun` comes before.
    pub(super) fn ask(&self, bundle: Option<&Given>, trust: Option<&Given>, lines: &str) {
        let message = Object::new();
        let file = |given: Option<&Given>| given.map(|given| JsValue::from((*given.file).clone()));
        for (name, value) in [
            ("bundle", file(bundle).unwrap_or_default()),
            ("trust", file(trust).unwrap_or_default()),
            ("lines", lines.into()),
            ("isPublished", trust.is_some_and(|trust| trust.is_published).into()),
        ] {
            let _ = Reflect::set(&message, &name.into(), &value);
        }
        let _ = self.worker.post_message(&message);
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}
