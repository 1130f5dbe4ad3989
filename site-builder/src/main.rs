//! Converts a WebAssembly module of the build into the files that a browser loads: the module and its JavaScript
//! bindings.
//!
//! A release needs this tool instead of `wasm-bindgen-cli` and `cargo-leptos`, because it has 60 dependencies
//! instead of 700.

use std::env;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

const USAGE: &str = "usage: site-builder NAME MODULE.wasm DIRECTORY";

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [name, module, directory] = &arguments[..] else {
        bail!(USAGE);
    };
    Bindgen::new()
        .web(true)?
        .typescript(false)
        // The verifier loads its module from the address of its script.
        .omit_default_module_path(false)
        .input_path(module)
        .out_name(name)
        .generate(directory)
        .with_context(|| format!("cannot convert {module}"))
}
