//! The governance settings of a tenant with their changes. `change` is the change of one setting.

mod change;

use contract::{
    audit::{AuditFilter, AuditItem},
    settings::Settings,
};
use governance::{
    authoring::{policy, settings},
    proof::audit,
};
use page_kit::{
    prelude::*,
    text::setting::{SECTIONS, Setting},
};

use crate::audit::actor_name;

/// The maximum number of changes on the page.
const CHANGES_MAX: usize = 10;

/// The section with the changes: its ID and its title.
const HISTORY: (&str, &str) = ("changes", "Changes");

/// `/t/{tenant}/settings`
pub async fn settings() -> PageResult {
    let (tenant, cx) = page::member().await?;
    cx.tenant(permission::CHANGE_SETTINGS)?;
    let current = settings::read(&cx).await?;
    let names = &request::directory(&cx).await?.names;
    let stages = policy::version::open_stages(&cx).await?;
    let updates = AuditFilter { action: Some("settings.update".to_owned()), ..Default::default() };
    let newest = PageRequest { limit: LIMIT_MAX, cursor: None };
    let updates = audit::list(&cx, updates, &newest).await?;
    let has_older = updates.next_cursor.is_some();
    let changes = updates.items.iter().flat_map(|item| SettingChange::of_event(item, names));
    let changes: Vec<_> = changes.collect();
    let change = change::card(&cx, tenant, &current).await?;
    let link = |(id, label): (&'static str, &'static str)| {
        view! {
            <li>
                <a href=format!("#{id}")>{label}</a>
            </li>
        }
    };
    let section = |(id, title)| {
        let own = Setting::ALL.into_iter().filter(|setting| setting.section() == id);
        let row = |setting: Setting| {
            let last = changes.iter().find(|change| change.setting == setting);
            let note = note(setting, &current, &stages);
            row(tenant, setting, setting.value(&current), note, last_change(last, has_older))
        };
        view! {
            <section class="stack" aria-labelledby=id>
                <h2 id=id>{title}</h2>
                <ul class="card settings">{own.map(row).collect_view()}</ul>
            </section>
        }
    };
    Ok(any_view! {
        <div class="page-head">
            <Heading title="Settings" />
            <a class="button push" href=url::identity_providers(tenant)>
                "Identity providers"
            </a>
        </div>
        <p class="intro">"Each change needs a reason and is recorded in the audit log."</p>
        {change}
        <div class="settings-grid">
            <nav class="subnav" aria-label="Sections">
                <ul class="plain-list">
                    {SECTIONS.into_iter().chain([HISTORY]).map(link).collect_view()}
                </ul>
            </nav>
            <div class="stack">{SECTIONS.map(section)} {history(tenant, &changes)}</div>
        </div>
    })
}

/// Returns what an enabled safeguard does for the versions that wait now, if there are any.
fn note(
    setting: Setting,
    current: &Settings,
    stages: &BTreeMap<PolicyId, VersionStage>,
) -> Option<String> {
    let (is_on, stage, without) = match setting {
        Setting::MakerCheckerEnabled => (
            current.maker_checker_enabled,
            VersionStage::WaitingForRatification,
            "Without maker-checker, authors can ratify their own versions.",
        ),
        Setting::ReviewRequired => (
            current.review_required,
            VersionStage::WaitingForReview,
            "Without this setting, they can be ratified without a review.",
        ),
        _ => return None,
    };
    let versions = stages.values().filter(|own| **own == stage).count();
    let waiting = change::waiting(setting, versions).filter(|_| is_on && versions > 0)?;
    Some(format!("{waiting} {without}"))
}

/// Renders a setting with its value and last change, and a form to select another value, which is confirmed in a second
/// step. `note` is about the versions that the setting protects now.
fn row(
    tenant: TenantId,
    setting: Setting,
    value: &'static str,
    note: Option<String>,
    last: AnyView,
) -> AnyView {
    let note = note.map(|note| {
        view! { <p class="setting-note">{icon(Icon::Warn)} <span>{note}</span></p> }
    });
    any_view! {
        <li>
            <div>
                <h3>{setting.label()}</h3>
                <p class="text-muted">{setting.description()}</p>
                {note}
            </div>
            <div class="setting-end">
                <span class="status na">
                    {(value == "true").then(|| icon(Icon::Allow))} {setting.choice_label(value)}
                </span>
                <form method="get" action=url::settings(tenant) class="row">
                    <input type="hidden" name="change" value=setting.as_str() />
                    {choice(setting, value)}
                </form>
                <small class="text-muted">{last}</small>
            </div>
        </li>
    }
}

