//! Policy version endpoints.

use contract::{
    id::PolicyId,
    pagination::Page,
    policy::{PolicyVersion, Ratification, ReasonBody, VersionDiff, VersionDraft, VersionPatch},
};
use governance::{
    PageRequest,
    authoring::policy::{
        rule_input::{NewVersion, VersionEdit},
        version,
    },
};
use serde_json::{Value, json};

use super::policies::rules;
use crate::edge::{
    ApiResult, Authorized, Body, Created, FromPath, FromQuery, Id, Json, JsonResult, NoContent,
    Path, Query, QueryReader, RulesBody,
};

/// The path of a policy version.
pub(super) struct Version {
    pub(super) id: PolicyId,
    pub(super) version: u32,
}

impl FromPath for Version {
    fn from_path(segments: &[String]) -> Option<Self> {
        FromPath::from_path(segments).map(|(id, version)| Self { id, version })
    }
}

/// The errors of a version transition.
pub(super) const TRANSITION_ERRORS: &[(u16, &str)] = &[
    (
        403,
        "`HUMAN_REQUIRED`, `FORBIDDEN`, `INSUFFICIENT_SCOPE`; for `ratify` also `MAKER_CHECKER_VIOLATION`.",
    ),
    (404, "The version was not found."),
    (409, "`INVALID_TRANSITION`; if a revision is expected, also `STALE_DRAFT_REVISION`."),
    (422, "`VALIDATION_ERROR`."),
];

/// Create a draft.
#[post(
    "/v1/policies/{id}/versions", WRITE_POLICIES, tag = "versions",
    audit = "policy_version.create",
    example = {
        "rules": rules(),
        "change_reason": "Raise the limit.",
        "codification": codification(),
    },
    409 = "`DRAFT_EXISTS`",
    422 = "`VALIDATION_ERROR`, `UNSUPPORTED_RULE_TYPE`, `CODIFICATION_REFUSED`",
)]
async fn create(
    cx: Authorized,
    Id(id): Id<PolicyId>,
    body: RulesBody<NewVersion, VersionDraft>,
) -> ApiResult<Created<PolicyVersion>> {
    let version = version::create(&cx, id, body.value).await?;
    Ok(Created(format!("/v1/policies/{id}/versions/{}", version.version), version))
}

/// List the versions of a policy, newest first.
///
/// Only a draft or a submitted version has its rules.
#[get("/v1/policies/{id}/versions", READ_POLICIES, tag = "versions")]
async fn list(
    cx: Authorized,
    Id(id): Id<PolicyId>,
    Query(page): Query<PageRequest>,
) -> JsonResult<Page<PolicyVersion>> {
    Ok(Json(version::list(&cx, id, &page).await?))
}

/// Read a version.
#[get("/v1/policies/{id}/versions/{version}", READ_VERSION, tag = "versions")]
async fn read(cx: Authorized, Path(at): Path<Version>) -> JsonResult<PolicyVersion> {
    Ok(Json(version::read(&cx, at.id, at.version).await?))
}

/// Edit a draft in place.
#[patch(
    "/v1/policies/{id}/versions/{version}", EDIT_DRAFT, tag = "versions",
    audit = "policy_version.edit",
    example = {"expected_revision": 1, "rules": rules()},
    409 = "`STALE_DRAFT_REVISION`, `INVALID_TRANSITION`",
    422 = "`VALIDATION_ERROR`, `UNSUPPORTED_RULE_TYPE`, `CODIFICATION_REFUSED`",
)]
async fn edit(
    cx: Authorized,
    Path(at): Path<Version>,
    body: RulesBody<VersionEdit, VersionPatch>,
) -> JsonResult<PolicyVersion> {
    Ok(Json(version::edit(&cx, at.id, at.version, body.value).await?))
}

/// Delete a draft that was never sealed.
///
/// This includes recalled and rejected drafts. The history stays in the audit log, and the version number is
/// not used again.
#[delete(
    "/v1/policies/{id}/versions/{version}", WRITE_POLICIES, tag = "versions",
    audit = "policy_version.delete",
    204 = "Deleted",
    409 = "`INVALID_TRANSITION`: `VERSION_NOT_DRAFT`, `VERSION_WAS_SEALED`",
)]
async fn delete(cx: Authorized, Path(at): Path<Version>) -> ApiResult<NoContent> {
    version::delete(&cx, at.id, at.version).await?;
    Ok(NoContent)
}

