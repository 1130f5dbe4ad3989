//! Calls of all endpoints: paths with IDs, and the example bodies of their descriptions.

use governance::access::permission::Permission;
use serde_json::{Value, json};
use server::router::{Endpoint, endpoints};

use crate::{
    client::{Call, Client},
    described,
};

/// The IDs in paths.
#[derive(Clone, Debug)]
pub(crate) struct Ids {
    pub(crate) policy: String,
    pub(crate) decision: String,
    pub(crate) group: String,
    pub(crate) member: String,
    pub(crate) submission: String,
    pub(crate) chain: String,
}

impl Ids {
    /// The same ID for all resources.
    pub(crate) fn all(id: &str) -> Self {
        let [policy, decision, group, member, submission, chain] = [(); 6].map(|()| id.to_owned());
        Self { policy, decision, group, member, submission, chain }
    }

    /// IDs that do not exist.
    pub(crate) fn missing() -> Self {
        Self::all("00000000-0000-4000-8000-000000000000")
    }
}

/// The endpoints that require an authenticated caller and a permission.
pub(crate) fn guarded() -> impl Iterator<Item = (Endpoint, Permission)> {
    endpoints().into_iter().filter_map(|route| Some((route, route.permission()?)))
}

/// The method of an endpoint and its path without `/v1/`.
pub(crate) fn name(route: &Endpoint) -> String {
    format!("{} {}", route.method, route.path.trim_start_matches("/v1/"))
}

/// The path of an endpoint with IDs and its required parameters.
pub(crate) fn path(route: &Endpoint, ids: &Ids) -> String {
    let list = route.path.split('/').nth(2);
    let segments = route.path.split('/').map(|segment| match segment {
        "{version}" => "1",
        "{path}" => "0/000",
        "{submission_id}" => &ids.submission,
        "{chain_id}" => &ids.chain,
        "{user_id}" | "{tenant_id}" => &ids.member,
        "{id}" if list == Some("policies") => &ids.policy,
        "{id}" if list == Some("policy-groups") => &ids.group,
        parameter if parameter.starts_with('{') => &ids.decision,
        segment => segment,
    });
    let path = segments.collect::<Vec<&str>>().join("/");
    match route.path {
        "/v1/decisions/export" => format!("{path}?{EVER}"),
        // An authorized caller receives an error for this filter instead of an endless stream.
        "/v1/decisions/stream" => format!("{path}?decision=NONE"),
        _ => path,
    }
}

/// A time range that includes every decision.
pub(crate) const EVER: &str = "recorded_from=2000-01-01T00:00:00Z&recorded_to=2100-01-01T00:00:00Z";

pub(crate) fn call(client: &Client, route: &Endpoint, ids: &Ids) -> Call {
    let call = client.call(route.method, path(route, ids));
    match body(route) {
        Some(body) => call.json(&body),
        None => call,
    }
}

/// A valid body of an endpoint, or `None` for methods without a body.
pub(crate) fn body(route: &Endpoint) -> Option<Value> {
    if route.path == "/v1/admin/members/invite" {
        // An API key can invite viewers only.
        return Some(json!({"email": "unknown@acme.example"}));
    }
    let content = &described::operation(route)["requestBody"]["content"]["application/json"];
    content.get("example").cloned()
}
