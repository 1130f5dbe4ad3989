//! The settings of a tenant with their changes, and the change of one setting.

mod change;

use contract::id::TenantId;
use leptos::prelude::*;

use self::change::ChangeCard;
use super::{
    act::read_settings,
    view::{Section, Setting, SettingChange, SettingsPage as SettingsView},
};
use crate::{
    identity_provider::words as provider_words,
    key::Attribution,
    text::url,
    ui::{
        code::ShortDigest,
        field::options,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        params,
    },
};

/// The maximum number of changes on the page.
const CHANGES_MAX: usize = 10;

/// The ID of the section with the changes.
const HISTORY_ID: &str = "changes";

/// `/t/{tenant}/settings`
#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    let tenant = params::tenant();
    let (change, to) = (params::query("change"), params::query("to"));
    load(
        move || (tenant(), change(), to()),
        async |(tenant, change, to)| {
            let tenant = tenant?;
            Ok((tenant, read_settings(tenant, change, to).await?))
        },
        |(tenant, page)| view! { <SettingsContent tenant page /> }.into_any(),
    )
}

#[component]
fn SettingsContent(tenant: TenantId, page: SettingsView) -> impl IntoView {
    use super::words as strings;
    let rejected = page.rejected.clone();
    let change = page.change.clone().map(|change| view! { <ChangeCard tenant change rejected /> });
    let link = |(id, label): (&'static str, &'static str)| {
        view! {
            <li>
                <a href=format!("#{id}")>{label}</a>
            </li>
        }
    };
    let links = Section::ALL.map(|section| (section.id(), section.label()));
    let links = links.into_iter().chain([(HISTORY_ID, strings::HISTORY)]).map(link).collect_view();
    let section = |section: Section| view! { <SectionCard tenant section page=page.clone() /> };
    view! {
        <div class="page-head">
            <Heading title=strings::TITLE />
            <a class="button push" href=url::identity_providers(tenant)>
                {provider_words::TITLE}
            </a>
        </div>
        <p class="intro">{strings::INTRO}</p>
        {change}
        <div class="settings-grid">
            <nav class="subnav" aria-label=strings::SECTIONS>
                <ul class="plain-list">{links}</ul>
            </nav>
            <div class="stack">
                {Section::ALL.map(section)} <History tenant changes=page.history />
            </div>
        </div>
    }
}

#[component]
fn SectionCard(tenant: TenantId, section: Section, page: SettingsView) -> impl IntoView {
    let own = page.values.iter().filter(|(setting, _)| setting.section() == section);
    let row = |(setting, value): &(Setting, String)| {
        let (setting, value) = (*setting, value.clone());
        let last = page.last_change(setting).cloned();
        let note = page.notes.iter().find(|(own, _)| *own == setting);
        let note = note.map(|(_, text)| text.clone());
        view! { <Row tenant setting value note last has_older=page.has_older_changes /> }
    };
    let rows = own.map(row).collect_view();
    view! {
        <section class="stack" aria-labelledby=section.id()>
            <h2 id=section.id()>{section.label()}</h2>
            <ul class="card settings">{rows}</ul>
        </section>
    }
}

/// A setting with its value and last change, and a form to select another value, which is confirmed in a second step.
#[component]
fn Row(
    tenant: TenantId,
    setting: Setting,
    value: String,
    /// The versions that the setting protects now.
    note: Option<String>,
    last: Option<SettingChange>,
    /// Whether there are changes that the page has not read.
    has_older: bool,
) -> impl IntoView {
    use super::words as strings;
    let (current, is_on) = (setting.choice_label(&value), value == "true");
    let last = match last {
        Some(SettingChange { by, at, .. }) => view! {
            {strings::CHANGED}
            " "
            <Attribution by=Some(by) at />
        }
        .into_any(),
        None if has_older => strings::CHANGED_BEFORE.into_any(),
        None => strings::NEVER_CHANGED.into_any(),
    };
    view! {
        <li>
            <div>
                <h3>{setting.label()}</h3>
                <p class="text-muted">{setting.description()}</p>
                {note
                    .map(|note| {
                        view! { <p class="setting-note">{icon(Icon::Warn)} <span>{note}</span></p> }
                    })}
            </div>
            <div class="setting-end">
                <span class="status na">{is_on.then(|| icon(Icon::Allow))} {current}</span>
                <form method="get" action=url::settings(tenant) class="row">
                    <input type="hidden" name="change" value=setting.word() />
                    <Choice setting value />
                </form>
                <small class="text-muted">{last}</small>
            </div>
        </li>
    }
}

/// A button for the other value of a two-valued setting, or a selection list.
#[component]
fn Choice(setting: Setting, value: String) -> impl IntoView {
    use super::words as strings;
    let choices = setting.choices();
    let others: Vec<_> = choices.iter().filter(|(choice, _)| *choice != value).collect();
    let label = setting.label();
    if let [(choice, _)] = others[..] {
        let action = match *choice {
            "true" => strings::TURN_ON,
            "false" => strings::TURN_OFF,
            _ => strings::CHANGE_VALUE,
        };
        return view! {
            <button name="to" value=*choice aria-label=strings::change_to(label, action)>
                {action}
            </button>
        }
        .into_any();
    }
    view! {
        <select name="to" aria-label=strings::new_value(label)>
            {options(choices.iter().copied(), &value)}
        </select>
        <button aria-label=strings::change_to(
            label,
            strings::CHANGE_VALUE,
        )>{strings::CHANGE_VALUE}</button>
    }
    .into_any()
}

/// The newest changes, with a link to all of them.
#[component]
fn History(tenant: TenantId, changes: Vec<SettingChange>) -> impl IntoView {
    use super::words as strings;
    let item = |change: SettingChange| {
        let words = [&change.before, &change.after].map(|value| change.setting.choice_label(value));
        let reason = change.reason_digest.map(|digest| {
            view! {
                <p class="text-muted text-xs">
                    {strings::REASON_DIGEST} " " <ShortDigest digest what=strings::REASON_DIGEST />
                </p>
            }
        });
        view! {
            <li>
                <p>
                    <b>{change.setting.label()}</b>
                    " "
                    {strings::from_to(&words[0], &words[1])}
                </p>
                <p class="text-muted text-xs">
                    <Attribution by=Some(change.by) at=change.at />
                </p>
                {reason}
            </li>
        }
    };
    let list = if changes.is_empty() {
        view! { <p class="text-muted">{strings::NO_HISTORY}</p> }.into_any()
    } else {
        let items = changes.into_iter().take(CHANGES_MAX).map(item).collect_view();
        view! { <ol class="timeline">{items}</ol> }.into_any()
    };
    view! {
        <section class="stack" aria-labelledby=HISTORY_ID>
            <div class="card-head">
                <h2 id=HISTORY_ID>{strings::HISTORY}</h2>
                <a href=url::setting_events(tenant)>{strings::IN_AUDIT_LOG}</a>
            </div>
            {list}
        </section>
    }
}
