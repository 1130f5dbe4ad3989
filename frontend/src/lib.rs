#![doc = include_str!("../README.md")]
#![cfg(target_arch = "wasm32")]

// Exports a function for each island, which the script of the page calls.
use islands as _;
use wasm_bindgen::prelude::wasm_bindgen;

/// Prepares the islands of the page.
#[wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
}
