//! Converts a WebAssembly module of the build into the files that a browser loads: JavaScript bindings, and one module
//! or, with `--split`, a main module with one module for each lazy part.
//!
//! A release needs this tool instead of `wasm-bindgen-cli` and `cargo-leptos`, because it has 60 dependencies
//! instead of 700. The result is that of `cargo leptos build --split`, which still serves `make dev`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

const USAGE: &str = "usage: site-builder [--split] NAME MODULE.wasm DIRECTORY";

fn main() -> Result<()> {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let split = arguments.first().is_some_and(|first| first == "--split");
    if split {
        arguments.remove(0);
    }
    let [name, module, directory] = &arguments[..] else {
        bail!(USAGE);
    };
    let (module, directory) = (Path::new(module), Path::new(directory));
    fs::create_dir_all(directory)
        .with_context(|| format!("cannot create {}", directory.display()))?;
    let main_module =
        if split { split_module(name, module, directory)? } else { module.to_owned() };
    Bindgen::new()
        .web(true)?
        .typescript(false)
        // The verifier loads its module from the address of its script.
        .omit_default_module_path(false)
        .keep_lld_exports(split)
        .demangle(!split)
        .input_path(&main_module)
        .out_name(name)
        .generate(directory)?;
    if split {
        // The hydration script of Leptos requests this name.
        fs::rename(
            directory.join(format!("{name}_bg.wasm")),
            directory.join(format!("{name}.wasm")),
        )?;
    }
    Ok(())
}

/// Writes the lazy parts of a module and their manifest to the directory. Returns the path of the main module, which
/// lies next to the input.
fn split_module(name: &str, module: &Path, directory: &Path) -> Result<PathBuf> {
    let input = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    let main_module = module.with_file_name(format!("{name}_split.wasm"));
    let loader = format!("./{name}.js");
    let mut options = wasm_split_cli_support::Options::new(&input);
    options.output_dir = directory;
    options.main_out_path = &main_module;
    options.main_module = &loader;
    // The import that the macro of `leptos::lazy` writes into the module.
    options.link_name = "./__wasm_split.______________________.js";
    let parts = wasm_split_cli_support::transform(options).map_err(anyhow::Error::msg)?;
    fs::write(
        directory.join("__wasm_split_manifest.json"),
        serde_json::to_string_pretty(&parts.prefetch_map)?,
    )?;
    Ok(main_module)
}
