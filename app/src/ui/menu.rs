//! The user's menu and the forms of preferences.

use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::{preference::Prefer, session::LogOut},
    markup::icon::{Icon, icon},
    text::{messages, url},
    view::{
        frame::{Frame, TenantMembership},
        preference::Preference,
    },
};

/// The user's name, other tenants, the theme and the sign-out button. It works without scripts.
#[component]
pub(crate) fn PersonMenu(frame: Frame) -> impl IntoView {
    let other = |membership: TenantMembership| {
        let href = format!("/t/{}/policies", membership.tenant);
        view! {
            <li>
                <a href=href>
                    <bdi>{membership.name}</bdi>
                </a>
            </li>
        }
    };
    let others = (!frame.others.is_empty()).then(|| {
        view! {
            <p class="text-xs text-muted">{messages::menu::OTHER_TENANTS}</p>
            <ul class="plain-list">{frame.others.into_iter().map(other).collect_view()}</ul>
        }
    });
    view! {
        <button type="button" class="quiet" popovertarget="person">
            <bdi>{frame.person.name.clone()}</bdi>
            {icon(Icon::Down)}
        </button>
        <div id="person" popover="auto" class="menu">
            <p class="font-semibold">
                <bdi>{frame.person.name}</bdi>
            </p>
            <p class="text-xs text-muted">
                <bdi>{frame.person.email}</bdi>
            </p>
            <p class="text-xs text-muted">{messages::role(frame.role)}</p>
            <p>
                <a href=url::ACCOUNT>{messages::menu::ACCOUNT}</a>
            </p>
            {others}
            <PreferenceForm name=Preference::Theme />
            <form method="post" action=LogOut::url()>
                <button class="w-full">{messages::menu::SIGN_OUT}</button>
            </form>
        </div>
    }
}

/// A plain form with one button for each value of a preference.
#[component]
pub(crate) fn PreferenceForm(name: Preference) -> impl IntoView {
    let button = move |value: &'static str| {
        view! {
            <button name="value" value=value data-value=value>
                {name.value_label(value)}
            </button>
        }
    };
    let label = name.label();
    view! {
        <form method="post" action=Prefer::url() class="preference" data-preference=name.as_str()>
            <input type="hidden" name="name" value=name.as_str() />
            <fieldset>
                <legend class="text-xs text-muted">{label}</legend>
                <div class="segments">
                    {name.values().iter().copied().map(button).collect_view()}
                </div>
            </fieldset>
        </form>
    }
}
