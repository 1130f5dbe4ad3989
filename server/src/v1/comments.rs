//! Comment endpoints.

use contract::{
    id::{CommentId, PolicyId},
    pagination::Page,
    policy::{Comment, CommentDraft},
};
use endpoint_macro::{get, post};
use governance::{PageRequest, access::permission::COMMENT, authoring::policy::version::comment};

use super::versions::Version;
use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Created, FromPath, Json, Path},
    query::Query,
};

/// The path of a comment.
#[derive(Debug)]
pub struct CommentPath {
    /// The ID of the policy.
    id: PolicyId,
    /// The number of the version.
    version: u32,
    /// The ID of the comment.
    comment_id: CommentId,
}

impl FromPath for CommentPath {
    fn from_path(segments: &[String]) -> Option<Self> {
        let [id, version, comment_id] = segments else { return None };
        Some(Self {
            id: id.parse().ok()?,
            version: version.parse().ok()?,
            comment_id: comment_id.parse().ok()?,
        })
    }
}

/// List the comments on a version, newest first.
///
/// It contains the first entries of threads and their replies. Comments of review records are first entries.
#[get("/v1/policies/{id}/versions/{version}/comments", COMMENT, tag = "reviews")]
pub async fn list(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    Query(page): Query<PageRequest>,
) -> ApiResult<Json<Page<Comment>>> {
    Ok(Json(comment::list(&cx, id, version, &page).await?))
}

/// Comment on a version, or reply to a comment.
///
/// Threads have one level: a reply to a reply belongs to the same thread, and its `in_reply_to` is the first
/// entry. A comment can be written in any status of the version. It is not part of any signed statement.
#[post(
    "/v1/policies/{id}/versions/{version}/comments", COMMENT, tag = "reviews",
    audit = "comment.create",
    example = {
        "rule_code": "PAY-LIMIT", "text": "Is the limit per day? @ada@acme.example",
    },
)]
pub async fn create(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    body: Body<CommentDraft>,
) -> ApiResult<Created<Comment>> {
    let comment = comment::create(&cx, id, version, body.value).await?;
    Ok(Created(format!("/v1/policies/{id}/versions/{version}/comments"), comment))
}

/// Resolve the thread of a comment.
///
/// Resolving it again changes nothing and returns who resolved it first.
#[post(
    "/v1/policies/{id}/versions/{version}/comments/{comment_id}/resolve", COMMENT, tag = "reviews",
    audit = "comment.resolve",
    409 = "`CONFLICT`: the comment is a reply.",
)]
pub async fn resolve(
    Authorized(cx): Authorized,
    Path(CommentPath { id, version, comment_id }): Path<CommentPath>,
) -> ApiResult<Json<Comment>> {
    Ok(Json(comment::resolve(&cx, id, version, comment_id).await?))
}

/// Reopen the resolved thread of a comment.
///
/// Reopening an open thread changes nothing.
#[post(
    "/v1/policies/{id}/versions/{version}/comments/{comment_id}/reopen", COMMENT, tag = "reviews",
    audit = "comment.reopen",
    409 = "`CONFLICT`: the comment is a reply.",
)]
pub async fn reopen(
    Authorized(cx): Authorized,
    Path(CommentPath { id, version, comment_id }): Path<CommentPath>,
) -> ApiResult<Json<Comment>> {
    Ok(Json(comment::reopen(&cx, id, version, comment_id).await?))
}
