//! Comment endpoints.

use contract::{
    error::ErrorBody,
    id::{CommentId, PolicyId},
    pagination::Page,
    policy::{Comment, CommentDraft, EmptyBody},
};
use governance::{PageRequest, authoring::policy::version::comment};
use utoipa::IntoResponses;

use super::versions::Version;
use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Created, FromPath, Json, NoBody, Path},
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
#[utoipa::path(
    get, path = "/v1/policies/{id}/versions/{version}/comments", tag = "reviews",
    params(Query<PageRequest>),
    responses((status = 200, body = Page<Comment>))
)]
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
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/comments", tag = "reviews",
    request_body = CommentDraft,
    responses((status = 201, body = Comment))
)]
pub async fn create(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    body: Body<CommentDraft>,
) -> ApiResult<Created<Comment>> {
    let comment = comment::create(&cx, id, version, body.value).await?;
    Ok(Created(format!("/v1/policies/{id}/versions/{version}/comments"), comment))
}

/// The error of a change of the state of a reply. Only the first entry of a thread has a state.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it only describes the responses")]
enum ReplyHasNoState {
    /// `CONFLICT`: the comment is a reply.
    #[response(status = 409)]
    Reply(ErrorBody),
}

/// Resolve the thread of a comment.
///
/// Resolving it again changes nothing and returns who resolved it first.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/comments/{comment_id}/resolve",
    tag = "reviews", request_body = EmptyBody,
    responses(
        (status = 200, body = Comment),
        ReplyHasNoState,
    )
)]
pub async fn resolve(
    Authorized(cx): Authorized,
    Path(CommentPath { id, version, comment_id }): Path<CommentPath>,
    _: NoBody,
) -> ApiResult<Json<Comment>> {
    Ok(Json(comment::resolve(&cx, id, version, comment_id).await?))
}

/// Reopen the resolved thread of a comment.
///
/// Reopening an open thread changes nothing.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/comments/{comment_id}/reopen",
    tag = "reviews", request_body = EmptyBody,
    responses(
        (status = 200, body = Comment),
        ReplyHasNoState,
    )
)]
pub async fn reopen(
    Authorized(cx): Authorized,
    Path(CommentPath { id, version, comment_id }): Path<CommentPath>,
    _: NoBody,
) -> ApiResult<Json<Comment>> {
    Ok(Json(comment::reopen(&cx, id, version, comment_id).await?))
}
