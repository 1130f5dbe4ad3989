//! Endpoints for members of a tenant and for user accounts.

use contract::{
    id::UserId,
    member::{Invitation, Member, MemberPatch, UserCreated, UserDraft},
    pagination::Page,
    session::User,
};
use governance::{
    PageRequest,
    access::{account, member, second_factor},
};

use crate::edge::{
    ApiResult, Authorized, Body, Created, FromQuery, Id, Json, JsonResult, NoContent, Query,
    QueryReader,
};

/// List the members of the tenant, newest first.
#[get("/v1/admin/members", LIST_MEMBERS, tag = "administration")]
async fn list(cx: Authorized, Query(page): Query<PageRequest>) -> JsonResult<Page<Member>> {
    Ok(Json(member::list(&cx, &page).await?))
}

/// Read a member.
#[get("/v1/admin/members/{user_id}", LIST_MEMBERS, tag = "administration")]
async fn read(cx: Authorized, Id(user): Id<UserId>) -> JsonResult<Member> {
    Ok(Json(member::read(&cx, user).await?))
}

/// Invite a user by `user_id` or by `email`.
///
/// A member with status `invited` has no rights until the user accepts the invitation. An account that this
/// tenant created and that has a password becomes active immediately. If mail is configured, every address
/// that is unknown to the tenant is invited, whether or not it has an account elsewhere. Without mail, such
/// an address returns 404. An API key can invite viewers only.
#[post(
    "/v1/admin/members/invite", INVITE_MEMBERS, tag = "administration", audit = "member.invite",
    example = {"email": "ada@acme.example", "role": "reviewer"},
    403 = "`HUMAN_REQUIRED`: an API key invites with a role other than viewer",
    404 = "`NOT_FOUND`: no verified account has this ID, or, without mail, the address is unknown to the tenant",
    409 = "`CONFLICT`: already a member, or already invited",
    429 = "`TOO_MANY_REQUESTS`: also after 50 invitations and setup links of one person or key within an hour, or 5 to one address",
)]
async fn invite(cx: Authorized, body: Body<Invitation>) -> ApiResult<Created<Member>> {
    let member = member::invite(&cx, body.value).await?;
    Ok(Created(format!("/v1/admin/members/{}", member.user_id), member))
}

/// Change the role of a member.
///
/// The new role applies from the next request on. This requires the session of an admin. A role with fewer
/// rights revokes the API keys that the user created, and the keys created with those, unless `keys_to` names
/// another admin who takes them over. Keys of authoring capabilities are always revoked, together with their
/// capabilities.
#[patch(
    "/v1/admin/members/{user_id}", CHANGE_ROLES, tag = "administration",
    audit = "member.change_role",
    example = {"role": "ratifier"},
    403 = "`HUMAN_REQUIRED`, `FORBIDDEN`",
    409 = "`CONFLICT`: the last admin",
)]
async fn change_role(
    cx: Authorized,
    Id(user): Id<UserId>,
    body: Body<MemberPatch>,
) -> JsonResult<Member> {
    Ok(Json(member::change_role(&cx, user, body.value, None).await?))
}

/// Remove a member from the tenant immediately.
///
/// An API key can remove viewers only. The API keys that the user created, and the keys created with those,
/// are revoked in the same transaction, unless `keys_to` names another admin who takes them over. Keys of
/// authoring capabilities are always revoked, together with their capabilities.
#[delete(
    "/v1/admin/members/{user_id}", REMOVE_MEMBERS, tag = "administration", audit = "member.remove",
    204 = "Removed: sessions of the user no longer give access to this tenant",
    403 = "`HUMAN_REQUIRED`: an API key removes a member other than a viewer, or sends `keys_to`",
    409 = "`CONFLICT`: the last admin",
)]
async fn remove(
    cx: Authorized,
    Id(user): Id<UserId>,
    Query(KeyOwner(keys_to)): Query<KeyOwner>,
) -> ApiResult<NoContent> {
    member::remove(&cx, user, keys_to, None).await?;
    Ok(NoContent)
}

/// The admin who takes over the API keys of a removed user.
struct KeyOwner(Option<UserId>);

impl FromQuery for KeyOwner {
    fn read(query: &mut QueryReader) -> Option<Self> {
        let description = "The ID of another active admin who takes over the API keys of the user; requires \
                           a session";
        Some(Self(query.get("keys_to", description)))
    }
}

/// Create an account that belongs to this tenant only, with a link to choose its password.
///
/// The account is not a member yet; invite it next. If mail is configured, the link is mailed, and opening it
/// verifies the address. Other tenants can invite the account from then on. Without mail, the response
/// contains the link; only the session of an admin can request it. Repeating the request for an account of
/// this tenant without a password creates a new link and invalidates the previous one.
#[post(
    "/v1/admin/users", CREATE_ACCOUNTS, tag = "administration", audit = "user.create",
    example = {"email": "ada@acme.example", "display_name": "Ada Byron"},
    403 = "`HUMAN_REQUIRED`: the response would contain the link; \
            `CONFIRMATION_REQUIRED`: a new link needs a recent sign-in; `FORBIDDEN`",
    409 = "`CONFLICT`: the address belongs to a user of the tenant",
    429 = "`TOO_MANY_REQUESTS`: also after 50 invitations and setup links of one person within an hour, or 5 to one address",
)]
async fn create_user(cx: Authorized, body: Body<UserDraft>) -> ApiResult<Created<UserCreated>> {
    let created = account::create(&cx, body.value).await?;
    Ok(Created(format!("/v1/admin/users/{}", created.user.id), created))
}

/// Read an account that this tenant created.
#[get("/v1/admin/users/{user_id}", CREATE_ACCOUNTS, tag = "administration")]
async fn read_user(cx: Authorized, Id(user): Id<UserId>) -> JsonResult<User> {
    Ok(Json(account::read(&cx, user).await?))
}

/// Reset the second factors of a member.
///
/// It removes all passkeys, the authenticator app and the recovery codes, and ends the sessions of the account. The
/// account must belong only to this tenant. This requires the session of an admin.
#[post(
    "/v1/admin/members/{user_id}/reset-second-factors", RESET_SECOND_FACTORS,
    tag = "administration", audit = "second_factor.reset",
    204 = "Reset, or without second factors already",
    403 = "`FORBIDDEN`: the account does not belong only to this tenant",
)]
async fn reset_second_factors(cx: Authorized, Id(user): Id<UserId>) -> ApiResult<NoContent> {
    second_factor::reset(&cx, user).await?;
    Ok(NoContent)
}
