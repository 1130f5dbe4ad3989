//! Members of a tenant, and people who get an account.

use axum::response::{IntoResponse, Response};
use contract::{
    error::ErrorBody,
    id::UserId,
    member::{Invitation, Member, MemberPatch, UserCreated, UserDraft},
    page::Page,
};
use governance::{account, member};
use http::{StatusCode, header};

use crate::edge::{
    error::Reply,
    extract::{Api, Body, Json, Path, Query},
};

/// List the tenant's members, newest first.
#[utoipa::path(
    get, path = "/v1/admin/members", tag = "administration",
    params(
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses((status = 200, body = Page<Member>), (status = 422, body = ErrorBody))
)]
pub async fn list(Api(cx): Api, mut query: Query) -> Reply<Json<Page<Member>>> {
    let page = query.page();
    query.finish()?;
    Ok(Json(member::list(&cx, &page).await?))
}

/// Make somebody who has an account a member, by `user_id` or by `email`.
#[utoipa::path(
    post, path = "/v1/admin/members/invite", tag = "administration", request_body = Invitation,
    responses(
        (status = 201, body = Member),
        (status = 404, description = "`NOT_FOUND`: nobody has this id or address", body = ErrorBody),
        (status = 409, description = "`CONFLICT`: a member already", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn invite(Api(cx): Api, body: Body<Invitation>) -> Reply<Response> {
    let member = member::invite(&cx, body.read).await?;
    let location = format!("/v1/admin/members/{}", member.user_id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(member)).into_response())
}

/// Change a member's role, from the next request on.
#[utoipa::path(
    patch, path = "/v1/admin/members/{user_id}", tag = "administration",
    request_body = MemberPatch,
    params(("user_id" = String, Path, description = "The person")),
    responses(
        (status = 200, body = Member),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`CONFLICT`: the last admin", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn change_role(
    Api(cx): Api,
    Path((person,)): Path<(UserId,)>,
    body: Body<MemberPatch>,
) -> Reply<Json<Member>> {
    Ok(Json(member::change_role(&cx, person, body.read.role).await?))
}

/// Take somebody out of the tenant, at once.
#[utoipa::path(
    delete, path = "/v1/admin/members/{user_id}", tag = "administration",
    params(("user_id" = String, Path, description = "The person")),
    responses(
        (status = 204, description = "Removed: no session of that person opens this tenant"),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`CONFLICT`: the last admin", body = ErrorBody),
    )
)]
pub async fn remove(
    Api(cx): Api,
    Path((person,)): Path<(UserId,)>,
    query: Query,
) -> Reply<StatusCode> {
    query.finish()?;
    member::remove(&cx, person).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make an account, with a link to choose its password. Its owner is no member yet: invite next.
///
/// Asked again for somebody who was made here and has chosen no password yet, it answers with a new
/// link; the one before is void.
#[utoipa::path(
    post, path = "/v1/admin/users", tag = "administration", request_body = UserDraft,
    responses(
        (status = 201, body = UserCreated),
        (status = 409, description = "`CONFLICT`: the address has an account", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn create_user(Api(cx): Api, body: Body<UserDraft>) -> Reply<Response> {
    let created = account::create(&cx, body.read).await?;
    let location = format!("/v1/admin/users/{}", created.user.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(created)).into_response())
}