/// Renders the last change of a setting. With `has_older`, there are changes that the page has not read.
fn last_change(last: Option<&SettingChange>, has_older: bool) -> AnyView {
    match last {
        Some(SettingChange { by, at, .. }) => any_view! {
            "Changed "
            {attribution(Some(by.clone()), *at)}
        },
        None if has_older => "Last change: see the audit log".into_any(),
        None => "Never changed".into_any(),
    }
}

/// Renders a button for the other value of a two-valued setting, or a selection list.
fn choice(setting: Setting, value: &str) -> AnyView {
    const CHANGE: &str = "Change…";
    let choices = setting.choices();
    let others: Vec<_> = choices.iter().filter(|(choice, _)| *choice != value).collect();
    let label = setting.label();
    if let [(choice, _)] = others[..] {
        let action = match *choice {
            "true" => "Turn on…",
            "false" => "Turn off…",
            _ => CHANGE,
        };
        return any_view! {
            <button name="to" value=*choice aria-label=format!("{label}: {action}")>
                {action}
            </button>
        };
    }
    any_view! {
        <select name="to" aria-label=format!("{label}: new value")>
            {options(choices.iter().copied(), value)}
        </select>
        <button aria-label=format!("{label}: {CHANGE}")>{CHANGE}</button>
    }
}

/// Renders the newest changes, with a link to all of them.
fn history(tenant: TenantId, changes: &[SettingChange]) -> AnyView {
    const REASON_DIGEST: &str = "Digest of the reason";
    let item = |change: &SettingChange| {
        let [before, after] =
            [&change.before, &change.after].map(|value| change.setting.choice_label(value));
        let reason = change.reason_digest.clone().map(|digest| {
            view! {
                <p class="text-muted text-xs">
                    {REASON_DIGEST} " " {short_digest(digest, REASON_DIGEST)}
                </p>
            }
        });
        view! {
            <li>
                <p>
                    <b>{change.setting.label()}</b>
                    " "
                    {format!("from {before} to {after}")}
                </p>
                <p class="text-muted text-xs">{attribution(Some(change.by.clone()), change.at)}</p>
                {reason}
            </li>
        }
    };
    let list = if changes.is_empty() {
        any_view! { <p class="text-muted">"No setting was changed."</p> }
    } else {
        let items = changes.iter().take(CHANGES_MAX).map(item).collect_view();
        any_view! { <ol class="timeline">{items}</ol> }
    };
    let (id, title) = HISTORY;
    any_view! {
        <section class="stack" aria-labelledby=id>
            <div class="card-head">
                <h2 id=id>{title}</h2>
                <a href=url::setting_events(tenant)>"All in the audit log"</a>
            </div>
            {list}
        </section>
    }
}

/// A change of a setting.
struct SettingChange {
    setting: Setting,
    before: String,
    after: String,
    /// The name of the user or API key.
    by: String,
    at: Timestamp,
    /// The digest of the reason; absent if the change has no reason.
    reason_digest: Option<String>,
}

impl SettingChange {
    /// Returns the changes of an event, one per changed setting.
    fn of_event(item: &AuditItem, names: &Names) -> Vec<Self> {
        let text =
            |value: &Value| value.as_str().map_or_else(|| value.to_canonical(), str::to_owned);
        let reason_digest = item.details.get("reason_digest").map(text);
        let change = |setting: Setting| {
            let values = item.details.get(setting.as_str())?;
            Some(Self {
                setting,
                before: text(values.get("before")?),
                after: text(values.get("after")?),
                by: actor_name(item, names),
                at: item.occurred_at,
                reason_digest: reason_digest.clone(),
            })
        };
        Setting::ALL.into_iter().filter_map(change).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_a_change_for_each_setting() {
        let event = r#"{"action": "settings.update", "actor": {"id": "1", "type": "human"},
            "details": {"alert_min_severity": {"after": "high", "before": "low"},
                "maker_checker_enabled": {"after": false, "before": true}, "reason_digest": "d1"},
            "event": {}, "event_id": "6b2f5e34-6f0f-4f0e-9a54-0f3a4a1c8d11", "hash": "",
            "object": {"id": "2", "type": "settings"}, "occurred_at": "2026-11-20T10:00:00.000Z",
            "seq": 1}"#;
        let event: AuditItem = serde_json::from_str(event).unwrap();
        let names = Names::from([("1".to_owned(), "I. Roy".to_owned())]);
        let changes = SettingChange::of_event(&event, &names);
        let texts = changes.iter().map(|change| {
            let words =
                [&change.before, &change.after].map(|value| change.setting.choice_label(value));
            (change.setting.label(), words.join(" to "), &*change.by)
        });
        let expected = [
            ("Maker-checker", "On to Off".to_owned(), "I. Roy"),
            ("Alerts from severity", "Low to High".to_owned(), "I. Roy"),
        ];
        assert_eq!(texts.collect::<Vec<_>>(), expected);
        assert_eq!(changes[0].reason_digest.as_deref(), Some("d1"));
    }
}
