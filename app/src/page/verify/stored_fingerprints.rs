//! Fingerprints that the user stored in this browser.

use leptos::prelude::window;
use web_sys::Storage;

/// The key in the browser's local storage.
const STORAGE_KEY: &str = "govern.fingerprints";

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// Returns the stored fingerprints, if there are any.
pub(super) fn read() -> Option<String> {
    storage()?.get_item(STORAGE_KEY).ok().flatten()
}

/// Stores the fingerprints. A browser without local storage ignores it.
pub(super) fn write(lines: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(STORAGE_KEY, lines);
    }
}

/// Deletes the stored fingerprints.
pub(super) fn clear() {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(STORAGE_KEY);
    }
}
