//! `govern log`: the trees of the transparency log.

use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Subcommand;
use governance::log::{self, TreeRecord};

use crate::{
    command::admin::{open, tell, told},
    config::StoreConfig,
    database::Tenure,
    log_memory::MemoryFile,
};

/// `govern log`.
#[derive(Debug, Subcommand)]
pub enum LogCommand {
    /// Show the trees, oldest first; the last one is open.
    Show {
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Freeze the open tree and begin one with another origin: the way out when nothing may be signed
    /// any more, as after a restore. `govern trust rotate` lists the new tree next.
    Freeze {
        /// The origin of the tree that begins; without it the number at the end of the old one rises.
        #[arg(long, value_parser = crate::config::log_origin)]
        origin: Option<String>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

pub(crate) async fn run(store: StoreConfig, command: LogCommand) -> Result<()> {
    let opened = open(&store, Tenure::Command).await?;
    let cx = opened.governance.operator();
    let answer = match &command {
        LogCommand::Show { json } => log::show(&cx).await.map(|trees| (*json, trees)),
        LogCommand::Freeze { origin, json } => {
            let memory = Arc::new(MemoryFile::of(&store.data_dir));
            let begun = log::freeze(&cx, memory, origin.as_deref()).await;
            begun.map(|tree| (*json, vec![tree]))
        }
    };
    opened.close().await?;
    let (json, trees) = answer.map_err(told)?;
    let lines: Vec<String> = trees.iter().map(line).collect();
    match command {
        LogCommand::Show { .. } => {
            let items = serde_json::json!({"items": trees});
            tell(json, &items, || lines.join("\n"))
        }
        LogCommand::Freeze { .. } => {
            let begun = trees.first().context("a tree was begun")?;
            tell(json, begun, || format!("{}\n{LISTED_NEXT}", lines.join("\n")))
        }
    }
}

/// What is left to do once a tree has begun: until then verifiers do not know its key.
const LISTED_NEXT: &str = "next: `govern trust rotate` lists this tree in the trust registry";

fn line(tree: &TreeRecord) -> String {
    let TreeRecord { origin, tree_id, vkey, size, root, state, .. } = tree;
    format!("{state}  {origin}  {size} entries, root {root}\n  tree id {tree_id}\n  key {vkey}")
}
