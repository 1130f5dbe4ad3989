//! Governance settings of a tenant.

mod preview;

use contract::{
    receipt::Redaction,
    settings::{AuthMethod, Settings, SettingsPatch, SignInPolicy},
};
use entity::settings as table;

pub use self::preview::{ChangePreview, preview};
use crate::{
    access::{auth::lock_authority, permission},
    base::{
        error::{human_changes_only, human_required},
        prelude::*,
    },
    notify::governance_change::{self, Report},
};

/// Returns the settings of the caller's tenant.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `policies:read`.
pub async fn read(cx: &Cx) -> Result<Settings> {
    let tx = cx.tenant(permission::READ_SETTINGS)?.begin().await?;
    let settings = load(&tx).await?;
    tx.finish_read().await?;
    Ok(settings)
}

/// Changes the settings of the caller's tenant.
///
/// - A patch without changes writes nothing.
/// - The audit event contains the digest of `reason`.
/// - Members of `expected` must equal the current settings.
/// - A change by a key creates an alert, and so does a change by a user that weakens a safeguard.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `policies:write`; `HUMAN_REQUIRED` for a key that sets
/// `human_changes_only`, `sign_in` or `second_factor_required`, or while `human_changes_only` is on; `FORBIDDEN` for a
/// user who is not an admin; `CONFIRMATION_REQUIRED` for a user whose sign-in is too old; `CONFLICT` when a setting
/// differs from `expected`, or when `sign_in` or `second_factor_required` would exclude the sign-in of the user.
pub async fn change(
    cx: &Cx,
    patch: SettingsPatch,
    reason: Option<&str>,
    expected: Option<&SettingsPatch>,
) -> Result<Settings> {
    let tenant = cx.tenant(permission::CHANGE_SETTINGS)?;
    cx.check_freshness()?;
    let is_key = matches!(cx.caller, Caller::Key(_));
    let is_for_users = patch.human_changes_only.is_some()
        || patch.sign_in.is_some()
        || patch.second_factor_required.is_some();
    if is_key && is_for_users {
        return Err(human_required().into());
    }
    if let Caller::Human(human) = &cx.caller {
        check_permits(&patch, human.method)?;
    }
    let tx = tenant.begin().await?;
    lock_authority(&tx, cx, permission::CHANGE_SETTINGS).await?;
    let row = tx.find::<table::Entity>().lock_exclusive().one(tx.connection()).await?;
    let row = row.or_bug("a tenant without settings")?;
    let before = to_wire(row.clone());
    if expected.is_some_and(|expected| apply_patch(&before, expected) != before) {
        return Err(conflict("the settings were changed concurrently; reload them").into());
    }
    let after = apply_patch(&before, &patch);
    if after == before {
        tx.finish_read().await?;
        return Ok(before);
    }
    if is_key && before.human_changes_only {
        return Err(human_changes_only().into());
    }
    let changed = changed(&before, &after);
    let mut event = Event::new("settings.update", "settings", tenant.id());
    for (name, before, after) in changed.clone() {
        event = event.with(name, Object::from([("before", before), ("after", after)]));
    }
    if let Some(reason) = reason {
        event = event.with("reason_digest", Digest::compute(reason.as_bytes()));
    }
    let mut row = row.into_active_model();
    row.maker_checker_enabled = Set(after.maker_checker_enabled);
    row.review_required = Set(after.review_required);
    row.public_receipt_redaction = Set(TextEnum(after.public_receipt_redaction));
    row.bundle_include_context = Set(after.bundle_include_context);
    row.alert_min_severity = Set(TextEnum(after.alert_min_severity));
    row.human_changes_only = Set(after.human_changes_only);
    row.sign_in = Set(TextEnum(after.sign_in));
    row.second_factor_required = Set(after.second_factor_required);
    row.updated_at = Set(to_column(cx.now));
    row.updated_by = Set(cx.caller.principal());
    let row = row.update(tx.connection()).await?;
    let weakened = weakened(&before, &after);
    if is_key || weakened.is_some() {
        let floor = before.alert_min_severity;
        governance_change::raise(&tx, cx, floor, report(changed, weakened)).await?;
    }
    tx.commit(cx, event).await?;
    Ok(to_wire(row))
}

/// Permits all sign-ins in a tenant again, for the operator. Use it when no admin can sign in with the identity provider
/// of the tenant or with a passkey.
///
/// # Errors
/// `NOT_FOUND` for an unknown tenant.
pub async fn permit_all_sign_ins(governance: &Governance, tenant: TenantId) -> Result<()> {
    let cx = governance.operator();
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let row = tx.find::<table::Entity>().lock_exclusive().one(tx.connection()).await?;
    let row = row.or_not_found(ResourceKind::Tenant)?;
    let before = row.sign_in.0;
    if before == SignInPolicy::Any {
        return tx.finish_read().await;
    }
    let mut row = row.into_active_model();
    row.sign_in = Set(TextEnum(SignInPolicy::Any));
    row.updated_at = Set(to_column(cx.now));
    row.updated_by = Set(None);
    row.update(tx.connection()).await?;
    let values = [("before", before.as_str().into()), ("after", SignInPolicy::Any.as_str().into())];
    let event = Event::new("settings.update", "settings", tenant);
    tx.commit(&cx, event.with("sign_in", Object::from(values))).await
}

