//! Where others may have the service call (`docs/ADDRESSES.md`).

use clap::Args;
use governance::destination::{AllowList, Destinations, Rule};

use super::Environment;
use crate::outbound::SystemNames;

/// What webhooks may call besides public addresses.
#[derive(Clone, Debug, Default, Args)]
pub struct OutboundConfig {
    /// Blocks of addresses that webhooks may call although they are not public, with commas between them.
    #[arg(long, env = "GOVERN_WEBHOOK_ALLOW_CIDRS", default_value = "")]
    pub webhook_allow_cidrs: AllowList,
    /// Call those blocks over `http://` too; without it, on in development and off in production.
    #[arg(long, env = "GOVERN_WEBHOOK_ALLOW_HTTP", value_parser = super::switch)]
    pub webhook_allow_http: Option<bool>,
}

impl OutboundConfig {
    /// Where others may have the service call.
    pub fn destinations(&self, environment: Environment) -> Destinations {
        let has_http = self.webhook_allow_http.unwrap_or(environment == Environment::Development);
        let rule = Rule::Public { listed: self.webhook_allow_cidrs.clone(), has_http };
        Destinations::new(rule, SystemNames)
    }
}
