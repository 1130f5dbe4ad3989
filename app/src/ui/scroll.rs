//! Restores the scroll position after Back and Forward within the console.
//!
//! The browser stores and restores the position when the history entry changes. The router replaces the page
//! before it adds an entry, and the page of an earlier entry is loaded after that entry is current. So both
//! positions of the browser belong to the wrong content.

use leptos::{ev, prelude::*, wasm_bindgen::JsValue};

/// The scroll position to restore when the page of the current history entry is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScrollPosition(StoredValue<Option<f64>>);

impl ScrollPosition {
    /// Registers the listeners for the lifetime of the document. Call it before the router registers its
    /// listeners: each navigation to a new entry starts with a click, which stores the position first.
    pub(crate) fn listen() -> Self {
        let position = StoredValue::new(None);
        let _ = window_event_listener(ev::click, move |_| {
            position.set_value(None);
            if let (Ok(history), Ok(top)) = (window().history(), window().scroll_y()) {
                let _ = history.replace_state(&JsValue::from_f64(top), "");
            }
        });
        let _ = window_event_listener(ev::popstate, move |_| {
            let state = window().history().and_then(|history| history.state());
            position.set_value(state.ok().and_then(|state| state.as_f64()));
        });
        Self(position)
    }

    /// Restores the position, if the page was reached by Back or Forward.
    pub(crate) fn restore(self) {
        if let Some(top) = self.0.try_update_value(Option::take).flatten() {
            window().scroll_to_with_x_and_y(0.0, top);
        }
    }
}
