//! A tenant's governance switches, and the change of one.

mod change;

use contract::id::TenantId;
use leptos::prelude::*;

use self::change::ChangeCard;
use super::{keys::Who, params};
use crate::{
    api::settings::read_settings,
    text::{url, words},
    ui::{heading::Heading, load::load},
    view::settings::{Setting, SettingsPage as Shown},
};

/// `/t/{tenant}/settings`
#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    let tenant = params::tenant();
    let (change, to) = (params::query("change"), params::query("to"));
    let page = Resource::new(
        move || (tenant(), change(), to()),
        async |(tenant, change, to)| {
            let tenant = tenant?;
            Ok((tenant, read_settings(tenant, change, to).await?))
        },
    );
    view! { {load(page, |(tenant, page)| view! { <Sheet tenant page/> }.into_any())} }
}

#[component]
fn Sheet(tenant: TenantId, page: Shown) -> impl IntoView {
    let kept = page.kept;
    let change = page.change.map(|change| view! { <ChangeCard tenant change kept/> });
    let updated = page.updated.map(|(by, at)| {
        view! {
            <p class="text-muted">{words::settings::UPDATED} " " <Who by at/></p>
        }
    });
    let rows = page.values.into_iter().map(|(setting, value)| {
        view! { <Row tenant setting value/> }
    });
    view! {
        <Heading title=words::settings::TITLE/>
        {change}
        <ul class="card settings">{rows.collect_view()}</ul>
        {updated}
    }
}

/// A switch, and the form that asks for another value. Nothing is changed yet.
#[component]
fn Row(tenant: TenantId, setting: Setting, value: String) -> impl IntoView {
    let label = words::settings::label(setting);
    let now = words::settings::value(setting, &value);
    view! {
        <li>
            <div>
                <h2>{label}</h2>
                <p class="text-muted">{words::settings::says(setting)}</p>
                <p>
                    {words::settings::NOW} ": " <strong>{now}</strong>
                </p>
            </div>
            <form method="get" action=url::settings(tenant) class="row">
                <input type="hidden" name="change" value=setting.word()/>
                <Choice setting value/>
            </form>
        </li>
    }
}

/// Of two values the other one is a press away; more stand in a list.
#[component]
fn Choice(setting: Setting, value: String) -> impl IntoView {
    let choices = words::settings::values(setting);
    let others: Vec<_> = choices.iter().filter(|(wire, _)| *wire != value).collect();
    if let [(wire, word)] = others[..] {
        let name = words::settings::change_to(setting, word);
        return view! {
            <button name="to" value=*wire aria-label=name>
                {words::settings::CHANGE_TO}
                " "
                {*word}
            </button>
        }
        .into_any();
    }
    let name = words::settings::new_value(setting);
    let option = move |(wire, word): (&'static str, &'static str)| {
        view! { <option value=wire selected=wire == value>{word}</option> }
    };
    view! {
        <select name="to" aria-label=name>
            {choices.iter().copied().map(option).collect_view()}
        </select>
        <button aria-label=words::settings::change(setting)>{words::settings::CHANGE}</button>
    }
    .into_any()
}
