//! `govern log`: the trees of the transparency log.

use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Subcommand;
use governance::proof::transparency_log::{self, TreeInfo};

use crate::{
    command::admin::{OutputForm, command_error, open, print_result},
    config::StoreConfig,
    rollback_guard_file::RollbackGuardFile,
};
use local_postgres::OwnerKind;

/// `govern log`.
#[derive(Debug, Subcommand)]
pub enum LogCommand {
    /// Show the trees, oldest first. The last one is open.
    Show {
        #[command(flatten)]
        json: OutputForm,
    },
    /// Freeze the open tree and start one with a new origin. Use it if the log has halted, for example after
    /// a restore. Run `govern trust rotate` next to list the new tree.
    Freeze {
        /// The origin of the new tree. Without it, the number at the end of the old origin is incremented.
        #[arg(long, value_parser = crate::config::log_origin)]
        origin: Option<String>,
        #[command(flatten)]
        json: OutputForm,
    },
}

pub(crate) async fn run(store: StoreConfig, command: LogCommand) -> Result<()> {
    let service = open(&store, OwnerKind::Command).await?;
    let cx = service.governance.operator();
    let result = match &command {
        LogCommand::Show { json } => transparency_log::show(&cx).await.map(|trees| (*json, trees)),
        LogCommand::Freeze { origin, json } => {
            let rollback_guard = Arc::new(RollbackGuardFile::new(&store.data_dir));
            let created = transparency_log::freeze(&cx, rollback_guard, origin.as_deref()).await;
            created.map(|tree| (*json, vec![tree]))
        }
    };
    service.close().await?;
    let (json, trees) = result.map_err(command_error)?;
    let lines: Vec<String> = trees.iter().map(line).collect();
    match command {
        LogCommand::Show { .. } => {
            let items = serde_json::json!({"items": trees});
            print_result(json, &items, || lines.join("\n"))
        }
        LogCommand::Freeze { .. } => {
            let tree = trees.first().context("no tree was created")?;
            print_result(json, tree, || format!("{}\n{NEXT_STEP}", lines.join("\n")))
        }
    }
}

/// The next step after a tree was created: until the registry lists it, verifiers do not trust its key.
const NEXT_STEP: &str = "next: run `govern trust rotate` to list this tree in the trust registry";

fn line(tree: &TreeInfo) -> String {
    let TreeInfo { origin, tree_id, vkey, size, root, state, .. } = tree;
    format!("{state}  {origin}  {size} entries, root {root}\n  tree id {tree_id}\n  key {vkey}")
}
