//! Tokens that open a form: links for single people, or for a while.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::{
    form::{FormToken, FormTokenDraft},
    id::{FormId, FormTokenId},
    page::LIMIT_MAX,
    time::Timestamp,
};
use entity::{
    column::{at, instant, number},
    form_token as table,
};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Expr, ExprTrait},
};

use super::{find, whole};
use crate::{
    Governance,
    audit::Event,
    cx::Cx,
    error::{Noun, Result, invalid_field, not_found},
    permission,
    tenancy::TenantTx,
};

/// What every token begins with.
const PREFIX: &str = "frm_";

/// A token that was issued, without the token itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuedToken {
    /// The id.
    pub id: FormTokenId,
    /// How many submissions it is good for; without end when absent.
    pub max_uses: Option<u32>,
    /// How many it was used for.
    pub uses: u32,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// Makes a token for a form. The token is in the answer, and nowhere else.
///
/// # Errors
/// `NOT_FOUND`; `VALIDATION_ERROR` for an end that has passed.
pub async fn issue_token(cx: &Cx, form: FormId, draft: FormTokenDraft) -> Result<FormToken> {
    let tenant = cx.tenant(permission::WRITE_FORMS)?;
    if draft.expires_at.is_some_and(|end| end <= cx.now) {
        return Err(invalid_field("/expires_at", "range", "must lie in the future").into());
    }
    let id: FormTokenId = cx.governance.chance().id();
    let secret = URL_SAFE_NO_PAD.encode(cx.governance.chance().bytes::<32>());
    let token = format!("{PREFIX}{secret}");
    let tx = tenant.begin().await?;
    find(&tx, form).one(tx.connection()).await?.ok_or_else(|| not_found(Noun::Form))?;
    let row = table::ActiveModel {
        tenant_id: Set(tenant.id().0),
        id: Set(id.0),
        form_id: Set(form.0),
        digest: Set(digest(&cx.governance, &token)),
        max_uses: Set(draft.max_uses.map(whole).transpose()?),
        uses: Set(0),
        expires_at: Set(draft.expires_at.map(at)),
        created_at: Set(at(cx.now)),
        created_by: Set(cx.caller.principal()),
        revoked_at: Set(None),
    };
    row.insert(tx.connection()).await?;
    let event = Event::new("form_token.create", "form_token", id).with("form_id", form.to_string());
    tx.commit(cx, event).await?;
    Ok(FormToken {
        id,
        url: cx.governance.link(&format!("/f/{form}?access_token={token}")),
        token,
        max_uses: draft.max_uses,
        expires_at: draft.expires_at,
    })
}

/// Revokes a token of a form, for good: nothing that comes after this has returned is let in with it. A
/// token that was revoked before stays as it is.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn revoke_token(cx: &Cx, form: FormId, id: FormTokenId) -> Result<()> {
    let tx = cx.tenant(permission::WRITE_FORMS)?.begin().await?;
    let row = of_form(&tx, form).filter(table::Column::Id.eq(id.0));
    let row = row.lock_exclusive().one(tx.connection()).await?;
    let row = row.ok_or_else(|| not_found(Noun::FormToken))?;
    if row.revoked_at.is_some() {
        return tx.end().await;
    }
    let mut row = row.into_active_model();
    row.revoked_at = Set(Some(at(cx.now)));
    row.update(tx.connection()).await?;
    let event = Event::new("form_token.revoke", "form_token", id).with("form_id", form.to_string());
    tx.commit(cx, event).await
}

/// The newest tokens of a form, at most 200.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn tokens(cx: &Cx, form: FormId) -> Result<Vec<IssuedToken>> {
    let tx = cx.tenant(permission::READ_FORMS)?.begin().await?;
    find(&tx, form).one(tx.connection()).await?.ok_or_else(|| not_found(Noun::Form))?;
    let rows = of_form(&tx, form);
    let rows = rows.order_by_desc(table::Column::CreatedAt).order_by_desc(table::Column::Id);
    let rows = rows.limit(u64::from(LIMIT_MAX)).all(tx.connection()).await?;
    tx.end().await?;
    let issued = |row: table::Model| IssuedToken {
        id: row.id.into(),
        max_uses: row.max_uses.map(number),
        uses: number(row.uses),
        expires_at: row.expires_at.map(instant),
        created_at: instant(row.created_at),
        revoked_at: row.revoked_at.map(instant),
    };
    Ok(rows.into_iter().map(issued).collect())
}

fn of_form(tx: &TenantTx, form: FormId) -> Select<table::Entity> {
    tx.find::<table::Entity>().filter(table::Column::FormId.eq(form.0))
}

/// The token of `form` that `secret` is, unless it has expired or was revoked.
pub(super) async fn known(
    cx: &Cx,
    tx: &TenantTx,
    form: FormId,
    secret: &str,
) -> Result<Option<table::Model>> {
    let row = of_form(tx, form)
        .filter(table::Column::Digest.eq(digest(&cx.governance, secret)))
        .filter(table::Column::RevokedAt.is_null())
        .one(tx.connection())
        .await?;
    Ok(row.filter(|row| row.expires_at.is_none_or(|end| cx.now < instant(end))))
}

/// Whether a token is good for no further submission.
pub(super) fn is_used_up(token: &table::Model) -> bool {
    token.max_uses.is_some_and(|max| token.uses >= max)
}

/// Counts a use; whether there was one left, of a token that was not revoked since it was looked up.
pub(super) async fn take(tx: &TenantTx, token: FormTokenId) -> Result<bool> {
    use table::Column;
    let is_left = Expr::col(Column::Uses).lt(Expr::col(Column::MaxUses));
    let used = tx
        .update::<table::Entity>()
        .filter(Column::Id.eq(token.0))
        .filter(Column::RevokedAt.is_null())
        .filter(Column::MaxUses.is_null().or(is_left))
        .col_expr(Column::Uses, Expr::col(Column::Uses).add(1))
        .exec(tx.connection())
        .await?;
    Ok(used.rows_affected == 1)
}

fn digest(governance: &Governance, token: &str) -> Vec<u8> {
    governance.pepper().digest("form token", token.as_bytes()).to_vec()
}
