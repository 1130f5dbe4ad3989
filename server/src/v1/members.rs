//! Endpoints for members of a tenant and for user accounts.

use contract::{
    error::ErrorBody,
    id::UserId,
    member::{Invitation, Member, MemberPatch, UserCreated, UserDraft},
    pagination::Page,
    policy::EmptyBody,
    session::User,
};
use governance::{
    PageRequest,
    access::{account, member, second_factor},
};
use http::StatusCode;

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Created, Json, NoBody, Path},
    query::{FromQuery, NoQuery, Query, QueryReader},
};

/// List the members of the tenant, newest first.
#[utoipa::path(
    get, path = "/v1/admin/members", tag = "administration",
    params(Query<PageRequest>),
    responses((status = 200, body = Page<Member>))
)]
pub async fn list(
    Authorized(cx): Authorized,
    Query(page): Query<PageRequest>,
) -> ApiResult<Json<Page<Member>>> {
    Ok(Json(member::list(&cx, &page).await?))
}

/// Read a member.
#[utoipa::path(
    get, path = "/v1/admin/members/{user_id}", tag = "administration",
    responses((status = 200, body = Member))
)]
pub async fn read(
    Authorized(cx): Authorized,
    Path((user,)): Path<(UserId,)>,
    _: NoQuery,
) -> ApiResult<Json<Member>> {
    Ok(Json(member::read(&cx, user).await?))
}

/// Invite a user by `user_id` or by `email`.
///
/// A member with status `invited` has no rights until the user accepts the invitation. An account that this
/// tenant created and that has a password becomes active immediately. If mail is configured, every address
/// that is unknown to the tenant is invited, whether or not it has an account elsewhere. Without mail, such
/// an address returns 404. An API key can invite viewers only.
#[utoipa::path(
    post, path = "/v1/admin/members/invite", tag = "administration", request_body = Invitation,
    responses(
        (status = 201, body = Member),
        (status = 403, description = "`HUMAN_REQUIRED`: an API key invites with a role other than viewer",
            body = ErrorBody),
        (status = 404, description = "`NOT_FOUND`: no verified account has this ID, or, without mail, the address is unknown to the tenant", body = ErrorBody),
        (status = 409, description = "`CONFLICT`: already a member, or already invited",
            body = ErrorBody),
        (status = 429, description = "`TOO_MANY_REQUESTS`: also after 50 invitations and setup links of one person or key within an hour, or 5 to one address",
            body = ErrorBody),
    )
)]
pub async fn invite(
    Authorized(cx): Authorized,
    body: Body<Invitation>,
) -> ApiResult<Created<Member>> {
    let member = member::invite(&cx, body.value).await?;
    Ok(Created(format!("/v1/admin/members/{}", member.user_id), member))
}

/// Change the role of a member.
///
/// The new role applies from the next request on. This requires the session of an admin. A role with fewer
/// rights revokes the API keys that the user created, and the keys created with those, unless `keys_to` names
/// another admin who takes them over. Keys of authoring capabilities are always revoked, together with their
/// capabilities.
#[utoipa::path(
    patch, path = "/v1/admin/members/{user_id}", tag = "administration",
    request_body = MemberPatch,
    responses(
        (status = 200, body = Member),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
        (status = 409, description = "`CONFLICT`: the last admin", body = ErrorBody),
    )
)]
pub async fn change_role(
    Authorized(cx): Authorized,
    Path((user,)): Path<(UserId,)>,
    body: Body<MemberPatch>,
) -> ApiResult<Json<Member>> {
    Ok(Json(member::change_role(&cx, user, body.value, None).await?))
}

/// Remove a member from the tenant immediately.
///
/// An API key can remove viewers only. The API keys that the user created, and the keys created with those,
/// are revoked in the same transaction, unless `keys_to` names another admin who takes them over. Keys of
/// authoring capabilities are always revoked, together with their capabilities.
#[utoipa::path(
    delete, path = "/v1/admin/members/{user_id}", tag = "administration",
    params(Query<KeyOwner>),
    responses(
        (status = 204, description = "Removed: sessions of the user no longer give access to this tenant"),
        (
            status = 403,
            description = "`HUMAN_REQUIRED`: an API key removes a member other than a viewer, or sends `keys_to`",
            body = ErrorBody,
        ),
        (status = 409, description = "`CONFLICT`: the last admin", body = ErrorBody),
    )
)]
pub async fn remove(
    Authorized(cx): Authorized,
    Path((user,)): Path<(UserId,)>,
    Query(KeyOwner(keys_to)): Query<KeyOwner>,
) -> ApiResult<StatusCode> {
    member::remove(&cx, user, keys_to, None).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The admin who takes over the API keys of a removed user.
#[derive(Debug)]
pub struct KeyOwner(Option<UserId>);

impl FromQuery for KeyOwner {
    fn read(query: &mut QueryReader) -> Option<Self> {
        let description = "The ID of another active admin who takes over the API keys of the user; requires \
                           a session";
        Some(Self(query.id("keys_to", description)))
    }
}

/// Create an account that belongs to this tenant only, with a link to choose its password.
///
/// The account is not a member yet; invite it next. If mail is configured, the link is mailed, and opening it
/// verifies the address. Other tenants can invite the account from then on. Without mail, the response
/// contains the link; only the session of an admin can request it. Repeating the request for an account of
/// this tenant without a password creates a new link and invalidates the previous one.
#[utoipa::path(
    post, path = "/v1/admin/users", tag = "administration", request_body = UserDraft,
    responses(
        (status = 201, body = UserCreated),
        (status = 403, description = "`HUMAN_REQUIRED`: the response would contain the link; \
            `CONFIRMATION_REQUIRED`: a new link needs a recent sign-in; `FORBIDDEN`", body = ErrorBody),
        (status = 409, description = "`CONFLICT`: the address belongs to a user of the tenant",
            body = ErrorBody),
        (status = 429, description = "`TOO_MANY_REQUESTS`: also after 50 invitations and setup links of one person within an hour, or 5 to one address",
            body = ErrorBody),
    )
)]
pub async fn create_user(
    Authorized(cx): Authorized,
    body: Body<UserDraft>,
) -> ApiResult<Created<UserCreated>> {
    let created = account::create(&cx, body.value).await?;
    Ok(Created(format!("/v1/admin/users/{}", created.user.id), created))
}

/// Read an account that this tenant created.
#[utoipa::path(
    get, path = "/v1/admin/users/{user_id}", tag = "administration",
    responses((status = 200, body = User))
)]
pub async fn read_user(
    Authorized(cx): Authorized,
    Path((user,)): Path<(UserId,)>,
    _: NoQuery,
) -> ApiResult<Json<User>> {
    Ok(Json(account::read(&cx, user).await?))
}

/// Reset the second factors of a member.
///
/// It removes all passkeys, the authenticator app and the recovery codes, and ends the sessions of the account. The
/// account must belong only to this tenant. This requires the session of an admin.
#[utoipa::path(
    post, path = "/v1/admin/members/{user_id}/reset-second-factors", tag = "administration", request_body = EmptyBody,
    responses(
        (status = 204, description = "Reset, or without second factors already"),
        (status = 403, description = "`FORBIDDEN`: the account does not belong only to this tenant", body = ErrorBody),
    )
)]
pub async fn reset_second_factors(
    Authorized(cx): Authorized,
    Path((user,)): Path<(UserId,)>,
    _: NoBody,
) -> ApiResult<StatusCode> {
    second_factor::reset(&cx, user).await?;
    Ok(StatusCode::NO_CONTENT)
}