/// Compare the rules of a version with those of another version.
///
/// Without `against`, the other version is the active one, or else the preceding one. If there is none, all
/// rules are new.
#[get("/v1/policies/{id}/versions/{version}/diff", READ_POLICIES, tag = "versions")]
async fn diff(
    cx: Authorized,
    Path(at): Path<Version>,
    Query(OtherVersion(against)): Query<OtherVersion>,
) -> JsonResult<VersionDiff> {
    Ok(Json(version::diff(&cx, at.id, at.version, against).await?))
}

/// The version to compare with.
struct OtherVersion(Option<u32>);

impl FromQuery for OtherVersion {
    fn read(query: &mut QueryReader) -> Option<Self> {
        Some(Self(query.get("against", "The number of the other version")))
    }
}

/// Submit a draft for ratification.
#[post(
    "/v1/policies/{id}/versions/{version}/submit", SUBMIT, tag = "versions",
    audit = "policy_version.submit",
    errors = TRANSITION_ERRORS,
)]
async fn submit(cx: Authorized, Path(at): Path<Version>) -> JsonResult<PolicyVersion> {
    Ok(Json(version::submit(&cx, at.id, at.version).await?))
}

/// Recall a submitted version to draft.
#[post(
    "/v1/policies/{id}/versions/{version}/recall", WRITE_POLICIES, tag = "versions",
    audit = "policy_version.recall",
    errors = TRANSITION_ERRORS,
)]
async fn recall(cx: Authorized, Path(at): Path<Version>) -> JsonResult<PolicyVersion> {
    Ok(Json(version::recall(&cx, at.id, at.version).await?))
}

/// Reject a submitted version and return it to draft.
///
/// Creates a `governance_change` alert. API keys get `HUMAN_REQUIRED` while the setting `human_changes_only`
/// is on.
#[post(
    "/v1/policies/{id}/versions/{version}/reject", REJECT, tag = "versions",
    audit = "policy_version.reject",
    example = {"reason": "The limit needs a source."},
    errors = TRANSITION_ERRORS,
)]
async fn reject(
    cx: Authorized,
    Path(at): Path<Version>,
    body: Body<ReasonBody>,
) -> JsonResult<PolicyVersion> {
    Ok(Json(version::reject(&cx, at.id, at.version, body.value).await?))
}

/// Ratify a submitted version, or a draft whose current revision a reviewer accepted.
///
/// With maker-checker on, a user who helped create the version cannot ratify it, and a version with an
/// unknown maker cannot be ratified (`MAKER_UNKNOWN`). A revision for which a reviewer requested changes
/// cannot be ratified (`VERSION_RETURNED`). The approval is signed; `GET …/approval` returns it.
#[post(
    "/v1/policies/{id}/versions/{version}/ratify", RATIFY, tag = "versions",
    audit = "policy_version.ratify",
    example = {"expected_revision": 1},
    errors = TRANSITION_ERRORS,
)]
async fn ratify(
    cx: Authorized,
    Path(at): Path<Version>,
    body: Body<Ratification>,
) -> JsonResult<PolicyVersion> {
    Ok(Json(version::ratify(&cx, at.id, at.version, body.value).await?))
}

/// Activate a ratified version.
#[post(
    "/v1/policies/{id}/versions/{version}/activate", ACTIVATE, tag = "versions",
    audit = "policy_version.activate",
    errors = TRANSITION_ERRORS,
)]
async fn activate(cx: Authorized, Path(at): Path<Version>) -> JsonResult<PolicyVersion> {
    Ok(Json(version::activate(&cx, at.id, at.version).await?))
}

/// The codification of the example.
fn codification() -> Value {
    let text = "A payment to a supplier may not exceed 10,000.";
    json!({
        "source": {"document": "Payment handbook"},
        "clauses": [{"unit_id": "u1", "locator": "section 4(2)", "text": text}],
        "ledger": [{"unit_id": "u1", "disposition": "mapped", "rule_code": "PAY-LIMIT"}],
    })
}
