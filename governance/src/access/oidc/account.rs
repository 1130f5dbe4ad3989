//! The account of a person whom an identity provider has authenticated, and the person's role.

use contract::{
    member::{MemberStatus, UserDraft},
    read,
    text::is_line_breaking,
};
use entity::{
    identity as identities, identity_provider as providers, member as memberships, user as users,
};
use serde_json::Value;

use super::{ProviderPath, Rejection, SignInError, log, token::Claims};
use crate::{
    access::{account, member, membership, removal},
    base::prelude::*,
};

/// The role that a provider gives to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AssignedRole {
    /// The role at every sign-in.
    Managed(Role),
    /// The role of a new member; the roles of other members are unchanged.
    Initial(Option<Role>),
    /// The provider manages the role and did not send the claim. Absent is not empty: the roles of members are unchanged.
    Absent(Role),
    /// The provider left out the values of the claim, because there are too many. The roles of members are unchanged.
    Omitted,
}

/// Returns the account of a person, which is a member of the tenant afterwards.
///
/// - A subject that the provider has signed in before has its account, unless the person was removed from the tenant.
/// - A new subject is linked to the member with its verified email address, or to a new account that is confined to the
///   tenant. It is refused if the tenant has removed a member with the address and not invited the person since.
///
/// # Errors
/// [`Rejection::Unverified`], [`Rejection::Domain`], [`Rejection::NoRole`], [`Rejection::Removed`],
/// [`Rejection::Invited`].
pub(super) async fn sign_in(
    cx: &Cx,
    path: ProviderPath,
    provider: &providers::Model,
    claims: &Claims,
) -> Result<users::Model, SignInError> {
    let subject = claims.subject().ok_or(Rejection::Invalid)?;
    let draft = draft(claims).ok_or(Rejection::Unverified)?;
    check_domain(provider, &draft.email)?;
    let role = assigned_role(provider, claims)?;
    let mut tx = cx.tenant_unchecked(path.tenant).begin().await?;
    // Sign-ins of one provider run one after the other, so a person who signs in twice concurrently gets one account.
    let lock = tx.find_by_id::<providers::Entity>(path.provider).lock_exclusive();
    let current = lock.one(tx.connection()).await?;
    current.filter(|current| current.is_enabled).ok_or(Rejection::Unknown)?;
    let identity = tx
        .find::<identities::Entity>()
        .filter(identities::Column::ProviderId.eq(path.provider.0))
        .filter(identities::Column::Subject.eq(subject))
        .one(tx.connection())
        .await?;
    let user_id = match &identity {
        Some(identity) => UserId(identity.user_id),
        None if !is_verified(provider, claims) => return Err(Rejection::Unverified.into()),
        None => account_of_address(&mut tx, cx, draft).await?,
    };
    let user = untenanted::<users::Entity>().filter(users::Column::UserId.eq(user_id.0));
    let user = user.one(tx.connection()).await?.ok_or_else(unauthorized).map_err(Error::from)?;
    let cx = cx.with_person(Person { user_id, email: user.email.clone() });
    let member = member_of(&tx, user_id).await?;
    match member.as_ref().map(|member| member.status.0) {
        Some(MemberStatus::Active) => {}
        Some(MemberStatus::Invited) if user.confined_tenant_id == Some(path.tenant.0) => {
            membership::activate(&mut tx, user_id).await?;
        }
        Some(MemberStatus::Invited) => return Err(Rejection::Invited.into()),
        // An account with a password was a member before, or waits for an invitation.
        None if identity.is_some() || user.password_hash.is_some() => {
            return Err(Rejection::Removed.into());
        }
        None if !removal::may_join(&tx, &user.email).await? => {
            return Err(Rejection::Removed.into());
        }
        None => {
            let role = role.of_new_member()?;
            membership::insert(&mut tx, &cx, user_id, role, MemberStatus::Active).await?;
            let event = Event::new("member.add", "member", user_id).with("role", role.as_str());
            tx.add_event(event.with("identity_provider", path.provider.to_string()));
        }
    }
    if let AssignedRole::Managed(role) = role {
        member::assign_role(&mut tx, &cx, user_id, role, path.provider).await?;
    } else if let Some(event) = member.and_then(|member| role.retained(&member, path)) {
        tx.add_event(event);
    }
    if identity.is_none() {
        let row = identities::ActiveModel {
            tenant_id: Set(path.tenant.0),
            provider_id: Set(path.provider.0),
            subject: Set(subject.to_owned()),
            user_id: Set(user_id.0),
            created_at: Set(to_column(cx.now)),
        };
        identities::Entity::insert(row).exec_without_returning(tx.connection()).await?;
        let event = Event::new("identity.link", "user", user_id);
        tx.add_event(event.with("identity_provider", path.provider.to_string()));
    }
    tx.write_events(&cx).await?;
    tx.commit_without_event().await?;
    Ok(user)
}

