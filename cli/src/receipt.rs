//! `govern receipt`: the public receipt or the verification bundle of a decision.

use std::path::PathBuf;

use clap::Args;
use contract::{id::DecisionId, receipt::Receipt};

use crate::{
    client::Client,
    decision::decision_id,
    exit::{Error, Exit},
    output::{self, table},
    output_file,
    profile::ConnectionArgs,
};

/// The arguments of `govern receipt`.
#[derive(Debug, Args)]
pub struct ReceiptArgs {
    /// The ID of the decision
    #[arg(value_parser = decision_id)]
    id: DecisionId,
    /// Download the verification bundle, which `govern verify` checks offline; requires --output
    #[arg(long, requires = "output")]
    bundle: bool,
    /// Write the receipt or the bundle to a file; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Wait up to 5 seconds until the receipt is anchored in the transparency log
    #[arg(long, conflicts_with = "bundle")]
    wait: bool,
    /// Print the receipt as JSON
    #[arg(long, conflicts_with = "bundle")]
    json: bool,
    #[command(flatten)]
    connection: ConnectionArgs,
}

pub(crate) async fn run(args: ReceiptArgs) -> Result<Exit, Error> {
    let client = Client::new(&args.connection.connection()?)?;
    let id = args.id.to_string();
    let reply = if args.bundle {
        client.get(["receipts", &id, "bundle"]).send().await?
    } else {
        let wait = args.wait.then_some("anchor");
        client.get(["receipts", &id]).query_if("wait_for", wait).send().await?
    };
    let output = args.output.as_ref();
    if output.is_some_and(|path| path.as_os_str() == "-") {
        output::print_bytes(&reply.body)?;
        return Ok(Exit::Success);
    }
    if let Some(path) = output {
        output_file::write(path, &reply.body)?;
    }
    if args.json {
        output::print_json(&reply.text())?;
    } else if let Some(path) = output {
        output::print(&format!("wrote {}: {} bytes", path.display(), reply.body.len()))?;
    } else {
        output::print(&text(reply.read()?))?;
    }
    Ok(Exit::Success)
}

/// Returns a receipt for people.
fn text(receipt: Receipt) -> String {
    let policy = &receipt.policy;
    let anchor =
        if receipt.transparency_anchor.is_some() { "in the transparency log" } else { "pending" };
    table(&[
        ("decision", receipt.decision_id.to_string()),
        ("verdict", output::verdict(receipt.result.decision)),
        ("policy", format!("{} version {}", policy.code, policy.version)),
        ("evaluated", receipt.result.timestamp.to_string()),
        ("signing key", receipt.signature_kid.unwrap_or_else(|| "unsigned".to_owned())),
        ("anchor", anchor.to_owned()),
        ("context digest", receipt.context_digest),
    ])
}
