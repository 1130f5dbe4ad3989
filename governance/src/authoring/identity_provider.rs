//! Identity providers of a tenant: create, read, change, test and delete.

use contract::{
    identity_provider::{
        IDENTITY_PROVIDERS_MAX, IdentityProvider, IdentityProviderDraft, IdentityProviderPatch,
        IdentityProviderTest, RoleMapping,
    },
    read::FieldPatch,
};
use entity::{identity_provider as table, session_digest as sessions};
use sea_orm::PaginatorTrait;

use super::settings;
use crate::{
    access::{
        oidc::{
            ENCRYPTION_CONTEXT, ProviderPath, backchannel_logout_uri, metadata,
            post_logout_redirect_uri, redirect_uri, secret_owner,
        },
        permission,
    },
    base::{pagination::newest, prelude::*},
    notify::governance_change::{self, Report},
};

/// Creates an identity provider. Its configuration is not read yet.
///
/// The change creates an alert: a provider signs people in as members of the tenant.
///
/// # Errors
/// `FORBIDDEN`, `HUMAN_REQUIRED`, `CONFIRMATION_REQUIRED`; `VALIDATION_ERROR` at `/issuer` for an address that may not
/// be called; `CONFLICT` beyond 20 providers.
pub async fn create(cx: &Cx, draft: IdentityProviderDraft) -> Result<IdentityProvider> {
    let tenant = cx.tenant(permission::MANAGE_IDENTITY_PROVIDERS)?;
    check_issuer(&cx.governance, &draft.issuer).await?;
    let id: IdentityProviderId = cx.governance.entropy().id();
    let path = ProviderPath { tenant: tenant.id(), provider: id };
    let (client_secret, client_secret_key) = encrypt(cx, path, draft.client_secret.as_deref());
    let (mapped_values, mapped_roles) = columns(draft.role_mapping.unwrap_or_default());
    let mut tx = tenant.begin().await?;
    // The head row is locked before the count, so that concurrent calls cannot exceed the limit.
    let sequence = tx.next_sequence().await?;
    if tx.find::<table::Entity>().count(tx.connection()).await? >= IDENTITY_PROVIDERS_MAX {
        return Err(
            conflict("the tenant already has 20 identity providers; delete one first").into()
        );
    }
    let default_scopes = || vec!["email".to_owned(), "profile".to_owned()];
    let row = table::ActiveModel {
        tenant_id: Set(tenant.id().0),
        id: Set(id.0),
        sequence: Set(sequence),
        name: Set(draft.name),
        issuer: Set(draft.issuer),
        client_id: Set(draft.client_id),
        client_secret: Set(client_secret),
        client_secret_key: Set(client_secret_key),
        scopes: Set(draft.scopes.unwrap_or_else(default_scopes)),
        email_domains: Set(draft.email_domains.unwrap_or_default()),
        trusts_email_domains: Set(draft.trusts_email_domains.unwrap_or(false)),
        role_claim: Set(draft.role_claim),
        mapped_values: Set(mapped_values),
        mapped_roles: Set(mapped_roles),
        default_role: Set(draft.default_role.map(TextEnum)),
        is_enabled: Set(draft.is_enabled.unwrap_or(true)),
        created_at: Set(to_column(cx.now)),
        updated_at: Set(to_column(cx.now)),
    };
    let row = row.insert(tx.connection()).await?;
    raise(&tx, cx, &row, "identity_provider.create", "created").await?;
    tx.commit(cx, Event::new("identity_provider.create", "identity_provider", id)).await?;
    to_wire(&cx.governance, row)
}

/// Returns a page of the tenant's identity providers, newest first.
///
/// # Errors
/// `FORBIDDEN`, `HUMAN_REQUIRED`; `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<IdentityProvider>> {
    let tenant = cx.tenant(permission::READ_IDENTITY_PROVIDERS)?;
    let rows = newest::<table::Entity>(&tenant, "identity-providers", page).await?;
    let Page { items, next_cursor } = rows;
    let items = items.into_iter().map(|row| to_wire(&cx.governance, row)).collect::<Result<_>>()?;
    Ok(Page { items, next_cursor })
}