/// Returns the email address in lower case and the display name, or `None` without a valid address.
fn draft(claims: &Claims) -> Option<UserDraft> {
    let email = claims.text("email")?;
    let draft = |name: &str| {
        let name = name.replace(is_line_breaking, " ");
        let name: String = name.trim().chars().take(200).collect();
        let body = Object::from([("email", email.into()), ("display_name", name.into())]);
        read::body(&body.into()).ok()
    };
    // Without a name that a member can have, the address is the name.
    claims.text("name").and_then(draft).or_else(|| draft(email))
}

/// Checks the domain of an address against those that may sign in with the provider.
fn check_domain(provider: &providers::Model, email: &str) -> Result<(), Rejection> {
    let domain = email.rsplit_once('@').map(|(_, domain)| domain);
    let is_listed = provider.email_domains.iter().any(|listed| Some(listed.as_str()) == domain);
    if provider.email_domains.is_empty() || is_listed { Ok(()) } else { Err(Rejection::Domain) }
}

/// Returns whether the provider confirms the address, whose domain is checked already.
fn is_verified(provider: &providers::Model, claims: &Claims) -> bool {
    match claims.value("email_verified") {
        Some(_) => claims.is_true("email_verified"),
        None => provider.trusts_email_domains && !provider.email_domains.is_empty(),
    }
}

/// Returns the account of a verified address that no provider has signed in: the account of the member with the address,
/// the account that this tenant created for it, or a new one.
///
/// Accounts of the address in other tenants are not considered: this provider proves the address only for this tenant.
async fn account_of_address(tx: &mut TenantTx, cx: &Cx, draft: UserDraft) -> Result<UserId> {
    if let Some(id) = tx.optional(SELECT_ACCOUNT, [draft.email.as_str().into()]).await? {
        return Ok(UserId(id));
    }
    // A proven account that this tenant created once and that is no longer a member stays outside.
    tx.execute(RELEASE_PROVEN_ACCOUNT, [draft.email.as_str().into()]).await?;
    let user = account::insert(tx, cx, draft).await?;
    tx.add_event(Event::new("user.create", "user", user.id));
    Ok(user.id)
}

// SQL: one statement queries two tables. Members come first, then the account that the tenant created.
const SELECT_ACCOUNT: &str = "SELECT u.user_id FROM users u \
     LEFT JOIN members m ON m.tenant_id = $1 AND m.user_id = u.user_id \
     WHERE u.email = $2 AND (m.user_id IS NOT NULL OR u.confined_tenant_id = $1) \
     ORDER BY m.status = 'active' DESC NULLS LAST, m.user_id IS NULL, u.user_id LIMIT 1";

// SQL: the statement depends on the tenant of the transaction.
const RELEASE_PROVEN_ACCOUNT: &str = "UPDATE users SET setup_tenant_id = NULL \
     WHERE setup_tenant_id = $1 AND email = $2 AND confined_tenant_id IS NULL";

