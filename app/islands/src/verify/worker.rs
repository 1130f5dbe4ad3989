//! The verifier in a web worker, so that a bundle cannot block the page.

use js_sys::{Object, Reflect};
use leptos::wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Event, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::selected_file::SelectedFile;

/// The script of the worker, which fetches the verifier at start.
const SCRIPT: &str = "/pkg/verifier_worker.js";

pub(super) enum WorkerMessage {
    /// The verifier has loaded; nothing more is fetched.
    Ready,
    /// The verifier could not be fetched.
    Missing,
    Started,
    /// The report and what the receipt states, if there was a bundle, and the duration in milliseconds.
    Done {
        text: Option<String>,
        stated: Option<String>,
        took_ms: f64,
    },
    /// The reason why nothing was checked.
    Refused(String),
    /// The verifier stopped without a result.
    Ended,
}

impl WorkerMessage {
    fn parse(message: &JsValue) -> Self {
        let text = |name: &str| field(message, name).as_string();
        match text("status").as_deref() {
            Some("ready") => Self::Ready,
            Some("missing") => Self::Missing,
            Some("started") => Self::Started,
            Some("done") => Self::Done {
                text: text("text"),
                stated: text("stated"),
                took_ms: field(message, "durationMs").as_f64().unwrap_or_default(),
            },
            Some("refused") => Self::Refused(text("text").unwrap_or_default()),
            _ => Self::Ended,
        }
    }
}

fn field(message: &JsValue, name: &str) -> JsValue {
    Reflect::get(message, &name.into()).unwrap_or_default()
}

/// A running worker. It is terminated on drop.
pub(super) struct VerifierWorker {
    worker: Worker,
    _message_handler: Closure<dyn Fn(MessageEvent)>,
    _error_handler: Closure<dyn Fn(Event)>,
}

impl VerifierWorker {
    /// Starts the worker. `on_message` is called with each of its messages.
    pub(super) fn start(on_message: impl Fn(WorkerMessage) + Copy + 'static) -> Option<Self> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(SCRIPT, &options).ok()?;
        let message_handler: Closure<dyn Fn(MessageEvent)> =
            Closure::new(move |message: MessageEvent| {
                on_message(WorkerMessage::parse(&message.data()));
            });
        let error_handler: Closure<dyn Fn(Event)> =
            Closure::new(move |_| on_message(WorkerMessage::Missing));
        worker.set_onmessage(Some(message_handler.as_ref().unchecked_ref()));
        worker.set_onerror(Some(error_handler.as_ref().unchecked_ref()));
        Some(Self { worker, _message_handler: message_handler, _error_handler: error_handler })
    }

    /// Requests a check of `bundle` with the trust input. The worker sends `Started`, then one result.
    pub(super) fn post(
        &self,
        bundle: Option<&SelectedFile>,
        trust: Option<&SelectedFile>,
        pins: &str,
    ) {
        let message = Object::new();
        let file = |selected: Option<&SelectedFile>| {
            selected.map(|selected| JsValue::from((*selected.file).clone()))
        };
        for (name, value) in [
            ("bundle", file(bundle).unwrap_or_default()),
            ("trust", file(trust).unwrap_or_default()),
            ("lines", pins.into()),
            ("isPublished", trust.is_some_and(|trust| trust.is_published).into()),
        ] {
            let _ = Reflect::set(&message, &name.into(), &value);
        }
        let _ = self.worker.post_message(&message);
    }
}

impl Drop for VerifierWorker {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}
