//! Configuration of outbound calls to addresses that users choose (`docs/ADDRESSES.md`).

use clap::Args;
use governance::notify::outbound_policy::{AddressPolicy, AllowList, OutboundPolicy};

use super::Environment;
use crate::outbound::SystemNames;

/// Settings of the addresses that webhooks may call in addition to public ones.
#[derive(Clone, Debug, Default, Args)]
pub struct OutboundConfig {
    /// CIDR blocks of non-public addresses that webhooks may call, separated by commas.
    #[arg(long, env = "GOVERN_WEBHOOK_ALLOW_CIDRS", default_value = "")]
    pub webhook_allow_cidrs: AllowList,
    /// Allow webhooks to call those blocks over `http://`. On by default in development, off in
    /// production.
    #[arg(long, env = "GOVERN_WEBHOOK_ALLOW_HTTP", value_parser = super::switch)]
    pub webhook_allow_http: Option<bool>,
}

impl OutboundConfig {
    pub fn policy(&self, environment: Environment) -> OutboundPolicy {
        let allows_http =
            self.webhook_allow_http.unwrap_or(environment == Environment::Development);
        let rule =
            AddressPolicy::Public { allow_list: self.webhook_allow_cidrs.clone(), allows_http };
        OutboundPolicy::new(rule, SystemNames)
    }
}
