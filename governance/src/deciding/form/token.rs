//! Form tokens: link credentials with an optional limit of uses and an optional expiry.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::{
    form::{FormToken, FormTokenDraft},
    pagination::LIMIT_MAX,
};
use entity::form_token as table;
use sea_orm::sea_query::ExprTrait;

use super::row::{find, to_i32};
use crate::{access::permission, base::prelude::*};

/// The prefix of every token.
const PREFIX: &str = "frm_";

/// An issued token, without the secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuedToken {
    pub id: FormTokenId,
    /// The number of submissions it allows; unlimited if `None`.
    pub max_uses: Option<u32>,
    /// The number of submissions it was used for.
    pub uses: u32,
    pub expires_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
}

/// Creates a token for a form. The token is only part of this result and is not stored.
///
/// # Errors
/// `NOT_FOUND`; `VALIDATION_ERROR` if `expires_at` is not in the future.
pub async fn issue_token(cx: &Cx, form: FormId, draft: FormTokenDraft) -> Result<FormToken> {
    let tenant = cx.tenant(permission::WRITE_FORMS)?;
    if draft.expires_at.is_some_and(|end| end <= cx.now) {
        return Err(invalid_field("/expires_at", "range", "must be in the future").into());
    }
    let id: FormTokenId = cx.governance.entropy().id();
    let secret = URL_SAFE_NO_PAD.encode(cx.governance.entropy().bytes::<32>());
    let token = format!("{PREFIX}{secret}");
    let tx = tenant.begin().await?;
    find(&tx, form).one(tx.connection()).await?.or_not_found(ResourceKind::Form)?;
    let row = table::ActiveModel {
        tenant_id: Set(tenant.id().0),
        id: Set(id.0),
        form_id: Set(form.0),
        digest: Set(digest(&cx.governance, &token)),
        max_uses: Set(draft.max_uses.map(to_i32).transpose()?),
        uses: Set(0),
        expires_at: Set(draft.expires_at.map(to_column)),
        created_at: Set(to_column(cx.now)),
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

/// Revokes a token permanently: submissions that start after this call returns cannot use it. Revoking a
/// revoked token changes nothing.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn revoke_token(cx: &Cx, form: FormId, id: FormTokenId) -> Result<()> {
    let tx = cx.tenant(permission::WRITE_FORMS)?.begin().await?;
    let row = of_form(&tx, form).filter(table::Column::Id.eq(id.0));
    let row = row.lock_exclusive().one(tx.connection()).await?;
    let row = row.or_not_found(ResourceKind::FormToken)?;
    if row.revoked_at.is_some() {
        return tx.finish_read().await;
    }
    let mut row = row.into_active_model();
    row.revoked_at = Set(Some(to_column(cx.now)));
    row.update(tx.connection()).await?;
    let event = Event::new("form_token.revoke", "form_token", id).with("form_id", form.to_string());
    tx.commit(cx, event).await
}

/// Returns the newest tokens of a form, at most 200.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn tokens(cx: &Cx, form: FormId) -> Result<Vec<IssuedToken>> {
    let tx = cx.tenant(permission::READ_FORMS)?.begin().await?;
    find(&tx, form).one(tx.connection()).await?.or_not_found(ResourceKind::Form)?;
    let rows = of_form(&tx, form);
    let rows = rows.order_by_desc(table::Column::CreatedAt).order_by_desc(table::Column::Id);
    let rows = rows.limit(u64::from(LIMIT_MAX)).all(tx.connection()).await?;
    tx.finish_read().await?;
    let issued = |row: table::Model| IssuedToken {
        id: row.id.into(),
        max_uses: row.max_uses.map(unsigned),
        uses: unsigned(row.uses),
        expires_at: row.expires_at.map(from_column),
        created_at: from_column(row.created_at),
        revoked_at: row.revoked_at.map(from_column),
    };
    Ok(rows.into_iter().map(issued).collect())
}

fn of_form(tx: &TenantTx, form: FormId) -> Select<table::Entity> {
    tx.find::<table::Entity>().filter(table::Column::FormId.eq(form.0))
}

/// Finds the token of `form` for `secret`, unless it has expired or was revoked.
pub(super) async fn find_token(
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
    Ok(row.filter(|row| row.expires_at.is_none_or(|end| cx.now < from_column(end))))
}

/// Returns whether a token has no use left.
pub(super) fn is_used_up(token: &table::Model) -> bool {
    token.max_uses.is_some_and(|max| token.uses >= max)
}

/// Consumes one use. Returns `false` if none was left or the token was revoked in the meantime.
pub(super) async fn consume_use(tx: &TenantTx, token: FormTokenId) -> Result<bool> {
    use table::Column;
    let has_use_left = Expr::col(Column::Uses).lt(Expr::col(Column::MaxUses));
    let update = tx
        .update::<table::Entity>()
        .filter(Column::Id.eq(token.0))
        .filter(Column::RevokedAt.is_null())
        .filter(Column::MaxUses.is_null().or(has_use_left))
        .col_expr(Column::Uses, Expr::col(Column::Uses).add(1))
        .exec(tx.connection())
        .await?;
    Ok(update.rows_affected == 1)
}

fn digest(governance: &Governance, token: &str) -> Vec<u8> {
    governance.pepper().digest("form token", token.as_bytes()).to_vec()
}
