//! Fingerprints that the reader had kept on this device.

use leptos::prelude::window;
use web_sys::Storage;

/// Where they are kept.
const NAME: &str = "govern.fingerprints";

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// What was kept, if anything was.
pub(super) fn read() -> Option<String> {
    storage()?.get_item(NAME).ok().flatten()
}

/// Keeps them. A browser that keeps nothing goes without.
pub(super) fn write(lines: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(NAME, lines);
    }
}

/// Keeps them no longer.
pub(super) fn forget() {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(NAME);
    }
}
