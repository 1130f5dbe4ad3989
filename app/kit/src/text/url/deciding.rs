//! Addresses of decisions, chains and alerts.

use contract::id::{AlertId, ChainId, DecisionId, PolicyId, TenantId};

use super::query::with_query;

/// Returns the address of the decision list with the decisions that a policy was evaluated for.
pub fn decisions_by(tenant: TenantId, id: PolicyId) -> String {
    with_query(&decisions(tenant), &[("policy", &id.to_string())])
}

pub fn decisions(tenant: TenantId) -> String {
    format!("/t/{tenant}/decisions")
}

/// Returns the address of the decision list with the filters of a query string.
pub fn kept_filter(tenant: TenantId, query: &str) -> String {
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}{mark}{query}", decisions(tenant))
}

/// The address that receives the form of an export.
pub const EXPORT: &str = "/console/export";

/// Returns the address of the form of an export.
pub fn export_page(tenant: TenantId) -> String {
    format!("{}/export", decisions(tenant))
}

pub fn decision(tenant: TenantId, id: DecisionId) -> String {
    format!("/t/{tenant}/decisions/{id}")
}

pub fn outcome(tenant: TenantId, id: DecisionId) -> String {
    format!("/t/{tenant}/decisions/{id}/outcome")
}

/// Returns the address of the contents of a decision's bundle.
pub fn bundle(tenant: TenantId, id: DecisionId) -> String {
    format!("/t/{tenant}/decisions/{id}/bundle")
}

/// Returns the address of the bundle of a decision as an archive. It is public for callers who know the ID.
pub fn archive(id: DecisionId) -> String {
    format!("/v1/receipts/{id}/bundle")
}

pub fn alerts(tenant: TenantId) -> String {
    format!("/t/{tenant}/alerts")
}

pub fn alert(tenant: TenantId, id: AlertId) -> String {
    format!("/t/{tenant}/alerts/{id}")
}

pub fn acknowledge(tenant: TenantId) -> String {
    format!("/t/{tenant}/alerts/acknowledge")
}

pub fn assign(tenant: TenantId) -> String {
    format!("{}/assign", alerts(tenant))
}

pub fn snooze(tenant: TenantId) -> String {
    format!("{}/snooze", alerts(tenant))
}

/// The pages that show a posted selection, as routes.
pub const POSTED_PAGES: [&str; 3] =
    ["/t/{tenant}/alerts/acknowledge", "/t/{tenant}/alerts/assign", "/t/{tenant}/alerts/snooze"];

/// Returns the address of the dry run of a context.
pub fn try_page(tenant: TenantId) -> String {
    format!("/t/{tenant}/try")
}

/// Returns the address of the dry run of the context of a decision.
pub fn try_again(tenant: TenantId, id: DecisionId) -> String {
    with_query(&try_page(tenant), &[("from", &id.to_string())])
}

pub fn chains(tenant: TenantId) -> String {
    format!("/t/{tenant}/chains")
}

pub fn chain(tenant: TenantId, id: ChainId) -> String {
    format!("/t/{tenant}/chains/{id}")
}

/// Returns the address of the decision list with the decisions of a chain.
pub fn decisions_of(tenant: TenantId, id: ChainId) -> String {
    with_query(&decisions(tenant), &[("chain", &id.to_string())])
}

pub fn chain_archive(id: ChainId) -> String {
    format!("/v1/chains/{id}/bundle")
}