/// Returns a membership, and locks the row until the transaction ends.
async fn member_of(tx: &TenantTx, user_id: UserId) -> Result<Option<memberships::Model>> {
    let rows = tx.find::<memberships::Entity>();
    let row = rows.filter(memberships::Column::UserId.eq(user_id.0)).lock_exclusive();
    Ok(row.one(tx.connection()).await?)
}

/// Returns the role that the provider gives to a person.
fn assigned_role(
    provider: &providers::Model,
    claims: &Claims,
) -> Result<AssignedRole, SignInError> {
    let default = provider.default_role.map(|role| role.0);
    let Some(name) = &provider.role_claim else { return Ok(AssignedRole::Initial(default)) };
    let Some(values) = roles(claims, name) else {
        if is_left_out(claims, name) {
            return Ok(AssignedRole::Omitted);
        }
        if claim(claims, name).is_some() {
            log(provider, "the claim with the roles is neither a text nor a list of texts");
            return Err(Rejection::Invalid.into());
        }
        return Ok(AssignedRole::Absent(default.ok_or(Rejection::NoRole)?));
    };
    let mut mapping = provider.mapped_values.iter().zip(&provider.mapped_roles);
    let role = match mapping.find(|(value, _)| values.contains(&value.as_str())) {
        Some((_, role)) => {
            let role = role.parse().map_err(|()| Error::bug("a role that does not exist"))?;
            Some(role)
        }
        None => default,
    };
    Ok(AssignedRole::Managed(role.ok_or(Rejection::NoRole)?))
}

impl AssignedRole {
    fn of_new_member(self) -> Result<Role, Rejection> {
        match self {
            Self::Managed(role) | Self::Initial(Some(role)) | Self::Absent(role) => Ok(role),
            Self::Initial(None) => Err(Rejection::NoRole),
            Self::Omitted => Err(Rejection::RolesOmitted),
        }
    }

    /// Returns the audit event of a member who keeps a role because the provider did not send the claim.
    fn retained(self, member: &memberships::Model, path: ProviderPath) -> Option<Event> {
        let role = member.role.0;
        let reason = match self {
            Self::Absent(default) if default != role => "absent",
            Self::Omitted => "omitted",
            _ => return None,
        };
        let event = Event::new("identity.keep_role", "member", UserId(member.user_id));
        let event = event.with("role", role.as_str()).with("reason", reason);
        Some(event.with("identity_provider", path.provider.to_string()))
    }
}

/// Returns the values of the role claim: a text or a list of texts. `None` if the provider did not send them, or in a form
/// that has no texts. Elements of another type are ignored.
pub(super) fn roles<'c>(claims: &'c Claims, name: &str) -> Option<Vec<&'c str>> {
    match claim(claims, name)? {
        Value::String(value) => Some(vec![value]),
        Value::Array(values) if values.is_empty() && is_left_out(claims, name) => None,
        Value::Array(values) => {
            let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
            (values.is_empty() || !texts.is_empty()).then_some(texts)
        }
        _ => None,
    }
}

/// Returns whether the provider says that it left out the values of a claim: as claims of another source (`OpenID` Connect
/// Core 1.0, section 5.6.2), or as Microsoft Entra ID does for people with many groups (`hasgroups`, `groups:src1`).
fn is_left_out(claims: &Claims, name: &str) -> bool {
    let first = name.split('.').next().unwrap_or(name);
    let elsewhere = claims.value("_claim_names").and_then(Value::as_object);
    elsewhere.is_some_and(|names| names.contains_key(name) || names.contains_key(first))
        || (name == "groups" && claims.is_true("hasgroups"))
        || claims
            .names()
            .any(|claim| claim.strip_prefix(name).is_some_and(|rest| rest.starts_with(":src")))
}

/// Returns a claim by its name, or by a path with dots such as `realm_access.roles`.
fn claim<'c>(claims: &'c Claims, name: &str) -> Option<&'c Value> {
    let nested = || {
        let (first, rest) = name.split_once('.')?;
        let value = rest.split('.').try_fold(claims.value(first)?, |value, name| value.get(name));
        value.filter(|value| !value.is_null())
    };
    claims.value(name).or_else(nested)
}
