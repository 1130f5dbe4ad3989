//! Checks of the settings. Settings that cannot be parsed end the program before.

use super::{Examination, Finding};
use crate::{
    config::{Environment, ServeConfig, StoreConfig},
    rekor,
};

const AREA: &str = "settings";

/// The prefix of the variables of this program.
const PREFIX: &str = "GOVERN_";

pub(super) fn check(examination: &Examination<'_>) -> Vec<Finding> {
    let Examination { store, serve, variables, known_variables, .. } = examination;
    let mut findings = Vec::new();
    let is_unknown = |name: &&String| name.starts_with(PREFIX) && !known_variables.contains(name);
    for name in variables.iter().filter(is_unknown) {
        let action = "correct the name, or remove the variable; `govern serve --help` lists them";
        findings.push(Finding::warning(AREA, format!("{name} is not a setting"), action));
    }
    findings.extend(errors(store, serve));
    if store.environment == Environment::Production {
        findings.extend(of_production(store, serve));
    } else {
        findings.push(Finding::warning(
            AREA,
            "the environment is `development`, in which missing keys are created",
            "set GOVERN_ENV=production for a service that others use",
        ));
    }
    if findings.is_empty() {
        findings.push(Finding::ok(AREA, format!("{} in production", serve.url())));
    }
    findings
}

/// Returns the errors with which the service would not start.
fn errors(store: &StoreConfig, serve: &ServeConfig) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut failed = |message: String| {
        findings.push(Finding::failed(
            AREA,
            message,
            "correct the setting; the service does not start",
        ));
    };
    if let Err(error) = serve.check_public_url(store.environment) {
        failed(format!("{error:#}"));
    }
    if serve.database_read_url.is_some() && store.database_url.is_none() {
        failed("GOVERN_DATABASE_READ_URL requires DATABASE_URL".to_owned());
    }
    if let Err(error) = crate::mail::from_config(&serve.mail, store) {
        failed(format!("{error:#}"));
    }
    if let Err(error) = rekor::from_config(serve) {
        failed(format!("{error:#}"));
    }
    findings
}

/// Returns what a production service should have.
fn of_production(store: &StoreConfig, serve: &ServeConfig) -> Vec<Finding> {
    let settings = [
        (
            serve.edge.metrics_token.is_none(),
            "GOVERN_METRICS_TOKEN is not set, so /metrics refuses every caller",
            "set it, and give it to Prometheus",
        ),
        (
            store.allow_unsigned,
            "GOVERN_ALLOW_UNSIGNED permits records without signatures",
            "create keys with `govern keys init`, and remove the setting",
        ),
        (serve.demo, "GOVERN_DEMO has no effect in production", "remove the setting"),
        (
            serve.rekor_url.is_some() && serve.rekor_key_file.is_none(),
            "GOVERN_REKOR_KEY_FILE is not set, so the checkpoints of the Rekor instance are not verified",
            "set it to the public key of the instance",
        ),
        (
            store.database_url.is_none(),
            "the database is the private PostgreSQL, which has no replica and no point-in-time recovery",
            "set DATABASE_URL, or accept to lose what was recorded since the last backup",
        ),
    ];
    let warnings = settings.into_iter().filter(|(is_set, ..)| *is_set);
    warnings.map(|(_, message, action)| Finding::warning(AREA, message, action)).collect()
}
