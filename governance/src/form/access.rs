//! Who is let in to a form.

use std::net::IpAddr;

use contract::{
    form::{AccessMode, FormField},
    id::{FormId, TenantId},
};
use entity::{form as table, form_token, public_id::PublicKind};

use super::{find, parsed, token};
use crate::{
    SignedIn,
    attempts::{self, Subject},
    cx::Cx,
    error::{Noun, Result, form::access_refused, not_found},
    public_id,
    tenancy::Tenant,
};

/// What somebody brings to a form.
#[derive(Clone, Default)]
pub struct Admission {
    /// A token.
    pub access_token: Option<String>,
    /// A password.
    pub password: Option<String>,
    /// A sign-in.
    pub signed_in: Option<SignedIn>,
    /// The tenant that a program names beside it, which must be the form's.
    pub tenant: Option<TenantId>,
    /// From where they come: guesses are counted by it.
    pub address: Option<IpAddr>,
}

impl std::fmt::Debug for Admission {
    /// Without what opens a form.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Admission").finish_non_exhaustive()
    }
}

/// A published form, opened by somebody whom it is for.
#[derive(Debug)]
pub(super) struct Opened {
    /// The operation, by the person who signed in where the form asks for that.
    pub(super) cx: Cx,
    pub(super) tenant: TenantId,
    pub(super) row: table::Model,
    pub(super) token: Option<form_token::Model>,
}

impl Opened {
    /// The form's tenant.
    pub(super) fn tenant(&self) -> Tenant<'_> {
        self.cx.tenant_unchecked(self.tenant)
    }

    /// The questions.
    pub(super) fn fields(&self) -> Result<Vec<FormField>> {
        parsed(&self.row.fields)
    }

    /// The same, unless its token is used up.
    ///
    /// # Errors
    /// `FORBIDDEN`.
    pub(super) fn unspent(self) -> Result<Self> {
        match &self.token {
            Some(token) if token::is_used_up(token) => {
                Err(access_refused(AccessMode::Token, true).into())
            }
            _ => Ok(self),
        }
    }
}

/// The tenant of a form that is there for the public.
///
/// # Errors
/// `NOT_FOUND` when it is deleted or not published.
pub(super) async fn published(cx: &Cx, id: FormId) -> Result<(TenantId, table::Model)> {
    let owner = public_id::owner(cx, PublicKind::Form, id.0).await?;
    let tenant = owner.ok_or_else(|| not_found(Noun::Form))?;
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let row = find(&tx, id).one(tx.connection()).await?;
    tx.end().await?;
    let row = row.filter(|row| row.is_published);
    Ok((tenant, row.ok_or_else(|| not_found(Noun::Form))?))
}

/// Opens a form, with a token that may be used up.
///
/// # Errors
/// `NOT_FOUND` when it is deleted or not published; `FORBIDDEN` without what it asks for;
/// `TOO_MANY_REQUESTS` after five wrong passwords within a minute.
pub(super) async fn open(cx: &Cx, id: FormId, admission: &Admission) -> Result<Opened> {
    let (tenant, row) = published(cx, id).await?;
    let mode = row.access_mode.0;
    let mut opened = Opened { cx: cx.clone(), tenant, row, token: None };
    match mode {
        AccessMode::Open => {}
        AccessMode::Token => {
            opened.token = Some(known_token(cx, tenant, id, admission).await?);
        }
        AccessMode::Password => check_password(cx, &opened.row, admission).await?,
        AccessMode::Console => opened.cx = member(cx, tenant, admission).await?,
    }
    Ok(opened)
}

async fn known_token(
    cx: &Cx,
    tenant: TenantId,
    id: FormId,
    admission: &Admission,
) -> Result<form_token::Model> {
    let secret = admission.access_token.as_deref();
    let secret = secret.ok_or_else(|| access_refused(AccessMode::Token, false))?;
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let known = token::known(cx, &tx, id, secret).await?;
    tx.end().await?;
    Ok(known.ok_or_else(|| access_refused(AccessMode::Token, true))?)
}

async fn check_password(cx: &Cx, row: &table::Model, admission: &Admission) -> Result<()> {
    let given = admission.password.clone();
    let given = given.ok_or_else(|| access_refused(AccessMode::Password, false))?;
    let (subject, hash) = (Subject::Form(FormId(row.id)), row.password_hash.clone());
    if attempts::verify(&cx.governance, subject, admission.address, given, hash).await? {
        return Ok(());
    }
    Err(access_refused(AccessMode::Password, true).into())
}

/// The operation by the signed-in member of the tenant.
async fn member(cx: &Cx, tenant: TenantId, admission: &Admission) -> Result<Cx> {
    let refused = |is_given| access_refused(AccessMode::Console, is_given);
    let signed_in = admission.signed_in.ok_or_else(|| refused(false))?;
    if admission.tenant.is_some_and(|named| named != tenant) {
        return Err(refused(true).into());
    }
    let human = cx.governance.human(&signed_in, tenant, cx.correlation_id.clone()).await;
    human.map_err(|error| if error.status() == 403 { refused(true).into() } else { error })
}
