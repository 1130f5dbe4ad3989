//! Addresses of decisions, chains and alerts.

use contract::id::{AlertId, ChainId, DecisionId, PolicyId, TenantId};

use super::query::with_query;

/// Returns the address of the decision list with the decisions that a policy was evaluated for.
pub fn decisions_by(tenant: TenantId, id: PolicyId) -> String {
    with_query(&decisions(tenant), &[("policy", &id.to_string())])
}

addresses! {
    decisions(tenant: TenantId) = "/t/{tenant}/decisions";
    /// Returns the address of the form of an export.
    export_page(tenant: TenantId) = "/t/{tenant}/decisions/export";
    decision(tenant: TenantId, id: DecisionId) = "/t/{tenant}/decisions/{id}";
    outcome(tenant: TenantId, id: DecisionId) = "/t/{tenant}/decisions/{id}/outcome";
    /// Returns the address of the contents of a decision's bundle.
    bundle(tenant: TenantId, id: DecisionId) = "/t/{tenant}/decisions/{id}/bundle";
    /// Returns the address of the bundle of a decision as an archive. It is public for callers who know the ID.
    archive(id: DecisionId) = "/v1/receipts/{id}/bundle";
    alerts(tenant: TenantId) = "/t/{tenant}/alerts";
    alert(tenant: TenantId, id: AlertId) = "/t/{tenant}/alerts/{id}";
    acknowledge(tenant: TenantId) = "/t/{tenant}/alerts/acknowledge";
    assign(tenant: TenantId) = "/t/{tenant}/alerts/assign";
    snooze(tenant: TenantId) = "/t/{tenant}/alerts/snooze";
    /// Returns the address of the dry run of a context.
    try_page(tenant: TenantId) = "/t/{tenant}/try";
    chains(tenant: TenantId) = "/t/{tenant}/chains";
    chain(tenant: TenantId, id: ChainId) = "/t/{tenant}/chains/{id}";
    chain_archive(id: ChainId) = "/v1/chains/{id}/bundle";
}

/// Returns the address of the decision list with the filters of a query string.
pub fn kept_filter(tenant: TenantId, query: &str) -> String {
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}{mark}{query}", decisions(tenant))
}

/// The address that receives the form of an export.
pub const EXPORT: &str = "/console/export";

/// The pages that show a posted selection, as routes.
pub const POSTED_PAGES: [&str; 3] =
    ["/t/{tenant}/alerts/acknowledge", "/t/{tenant}/alerts/assign", "/t/{tenant}/alerts/snooze"];

/// Returns the address of the dry run of the context of a decision.
pub fn try_again(tenant: TenantId, id: DecisionId) -> String {
    with_query(&try_page(tenant), &[("from", &id.to_string())])
}

/// Returns the address of the decision list with the decisions of a chain.
pub fn decisions_of(tenant: TenantId, id: ChainId) -> String {
    with_query(&decisions(tenant), &[("chain", &id.to_string())])
}
