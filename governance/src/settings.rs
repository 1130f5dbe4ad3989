//! A tenant's governance switches.

use contract::{
    alert::AlertType,
    json::{Object, Value},
    rule::Severity,
    settings::{Settings, SettingsPatch},
};
use entity::{
    column::{Word, at},
    settings as table,
};
use receipt::digest::Digest;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, IntoActiveModel, QuerySelect};

use crate::{
    alert,
    audit::Event,
    caller::Caller,
    cx::Cx,
    error::{Error, Result, human_required},
    permission,
    tenancy::TenantTx,
};

/// The settings of the caller's tenant.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `policies:read`.
pub async fn read(cx: &Cx) -> Result<Settings> {
    let tx = cx.tenant(permission::READ_SETTINGS)?.begin().await?;
    let settings = of(&tx).await?;
    tx.end().await?;
    Ok(settings)
}

/// Changes the settings of the caller's tenant. What is so already changes nothing and leaves no
/// trace. A `reason` is bound by the event's digest of it.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `policies:write`; `HUMAN_REQUIRED` when a key would change
/// who must approve; `FORBIDDEN` for a person who is no admin, or whose sign-in is too old to switch
/// maker-checker off.
pub async fn change(cx: &Cx, patch: SettingsPatch, reason: Option<&str>) -> Result<Settings> {
    let tenant = cx.tenant(permission::CHANGE_SETTINGS)?;
    let is_approval = patch.maker_checker_enabled.is_some() || patch.review_required.is_some();
    if is_approval && matches!(cx.caller, Caller::Key(_)) {
        return Err(human_required().into());
    }
    let tx = tenant.begin().await?;
    let row = tx.find::<table::Entity>().lock_exclusive().one(tx.connection()).await?;
    let row = row.ok_or_else(|| Error::bug("a tenant without settings"))?;
    let before = wire(row.clone());
    let after = patched(&before, &patch);
    if after == before {
        tx.end().await?;
        return Ok(before);
    }
    let is_unchecked = before.maker_checker_enabled && !after.maker_checker_enabled;
    if is_unchecked {
        cx.fresh()?;
    }
    let mut event =
        changed(Event::new("settings.update", "settings", tenant.id()), &before, &after);
    if let Some(reason) = reason {
        event = event.with("reason_digest", Digest::of(reason.as_bytes()));
    }
    let mut row = row.into_active_model();
    row.maker_checker_enabled = Set(after.maker_checker_enabled);
    row.review_required = Set(after.review_required);
    row.public_receipt_redaction = Set(Word(after.public_receipt_redaction));
    row.bundle_include_context = Set(after.bundle_include_context);
    row.alert_min_severity = Set(Word(after.alert_min_severity));
    row.updated_at = Set(at(cx.now));
    row.updated_by = Set(cx.caller.principal());
    let row = row.update(tx.connection()).await?;
    if is_unchecked {
        alert_unchecked(&tx, cx).await?;
    }
    tx.commit(cx, event).await?;
    Ok(wire(row))
}

/// Tells people that from now on one person alone may bring a version into force.
async fn alert_unchecked(tx: &TenantTx, cx: &Cx) -> Result<()> {
    let message = "Maker-checker was switched off: whoever makes a version may ratify it.";
    let mut data = Object::from([
        ("setting", Value::from("maker_checker_enabled")),
        ("from", true.into()),
        ("to", false.into()),
    ]);
    if let Some(principal) = cx.caller.principal() {
        data.insert("changed_by", principal);
    }
    alert::raise(tx, cx, AlertType::GovernanceChange, Severity::High, message, data).await?;
    Ok(())
}

fn patched(before: &Settings, patch: &SettingsPatch) -> Settings {
    Settings {
        maker_checker_enabled: patch.maker_checker_enabled.unwrap_or(before.maker_checker_enabled),
        review_required: patch.review_required.unwrap_or(before.review_required),
        public_receipt_redaction: patch
            .public_receipt_redaction
            .unwrap_or(before.public_receipt_redaction),
        bundle_include_context: patch
            .bundle_include_context
            .unwrap_or(before.bundle_include_context),
        alert_min_severity: patch.alert_min_severity.unwrap_or(before.alert_min_severity),
        ..before.clone()
    }
}

/// The event with what each changed setting was, and is.
fn changed(event: Event, before: &Settings, after: &Settings) -> Event {
    values(before).into_iter().zip(values(after)).filter(|(before, after)| before != after).fold(
        event,
        |event, ((name, before), (_, after))| {
            event.with(name, Object::from([("before", before), ("after", after)]))
        },
    )
}

fn values(settings: &Settings) -> [(&'static str, Value); 5] {
    [
        ("maker_checker_enabled", settings.maker_checker_enabled.into()),
        ("review_required", settings.review_required.into()),
        ("public_receipt_redaction", settings.public_receipt_redaction.as_str().into()),
        ("bundle_include_context", settings.bundle_include_context.into()),
        ("alert_min_severity", settings.alert_min_severity.as_str().into()),
    ]
}

/// The settings, within a transaction.
pub(crate) async fn of(tx: &TenantTx) -> Result<Settings> {
    let row = tx.find::<table::Entity>().one(tx.connection()).await?;
    Ok(wire(row.ok_or_else(|| Error::bug("a tenant without settings"))?))
}

/// The settings, which stay as they are until the transaction ends: what was allowed by them is
/// committed before they change.
pub(crate) async fn held(tx: &TenantTx) -> Result<Settings> {
    let row = tx.find::<table::Entity>().lock_shared().one(tx.connection()).await?;
    Ok(wire(row.ok_or_else(|| Error::bug("a tenant without settings"))?))
}

fn wire(row: table::Model) -> Settings {
    Settings {
        maker_checker_enabled: row.maker_checker_enabled,
        review_required: row.review_required,
        public_receipt_redaction: row.public_receipt_redaction.0,
        bundle_include_context: row.bundle_include_context,
        alert_min_severity: row.alert_min_severity.0,
        updated_at: Some(entity::column::instant(row.updated_at)),
        updated_by: row.updated_by,
    }
}
