//! Fingerprints that the user stored in this browser.

use leptos::prelude::window;
use web_sys::Storage;

const STORAGE_KEY: &str = "govern.fingerprints";

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

pub(super) fn read() -> Option<String> {
    storage()?.get_item(STORAGE_KEY).ok().flatten()
}

/// Stores the fingerprints, if the browser has local storage.
pub(super) fn write(lines: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(STORAGE_KEY, lines);
    }
}

pub(super) fn clear() {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(STORAGE_KEY);
    }
}
