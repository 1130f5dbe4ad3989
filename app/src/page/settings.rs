//! The settings of a tenant, and the change of one setting.

mod change;

use contract::id::TenantId;
use leptos::prelude::*;

use self::change::ChangeCard;
use super::keys::Attribution;
use crate::{
    api::settings::read_settings,
    text::{messages, url},
    ui::{field::options, heading::Heading, load::load, params},
    view::settings::{Setting, SettingsPage as SettingsView},
};

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
    let rejected = page.rejected;
    let change = page.change.map(|change| view! { <ChangeCard tenant change rejected /> });
    let updated_note = page.updated.map(|(by, at)| {
        view! { <p class="text-muted">{messages::settings::UPDATED} " " <Attribution by at /></p> }
    });
    let rows = page.values.into_iter().map(|(setting, value)| {
        view! { <Row tenant setting value /> }
    });
    view! {
        <Heading title=messages::settings::TITLE />
        {change}
        <ul class="card settings">{rows.collect_view()}</ul>
        {updated_note}
    }
}

/// A setting, and a form to select another value, which is confirmed in a second step.
#[component]
fn Row(tenant: TenantId, setting: Setting, value: String) -> impl IntoView {
    let label = setting.label();
    let current = setting.choice_label(&value);
    view! {
        <li>
            <div>
                <h2>{label}</h2>
                <p class="text-muted">{setting.description()}</p>
                <p>{messages::settings::NOW} ": " <strong>{current}</strong></p>
            </div>
            <form method="get" action=url::settings(tenant) class="row">
                <input type="hidden" name="change" value=setting.word() />
                <Choice setting value />
            </form>
        </li>
    }
}

/// A button for the other value of a two-valued setting, or a selection list.
#[component]
fn Choice(setting: Setting, value: String) -> impl IntoView {
    let choices = setting.choices();
    let others: Vec<_> = choices.iter().filter(|(choice, _)| *choice != value).collect();
    if let [(choice, label)] = others[..] {
        let name = messages::settings::change_to(setting.label(), label);
        return view! {
            <button name="to" value=*choice aria-label=name>
                {messages::settings::CHANGE_TO}
                " "
                {*label}
            </button>
        }
        .into_any();
    }
    let name = messages::settings::new_value(setting.label());
    view! {
        <select name="to" aria-label=name>
            {options(choices.iter().copied(), &value)}
        </select>
        <button aria-label=messages::settings::change(
            setting.label(),
        )>{messages::settings::CHANGE}</button>
    }
    .into_any()
}
