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

/// Read one member.
#[utoipa::path(
    get, path = "/v1/admin/members/{user_id}", tag = "administration",
    params(("user_id" = String, Path, description = "The person")),
    responses((status = 200, body = Member), (status = 404, body = ErrorBody))
)]
pub async fn read(
    Api(cx): Api,
    Path((person,)): Path<(UserId,)>,
    query: Query,
) -> Reply<Json<Member>> {
    query.finish()?;
    Ok(Json(member::read(&cx, person).await?))
}

/// Invite a person, by `user_id` or by `email`.
///
/// A member with status `invited` has no rights until the person accepts the invitation. An account that this
/// tenant made and that has a password is active at once. With mail every address that the tenant does not know
/// is invited, whether or not it has an account elsewhere; without mail it is not found. A key invites viewers
/// only.
#[utoipa::path(
    post, path = "/v1/admin/members/invite", tag = "administration", request_body = Invitation,
    responses(
        (status = 201, body = Member),
        (status = 403, description = "`HUMAN_REQUIRED`: a key invites as more than a viewer",
            body = ErrorBody),
        (status = 404, description = "`NOT_FOUND`: no proven account has this id; without mail, the tenant does not know this address", body = ErrorBody),
        (status = 409, description = "`CONFLICT`: a member already, or invited already",
            body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn invite(Api(cx): Api, body: Body<Invitation>) -> Reply<Response> {
    let member = member::invite(&cx, body.read).await?;
    let location = format!("/v1/admin/members/{}", member.user_id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(member)).into_response())
}

/// Change a member's role, from the next request on. An act of a signed-in admin.
///
/// A role with fewer rights revokes the API keys that the person made, and the keys made by those, unless
/// `keys_to` names another admin who takes them over. Keys of authoring capabilities are revoked in either
/// case, with their grants.
#[utoipa::path(
    patch, path = "/v1/admin/members/{user_id}", tag = "administration",
    request_body = MemberPatch,
    params(("user_id" = String, Path, description = "The person")),
    responses(
        (status = 200, body = Member),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
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
    Ok(Json(member::change_role(&cx, person, body.read).await?))
}

/// Take somebody out of the tenant, at once. An API key removes viewers only.
///
/// The API keys that the person made, and the keys made by those, are revoked in the same transaction,
/// unless `keys_to` names another admin who takes them over. Keys of authoring capabilities are revoked in
/// either case, with their grants.
#[utoipa::path(
    delete, path = "/v1/admin/members/{user_id}", tag = "administration",
    params(
        ("user_id" = String, Path, description = "The person"),
        (
            "keys_to" = Option<UserId>, Query,
            description = "Another active admin, who takes over the person's API keys; needs a session",
        ),
    ),
    responses(
        (status = 204, description = "Removed: no session of that person opens this tenant"),
        (
            status = 403,
            description = "`HUMAN_REQUIRED`: an API key removes more than a viewer, or names `keys_to`",
            body = ErrorBody,
        ),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`CONFLICT`: the last admin", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn remove(
    Api(cx): Api,
    Path((person,)): Path<(UserId,)>,
    mut query: Query,
) -> Reply<StatusCode> {
    let keys_to = query.parsed("keys_to", "a UUID");
    query.finish()?;
    member::remove(&cx, person, keys_to).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make an account that belongs to this tenant alone, with a link to choose its password. It is no member yet:
/// invite it next.
///
/// With mail the link is mailed, and opening it proves the address; from then on other tenants can invite the
/// account too. Without mail the link is in the answer, which only an admin's session gets. Asked again for an
/// account of this tenant without a password, it makes a new link; the one before is void.
#[utoipa::path(
    post, path = "/v1/admin/users", tag = "administration", request_body = UserDraft,
    responses(
        (status = 201, body = UserCreated),
        (status = 403, description = "`HUMAN_REQUIRED`: the answer would give a key the link",
            body = ErrorBody),
        (status = 409, description = "`CONFLICT`: the tenant knows a person with this address",
            body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn create_user(Api(cx): Api, body: Body<UserDraft>) -> Reply<Response> {
    let created = account::create(&cx, body.read).await?;
    let location = format!("/v1/admin/users/{}", created.user.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(created)).into_response())
}