/// Checks that a user can still enter the tenant after a change of the settings for sign-ins. So an identity provider or
/// a passkey has signed an admin in before it becomes the only way.
fn check_permits(patch: &SettingsPatch, method: AuthMethod) -> Result<()> {
    let message = if patch.sign_in.is_some_and(|policy| !policy.permits(method)) {
        "the setting `sign_in` would exclude the way you signed in; sign in the other way first"
    } else if patch.second_factor_required == Some(true) && !method.has_second_factor() {
        "the setting `second_factor_required` would exclude your session; add a second factor to your account first"
    } else {
        return Ok(());
    };
    Err(conflict(message).into())
}

/// The name of a changed setting, its value before and its value after.
type Changed = (&'static str, Value, Value);

/// Returns the name of the first safeguard that a change weakens.
fn weakened(before: &Settings, after: &Settings) -> Option<&'static str> {
    let is_disabled = |before: bool, after: bool| before && !after;
    let safeguards = [
        (
            "maker_checker_enabled",
            is_disabled(before.maker_checker_enabled, after.maker_checker_enabled),
        ),
        ("review_required", is_disabled(before.review_required, after.review_required)),
        (
            "public_receipt_redaction",
            before.public_receipt_redaction != after.public_receipt_redaction
                && after.public_receipt_redaction == Redaction::None,
        ),
        ("alert_min_severity", before.alert_min_severity < after.alert_min_severity),
        ("human_changes_only", is_disabled(before.human_changes_only, after.human_changes_only)),
        ("sign_in", before.sign_in != after.sign_in && before.sign_in != SignInPolicy::Any),
        (
            "second_factor_required",
            is_disabled(before.second_factor_required, after.second_factor_required),
        ),
    ];
    safeguards.into_iter().find_map(|(name, is_weakened)| is_weakened.then_some(name))
}

/// Creates the alert of a change. `setting`, `from` and `to` describe the weakened safeguard or,
/// without one, the first changed setting. `changes` contains all changes.
fn report(changed: Vec<Changed>, weakened: Option<&str>) -> Report {
    let changes: Vec<String> = changed
        .iter()
        .map(|(name, before, after)| {
            format!("{name} from {} to {}", display(before), display(after))
        })
        .collect();
    let first = changed.iter().find(|(name, ..)| weakened.is_none_or(|weakened| weakened == *name));
    let mut facts = Object::new();
    if let Some((name, before, after)) = first.cloned() {
        facts.insert("setting", name);
        facts.insert("from", before);
        facts.insert("to", after);
    }
    let change = |(name, from, to): Changed| {
        (name.to_owned(), Value::from(Object::from([("from", from), ("to", to)])))
    };
    facts.insert("changes", changed.into_iter().map(change).collect::<Object>());
    Report {
        message: format!("Settings were changed: {}.", changes.join(", ")),
        action: "settings.update",
        facts,
    }
}

fn display(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_canonical(), str::to_owned)
}

fn apply_patch(before: &Settings, patch: &SettingsPatch) -> Settings {
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
        human_changes_only: patch.human_changes_only.unwrap_or(before.human_changes_only),
        sign_in: patch.sign_in.unwrap_or(before.sign_in),
        second_factor_required: patch
            .second_factor_required
            .unwrap_or(before.second_factor_required),
        ..before.clone()
    }
}

fn changed(before: &Settings, after: &Settings) -> Vec<Changed> {
    let pairs = values(before).into_iter().zip(values(after));
    let pairs = pairs.filter(|(before, after)| before != after);
    pairs.map(|((name, before), (_, after))| (name, before, after)).collect()
}

fn values(settings: &Settings) -> [(&'static str, Value); 8] {
    [
        ("maker_checker_enabled", settings.maker_checker_enabled.into()),
        ("review_required", settings.review_required.into()),
        ("public_receipt_redaction", settings.public_receipt_redaction.as_str().into()),
        ("bundle_include_context", settings.bundle_include_context.into()),
        ("alert_min_severity", settings.alert_min_severity.as_str().into()),
        ("human_changes_only", settings.human_changes_only.into()),
        ("sign_in", settings.sign_in.as_str().into()),
        ("second_factor_required", settings.second_factor_required.into()),
    ]
}

pub(crate) async fn load(tx: &TenantTx) -> Result<Settings> {
    let row = tx.find::<table::Entity>().one(tx.connection()).await?;
    Ok(to_wire(row.or_bug("a tenant without settings")?))
}

/// Reads and locks the settings until the transaction ends, so that operations they permit are
/// committed before the settings change.
pub(crate) async fn load_locked(tx: &TenantTx) -> Result<Settings> {
    let row = tx.find::<table::Entity>().lock_shared().one(tx.connection()).await?;
    Ok(to_wire(row.or_bug("a tenant without settings")?))
}

/// Rejects an API key while the setting `human_changes_only` is on, and locks the setting until the
/// transaction ends. Call it after locking the changed object's row and before locking the head.
pub(crate) async fn check_human_changes_only(tx: &TenantTx, cx: &Cx) -> Result<()> {
    if matches!(cx.caller, Caller::Key(_)) && load_locked(tx).await?.human_changes_only {
        return Err(human_changes_only().into());
    }
    Ok(())
}

fn to_wire(row: table::Model) -> Settings {
    Settings {
        maker_checker_enabled: row.maker_checker_enabled,
        review_required: row.review_required,
        public_receipt_redaction: row.public_receipt_redaction.0,
        bundle_include_context: row.bundle_include_context,
        alert_min_severity: row.alert_min_severity.0,
        human_changes_only: row.human_changes_only,
        sign_in: row.sign_in.0,
        second_factor_required: row.second_factor_required,
        updated_at: Some(from_column(row.updated_at)),
        updated_by: row.updated_by,
    }
}