/// Returns an identity provider.
///
/// # Errors
/// `FORBIDDEN`, `HUMAN_REQUIRED`, `NOT_FOUND`.
pub async fn read(cx: &Cx, id: IdentityProviderId) -> Result<IdentityProvider> {
    let row = cx
        .tenant(permission::READ_IDENTITY_PROVIDERS)?
        .get::<table::Entity>(id, ResourceKind::IdentityProvider)
        .await?;
    to_wire(&cx.governance, row)
}

/// Changes an identity provider. The change creates an alert. Disabling it ends the sessions that it started.
///
/// # Errors
/// As [`create`]; `NOT_FOUND`.
pub async fn edit(
    cx: &Cx,
    id: IdentityProviderId,
    patch: IdentityProviderPatch,
) -> Result<IdentityProvider> {
    let tenant = cx.tenant(permission::MANAGE_IDENTITY_PROVIDERS)?;
    let path = ProviderPath { tenant: tenant.id(), provider: id };
    let tx = tenant.begin().await?;
    let before = lock(&tx, id).await?;
    let mut row = before.clone().into_active_model();
    row.name = Set(patch.name.unwrap_or_else(|| before.name.clone()));
    row.client_id = Set(patch.client_id.unwrap_or_else(|| before.client_id.clone()));
    match patch.client_secret {
        FieldPatch::Keep => {}
        FieldPatch::Clear => (row.client_secret, row.client_secret_key) = (Set(None), Set(None)),
        FieldPatch::Set(secret) => {
            let (bytes, version) = encrypt(cx, path, Some(&secret));
            (row.client_secret, row.client_secret_key) = (Set(bytes), Set(version));
        }
    }
    row.scopes = Set(patch.scopes.unwrap_or_else(|| before.scopes.clone()));
    row.email_domains = Set(patch.email_domains.unwrap_or_else(|| before.email_domains.clone()));
    row.trusts_email_domains =
        Set(patch.trusts_email_domains.unwrap_or(before.trusts_email_domains));
    row.role_claim = Set(patch.role_claim.apply(before.role_claim.clone()));
    if let Some(mapping) = patch.role_mapping {
        let (values, roles) = columns(mapping);
        (row.mapped_values, row.mapped_roles) = (Set(values), Set(roles));
    }
    let default_role = patch.default_role.apply(before.default_role.map(|role| role.0));
    row.default_role = Set(default_role.map(TextEnum));
    let is_enabled = patch.is_enabled.unwrap_or(before.is_enabled);
    row.is_enabled = Set(is_enabled);
    row.updated_at = Set(to_column(cx.now));
    let row = row.update(tx.connection()).await?;
    if before.is_enabled && !is_enabled {
        end_sessions(&tx, id).await?;
    }
    raise(&tx, cx, &row, "identity_provider.edit", "changed").await?;
    tx.commit(cx, Event::new("identity_provider.edit", "identity_provider", id)).await?;
    to_wire(&cx.governance, row)
}

/// Deletes an identity provider with its links to accounts, and ends the sessions that it started. The accounts and
/// their memberships remain.
///
/// # Errors
/// `FORBIDDEN`, `HUMAN_REQUIRED`, `CONFIRMATION_REQUIRED`, `NOT_FOUND`.
pub async fn delete(cx: &Cx, id: IdentityProviderId) -> Result<()> {
    let tx = cx.tenant(permission::MANAGE_IDENTITY_PROVIDERS)?.begin().await?;
    lock(&tx, id).await?;
    end_sessions(&tx, id).await?;
    let row = tx.delete::<table::Entity>().filter(table::Column::Id.eq(id.0));
    row.exec(tx.connection()).await?;
    tx.commit(cx, Event::new("identity_provider.delete", "identity_provider", id)).await
}

