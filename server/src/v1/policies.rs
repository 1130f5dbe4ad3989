//! Policy endpoints.

use contract::{
    id::PolicyId,
    pagination::Page,
    policy::{Policy, PolicyCreated, PolicyDraft, PolicyFilter, PolicyPatch, ReasonBody},
};
use governance::{
    PageRequest,
    authoring::policy::{self, VersionSelector, rule_input::NewPolicy},
};
use serde_json::{Value, json};

use crate::edge::{
    ApiResult, Authorized, Body, Created, Filters, FromQuery, Id, Json, JsonResult, NoContent,
    Query, QueryReader, RulesBody, query::string_pattern,
};

/// Create a policy, and its first version if `rules` are present.
#[post(
    "/v1/policies", WRITE_POLICIES, audit = "policy.create",
    example = {
        "code": "PAYMENTS",
        "name": "Payments to suppliers",
        "decision_types": ["payment"],
        "rules": rules(),
    },
    409 = "`DUPLICATE_CODE`",
    422 = "`VALIDATION_ERROR`, `UNSUPPORTED_RULE_TYPE`, `CODIFICATION_REFUSED`",
)]
async fn create(
    cx: Authorized,
    body: RulesBody<NewPolicy, PolicyDraft>,
) -> ApiResult<Created<PolicyCreated>> {
    let created = policy::create(&cx, body.value).await?;
    Ok(Created(format!("/v1/policies/{}", created.policy.id), created))
}

/// List policies, newest first.
#[get("/v1/policies", READ_POLICIES)]
async fn list(
    cx: Authorized,
    Query((Filters(filter), page)): Query<(Filters<PolicyFilter>, PageRequest)>,
) -> JsonResult<Page<Policy>> {
    Ok(Json(policy::list(&cx, filter, &page).await?))
}

/// Read a policy.
///
/// Includes the version that `version` selects.
#[get("/v1/policies/{id}", READ_POLICIES)]
async fn read(
    cx: Authorized,
    Id(id): Id<PolicyId>,
    Query(version): Query<Option<VersionSelector>>,
) -> JsonResult<Policy> {
    Ok(Json(policy::read(&cx, id, version).await?))
}

/// Change the settings of a policy, which are independent of its versions.
///
/// Changes of `shadow_mode`, `decision_types`, `inheritable` and `policy_group_id` of an active policy affect
/// its verdicts. They require the session of a ratifier, or a key if the setting `human_changes_only` is off
/// (`HUMAN_REQUIRED`). Such a change creates a `governance_change` alert and applies from the next evaluation
/// on.
#[patch(
    "/v1/policies/{id}", WRITE_POLICIES, audit = "policy.edit",
    example = {"name": "Payments to suppliers and staff"},
    403 = "`HUMAN_REQUIRED`, `FORBIDDEN`",
    409 = "`CONFLICT`: too many rules would govern a decision type",
)]
async fn edit(cx: Authorized, Id(id): Id<PolicyId>, body: Body<PolicyPatch>) -> JsonResult<Policy> {
    Ok(Json(policy::edit(&cx, id, body.value, None).await?))
}

/// Delete a policy without a ratified version.
#[delete(
    "/v1/policies/{id}", WRITE_POLICIES, audit = "policy.delete",
    204 = "Deleted with its versions",
    409 = "`INVALID_TRANSITION` with the reason `POLICY_HAS_HISTORY`",
)]
async fn delete(cx: Authorized, Id(id): Id<PolicyId>) -> ApiResult<NoContent> {
    policy::delete(&cx, id).await?;
    Ok(NoContent)
}

/// Deactivate a policy.
///
/// Creates a `governance_change` alert. API keys get `HUMAN_REQUIRED` while the setting `human_changes_only`
/// is on.
#[post(
    "/v1/policies/{id}/deactivate", DEACTIVATE, audit = "policy.deactivate",
    example = {"reason": "Replaced by PAYMENTS-2."},
    403 = "`HUMAN_REQUIRED`, `FORBIDDEN`",
    409 = "`INVALID_TRANSITION`",
)]
async fn deactivate(
    cx: Authorized,
    Id(id): Id<PolicyId>,
    body: Body<ReasonBody>,
) -> JsonResult<Policy> {
    Ok(Json(policy::deactivate(&cx, id, body.value, None).await?))
}

impl FromQuery for Option<VersionSelector> {
    fn read(query: &mut QueryReader) -> Option<Self> {
        let expected = "`active`, `draft`, or a number";
        let schema = || string_pattern("^(active|draft|[1-9][0-9]{0,8})$");
        let description = "The version to include: `active`, `draft` or a number";
        Some(query.parsed("version", expected, schema, description, version_selector))
    }
}

fn version_selector(text: &str) -> Option<VersionSelector> {
    Some(match text {
        "active" => VersionSelector::Active,
        "draft" => VersionSelector::Draft,
        number => VersionSelector::Number(number.parse::<std::num::NonZeroU32>().ok()?.get()),
    })
}

/// The rules of the examples.
pub(super) fn rules() -> Value {
    json!([{
        "code": "PAY-LIMIT",
        "name": "Payments are at most 10,000",
        "rule_type": "threshold",
        "condition": {"field": "amount", "max": 10_000},
        "severity": "high",
    }])
}
