//! Comment endpoints.

use contract::{
    id::{CommentId, PolicyId},
    pagination::Page,
    policy::{Comment, CommentDraft},
};
use governance::{PageRequest, authoring::policy::version::comment};

use super::versions::Version;
use crate::edge::{ApiResult, Authorized, Body, Created, Json, JsonResult, Path, Query};

/// List the comments on a version, newest first.
///
/// It contains the first entries of threads and their replies. Comments of review records are first entries.
#[get("/v1/policies/{id}/versions/{version}/comments", COMMENT, tag = "reviews")]
async fn list(
    cx: Authorized,
    Path(at): Path<Version>,
    Query(page): Query<PageRequest>,
) -> JsonResult<Page<Comment>> {
    Ok(Json(comment::list(&cx, at.id, at.version, &page).await?))
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
async fn create(
    cx: Authorized,
    Path(at): Path<Version>,
    body: Body<CommentDraft>,
) -> ApiResult<Created<Comment>> {
    let comment = comment::create(&cx, at.id, at.version, body.value).await?;
    Ok(Created(format!("/v1/policies/{}/versions/{}/comments", at.id, at.version), comment))
}

/// Resolve the thread of a comment.
///
/// Resolving it again changes nothing and returns who resolved it first.
#[post(
    "/v1/policies/{id}/versions/{version}/comments/{comment_id}/resolve", COMMENT, tag = "reviews",
    audit = "comment.resolve",
    409 = "`CONFLICT`: the comment is a reply.",
)]
async fn resolve(
    cx: Authorized,
    Path((id, version, comment)): Path<(PolicyId, u32, CommentId)>,
) -> JsonResult<Comment> {
    Ok(Json(comment::resolve(&cx, id, version, comment).await?))
}

/// Reopen the resolved thread of a comment.
///
/// Reopening an open thread changes nothing.
#[post(
    "/v1/policies/{id}/versions/{version}/comments/{comment_id}/reopen", COMMENT, tag = "reviews",
    audit = "comment.reopen",
    409 = "`CONFLICT`: the comment is a reply.",
)]
async fn reopen(
    cx: Authorized,
    Path((id, version, comment)): Path<(PolicyId, u32, CommentId)>,
) -> JsonResult<Comment> {
    Ok(Json(comment::reopen(&cx, id, version, comment).await?))
}