/// Reads the published configuration and keys of an identity provider. It changes nothing.
///
/// # Errors
/// `FORBIDDEN`, `HUMAN_REQUIRED`, `NOT_FOUND`.
pub async fn test(cx: &Cx, id: IdentityProviderId) -> Result<IdentityProviderTest> {
    let row = cx
        .tenant(permission::READ_IDENTITY_PROVIDERS)?
        .get::<table::Entity>(id, ResourceKind::IdentityProvider)
        .await?;
    let failed = |problem: String| IdentityProviderTest {
        is_usable: false,
        problem: Some(problem),
        signing_keys: 0,
        has_end_session: false,
        has_backchannel_logout: false,
    };
    let governance = &cx.governance;
    let metadata = match metadata::read(governance, &row.issuer).await {
        Ok(metadata) => metadata,
        Err(problem) => return Ok(failed(problem)),
    };
    let keys = match metadata::read_keys(governance, &metadata).await {
        Ok(keys) => keys,
        Err(problem) => return Ok(failed(problem)),
    };
    let problem = (keys.len() == 0).then(|| "the provider has no usable signing key".to_owned());
    Ok(IdentityProviderTest {
        is_usable: problem.is_none(),
        problem,
        signing_keys: u32::try_from(keys.len()).unwrap_or(u32::MAX),
        has_end_session: metadata.end_session.is_some(),
        has_backchannel_logout: metadata.has_backchannel_logout,
    })
}

/// Checks that the issuer has an address that may be called.
async fn check_issuer(governance: &Governance, issuer: &str) -> Result<()> {
    let check = governance.outbound_policy().check(issuer).await;
    Ok(check.map(drop).map_err(|error| error.refusal("/issuer"))?)
}

async fn lock(tx: &TenantTx, id: IdentityProviderId) -> Result<table::Model> {
    tx.lock::<table::Entity>(id, ResourceKind::IdentityProvider).await
}

async fn end_sessions(tx: &TenantTx, id: IdentityProviderId) -> Result<()> {
    let sessions = delete_untenanted::<sessions::Entity>();
    sessions.filter(sessions::Column::ProviderId.eq(id.0)).exec(tx.connection()).await?;
    Ok(())
}

/// Returns the encrypted secret and the version of its key.
fn encrypt(cx: &Cx, path: ProviderPath, secret: Option<&str>) -> (Option<Vec<u8>>, Option<i32>) {
    let Some(secret) = secret else { return (None, None) };
    let (pepper, entropy) = (cx.governance.pepper(), cx.governance.entropy());
    let owner = secret_owner(path);
    let encrypted = pepper.encrypt(entropy, ENCRYPTION_CONTEXT, &owner, secret.as_bytes());
    (Some(encrypted.bytes), Some(encrypted.version))
}

/// Returns the columns of a role mapping.
fn columns(mapping: Vec<RoleMapping>) -> (Vec<String>, Vec<String>) {
    mapping.into_iter().map(|entry| (entry.value, entry.role.to_string())).unzip()
}

/// Creates the alert of a change.
async fn raise(
    tx: &TenantTx,
    cx: &Cx,
    row: &table::Model,
    action: &'static str,
    verb: &str,
) -> Result<()> {
    let floor = settings::load(tx).await?.alert_min_severity;
    let facts = Object::from([("identity_provider", row.id.to_string().into())]);
    let message = format!("The identity provider {} was {verb}.", row.name);
    governance_change::raise(tx, cx, floor, Report { message, action, facts }).await
}

fn to_wire(governance: &Governance, row: table::Model) -> Result<IdentityProvider> {
    let path = ProviderPath { tenant: row.tenant_id.into(), provider: row.id.into() };
    let mapping = row.mapped_values.into_iter().zip(row.mapped_roles).map(|(value, role)| {
        let role = role.parse().map_err(|()| Error::bug("a role that does not exist"))?;
        Ok(RoleMapping { value, role })
    });
    Ok(IdentityProvider {
        id: path.provider,
        tenant_id: path.tenant,
        name: row.name,
        issuer: row.issuer,
        client_id: row.client_id,
        has_client_secret: row.client_secret.is_some(),
        scopes: row.scopes,
        email_domains: row.email_domains,
        trusts_email_domains: row.trusts_email_domains,
        role_claim: row.role_claim,
        role_mapping: mapping.collect::<Result<_>>()?,
        default_role: row.default_role.map(|role| role.0),
        is_enabled: row.is_enabled,
        redirect_uri: redirect_uri(governance, path),
        backchannel_logout_uri: backchannel_logout_uri(governance, path),
        post_logout_redirect_uri: post_logout_redirect_uri(governance, path.tenant),
        created_at: from_column(row.created_at),
        updated_at: from_column(row.updated_at),
    })
}
