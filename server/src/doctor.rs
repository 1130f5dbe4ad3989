//! Checks of a deployment for operators: settings, machine, keys, database, log, mail and Redis. Nothing is changed,
//! except that a private database is started while it is examined.

mod database;
mod machine;
mod settings;
mod signing_keys;
mod transports;

use contract::time::Timestamp;
use governance::base::clock::Clock;
use serde::Serialize;

use crate::config::{ServeConfig, StoreConfig};

contract::named_enum! {
    /// The result of one check.
    #[derive(Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Status {
        Ok = "OK",
        /// The service works, and something needs attention.
        Warning = "WARNING",
        /// The service does not start, does not work, or does not protect its data.
        Failed = "FAILED",
    }
}

/// What one check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was checked, such as `database`.
    pub area: &'static str,
    pub status: Status,
    pub message: String,
    /// What to do. Absent if all is well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
}

impl Finding {
    fn ok(area: &'static str, message: impl Into<String>) -> Self {
        Self { area, status: Status::Ok, message: message.into(), action: None }
    }

    fn warning(area: &'static str, message: impl Into<String>, action: impl Into<String>) -> Self {
        let (message, action) = (message.into(), Some(action.into()));
        Self { area, status: Status::Warning, message, action }
    }

    fn failed(area: &'static str, message: impl Into<String>, action: impl Into<String>) -> Self {
        let (message, action) = (message.into(), Some(action.into()));
        Self { area, status: Status::Failed, message, action }
    }

    /// Returns the finding as a line.
    pub fn line(&self) -> String {
        let Self { area, status, message, action } = self;
        let action = action.as_ref().map(|action| format!("; {action}")).unwrap_or_default();
        format!("{:<9}{area:<14}{message}{action}", status.as_str())
    }
}

/// What is examined.
#[derive(Debug)]
pub struct Examination<'a> {
    pub store: &'a StoreConfig,
    pub serve: &'a ServeConfig,
    /// The names of the environment variables of the process.
    pub variables: Vec<String>,
    /// The names of the variables that the program reads.
    pub known_variables: Vec<String>,
    /// The address that gets a test mail.
    pub test_mail: Option<&'a str>,
}

impl Examination<'_> {
    /// Runs all checks.
    pub async fn run(&self) -> Vec<Finding> {
        let Self { store, serve, .. } = self;
        let now: Timestamp = Clock::System.now();
        let mut findings = settings::check(self);
        findings.extend(machine::check(store));
        findings.extend(signing_keys::check_files(store, serve, now).await);
        findings.extend(database::check(store, serve, now).await);
        findings.extend(transports::mail(store, serve, self.test_mail).await);
        findings.extend(transports::redis(serve).await);
        findings
    }
}
