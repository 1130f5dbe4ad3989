//! Access control of hosted forms.

use std::net::IpAddr;

use contract::form::{AccessMode, FormField};
use entity::{form as table, form_token, public_id::PublicKind};

use super::{
    row::{find, parse_json},
    token,
};
use crate::{
    SignedIn,
    access::attempts::{self, Subject},
    base::{error::form::access_refused, prelude::*, public_id},
};

/// The credentials of a request to a form.
#[derive(Clone, derive_more::Debug, Default)]
#[debug("FormCredentials {{ .. }}")]
pub struct FormCredentials {
    pub access_token: Option<String>,
    pub password: Option<String>,
    pub signed_in: Option<SignedIn>,
    /// The tenant that the request names in addition to the sign-in; it must own the form.
    pub tenant: Option<TenantId>,
    /// The network address of the caller. Failed passwords are counted per address.
    pub address: Option<IpAddr>,
}

/// A published form that the caller may access.
#[derive(Debug)]
pub(super) struct AccessedForm {
    /// The request context, with the signed-in member if the access mode is `console`.
    pub(super) cx: Cx,
    pub(super) tenant: TenantId,
    pub(super) row: table::Model,
    pub(super) token: Option<form_token::Model>,
}

impl AccessedForm {
    pub(super) fn tenant(&self) -> Tenant<'_> {
        self.cx.tenant_unchecked(self.tenant)
    }

    pub(super) fn fields(&self) -> Result<Vec<FormField>> {
        parse_json(&self.row.fields)
    }

    /// Returns the form unless its token has no use left.
    pub(super) fn require_remaining_use(self) -> Result<Self> {
        match &self.token {
            Some(token) if token::is_used_up(token) => {
                Err(access_refused(AccessMode::Token, true).into())
            }
            _ => Ok(self),
        }
    }
}

/// Loads a published form and its tenant.
///
/// # Errors
/// `NOT_FOUND` if the form is deleted or not published.
pub(super) async fn published(cx: &Cx, id: FormId) -> Result<(TenantId, table::Model)> {
    let owner = public_id::owner(cx, PublicKind::Form, id.0).await?;
    let tenant = owner.or_not_found(ResourceKind::Form)?;
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let row = find(&tx, id).one(tx.connection()).await?;
    tx.finish_read().await?;
    let row = row.filter(|row| row.is_published);
    Ok((tenant, row.or_not_found(ResourceKind::Form)?))
}

/// Checks the credentials for a form. Accepts a token without remaining uses.
///
/// # Errors
/// `NOT_FOUND` if the form is deleted or not published; `FORBIDDEN` for missing or wrong credentials;
/// `TOO_MANY_REQUESTS` after five wrong passwords within a minute.
pub(super) async fn authorize(
    cx: &Cx,
    id: FormId,
    credentials: &FormCredentials,
) -> Result<AccessedForm> {
    let (tenant, row) = published(cx, id).await?;
    let mode = row.access_mode.0;
    let mut access = AccessedForm { cx: cx.clone(), tenant, row, token: None };
    match mode {
        AccessMode::Open => {}
        AccessMode::Token => {
            access.token = Some(require_token(cx, tenant, id, credentials).await?);
        }
        AccessMode::Password => check_password(cx, &access.row, credentials).await?,
        AccessMode::Console => access.cx = member(cx, tenant, credentials).await?,
    }
    Ok(access)
}

async fn require_token(
    cx: &Cx,
    tenant: TenantId,
    id: FormId,
    credentials: &FormCredentials,
) -> Result<form_token::Model> {
    let secret = credentials.access_token.as_deref();
    let secret = secret.ok_or_else(|| access_refused(AccessMode::Token, false))?;
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let token = token::find_token(cx, &tx, id, secret).await?;
    tx.finish_read().await?;
    Ok(token.ok_or_else(|| access_refused(AccessMode::Token, true))?)
}

async fn check_password(cx: &Cx, row: &table::Model, credentials: &FormCredentials) -> Result<()> {
    let password = credentials.password.clone();
    let password = password.ok_or_else(|| access_refused(AccessMode::Password, false))?;
    let (subject, hash) = (Subject::Form(FormId(row.id)), row.password_hash.clone());
    if attempts::verify(&cx.governance, subject, credentials.address, password, hash).await? {
        return Ok(());
    }
    Err(access_refused(AccessMode::Password, true).into())
}

/// Returns the request context of the signed-in member of the tenant.
async fn member(cx: &Cx, tenant: TenantId, credentials: &FormCredentials) -> Result<Cx> {
    let refused = |is_present| access_refused(AccessMode::Console, is_present);
    let signed_in = credentials.signed_in.ok_or_else(|| refused(false))?;
    if credentials.tenant.is_some_and(|requested| requested != tenant) {
        return Err(refused(true).into());
    }
    let human = cx.governance.human(&signed_in, tenant, cx.correlation_id.clone()).await;
    human.map_err(|error| if error.status() == 403 { refused(true).into() } else { error })
}
