//! `govern doctor`.

use anyhow::{Result, ensure};
use clap::Args;

use crate::{
    command::{
        admin::{OutputForm, print_result},
        variables,
    },
    config::{ServeConfig, StoreConfig},
    doctor::{Examination, Finding, Status},
};

/// Arguments of `govern doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    serve: ServeConfig,
    /// Send a test mail to this address. Without it, the mail server is only greeted.
    #[arg(long, value_name = "ADDRESS")]
    send_test_mail: Option<String>,
    #[command(flatten)]
    json: OutputForm,
}

pub(crate) async fn run(store: StoreConfig, args: DoctorArgs) -> Result<()> {
    let examination = Examination {
        store: &store,
        serve: &args.serve,
        variables: std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect(),
        known_variables: variables(),
        test_mail: args.send_test_mail.as_deref(),
    };
    let findings = examination.run().await;
    print_result(args.json, &serde_json::json!({"items": findings}), || {
        findings.iter().map(Finding::line).collect::<Vec<_>>().join("\n")
    })?;
    let failed = findings.iter().filter(|finding| finding.status == Status::Failed).count();
    ensure!(failed == 0, "{failed} of {} checks failed", findings.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_all_commands_are_known() {
        let known = variables();
        for name in ["GOVERN_DATA_DIR", "GOVERN_PUBLIC_URL", "GOVERN_LOG", "DATABASE_URL"] {
            assert!(known.iter().any(|known| known == name), "{name}");
        }
        assert!(!known.iter().any(|known| known == "GOVERN_PUBLIC_URI"));
    }
}
