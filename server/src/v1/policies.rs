//! Policy endpoints.

use contract::{
    error::ErrorBody,
    id::PolicyId,
    pagination::Page,
    policy::{Policy, PolicyCreated, PolicyDraft, PolicyFilter, PolicyPatch, ReasonBody},
};
use governance::{
    PageRequest,
    authoring::policy::{self, VersionSelector, rule_input::NewPolicy},
};
use http::StatusCode;

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Created, Json, Path},
    query::{FromQuery, NoQuery, Query, QueryReader, string_pattern},
};

/// Create a policy, and its first version if `rules` are present.
#[utoipa::path(
    post, path = "/v1/policies", tag = "policies", request_body = PolicyDraft,
    responses(
        (status = 201, body = PolicyCreated),
        (status = 409, description = "`DUPLICATE_CODE`", body = ErrorBody),
        (
            status = 422, body = ErrorBody,
            description = "`VALIDATION_ERROR`, `UNSUPPORTED_RULE_TYPE`, `CODIFICATION_REFUSED`",
        ),
    )
)]
pub async fn create(
    Authorized(cx): Authorized,
    body: Body<NewPolicy>,
) -> ApiResult<Created<PolicyCreated>> {
    let created = policy::create(&cx, body.value).await?;
    Ok(Created(format!("/v1/policies/{}", created.policy.id), created))
}

/// List policies, newest first.
#[utoipa::path(
    get, path = "/v1/policies", tag = "policies",
    params(Query<(PolicyFilter, PageRequest)>),
    responses((status = 200, body = Page<Policy>))
)]
pub async fn list(
    Authorized(cx): Authorized,
    Query((filter, page)): Query<(PolicyFilter, PageRequest)>,
) -> ApiResult<Json<Page<Policy>>> {
    Ok(Json(policy::list(&cx, filter, &page).await?))
}

impl FromQuery for PolicyFilter {
    fn read(query: &mut QueryReader) -> Option<Self> {
        let q = "Only policies whose code or name contains this text";
        let decision_type = "Only policies for this decision type";
        let is_active = "Only policies with (`true`) or without (`false`) an active version";
        let shadow_mode = "Only policies in shadow mode (`true`) or not (`false`)";
        Some(Self {
            q: query.text("q", 200, q),
            decision_type: query.text("decision_type", 100, decision_type),
            policy_group_id: query.id("policy_group_id", "Only policies of this group"),
            is_active: query.boolean("is_active", is_active),
            shadow_mode: query.boolean("shadow_mode", shadow_mode),
        })
    }
}

/// Read a policy.
///
/// Includes the version that `version` selects.
#[utoipa::path(
    get, path = "/v1/policies/{id}", tag = "policies",
    params(Query<Option<VersionSelector>>),
    responses((status = 200, body = Policy))
)]
pub async fn read(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyId,)>,
    Query(version): Query<Option<VersionSelector>>,
) -> ApiResult<Json<Policy>> {
    Ok(Json(policy::read(&cx, id, version).await?))
}

/// Change the settings of a policy, which are independent of its versions.
///
/// Changes of `shadow_mode`, `decision_types`, `inheritable` and `policy_group_id` of an active policy affect
/// its verdicts. They require the session of a ratifier, or a key if the setting `human_changes_only` is off
/// (`HUMAN_REQUIRED`). Such a change creates a `governance_change` alert and applies from the next evaluation
/// on.
#[utoipa::path(
    patch, path = "/v1/policies/{id}", tag = "policies", request_body = PolicyPatch,
    responses(
        (status = 200, body = Policy),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
        (status = 409, description = "`CONFLICT`: too many rules would govern a decision type", body = ErrorBody),
    )
)]
pub async fn edit(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyId,)>,
    body: Body<PolicyPatch>,
) -> ApiResult<Json<Policy>> {
    Ok(Json(policy::edit(&cx, id, body.value, None).await?))
}

/// Delete a policy without a ratified version.
#[utoipa::path(
    delete, path = "/v1/policies/{id}", tag = "policies",
    responses(
        (status = 204, description = "Deleted with its versions"),
        (
            status = 409, body = ErrorBody,
            description = "`INVALID_TRANSITION` with the reason `POLICY_HAS_HISTORY`",
        ),
    )
)]
pub async fn delete(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyId,)>,
    _: NoQuery,
) -> ApiResult<StatusCode> {
    policy::delete(&cx, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deactivate a policy.
///
/// Creates a `governance_change` alert. API keys get `HUMAN_REQUIRED` while the setting `human_changes_only`
/// is on.
#[utoipa::path(
    post, path = "/v1/policies/{id}/deactivate", tag = "policies", request_body = ReasonBody,
    responses(
        (status = 200, body = Policy),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
        (status = 409, description = "`INVALID_TRANSITION`", body = ErrorBody),
    )
)]
pub async fn deactivate(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyId,)>,
    body: Body<ReasonBody>,
) -> ApiResult<Json<Policy>> {
    Ok(Json(policy::deactivate(&cx, id, body.value, None).await?))
}

impl FromQuery for Option<VersionSelector> {
    fn read(query: &mut QueryReader) -> Option<Self> {
        let expected = "`active`, `draft`, or a number";
        let schema = || string_pattern("^(active|draft|[1-9][0-9]{0,8})$");
        let description = "The version to include: `active`, `draft` or a number";
        let version = query.parsed::<VersionParameter>("version", expected, schema, description);
        Some(version.map(|version| version.0))
    }
}

/// The value of the parameter `version`: `active`, `draft`, or a number.
struct VersionParameter(VersionSelector);

impl std::str::FromStr for VersionParameter {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(match text {
            "active" => VersionSelector::Active,
            "draft" => VersionSelector::Draft,
            number => VersionSelector::Number(number.parse::<std::num::NonZeroU32>()?.get()),
        }))
    }
}
