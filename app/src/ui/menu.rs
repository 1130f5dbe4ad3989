//! The person's menu, and the forms that remember a preference.

use leptos::prelude::*;
use leptos::server_fn::ServerFn;

use super::icon::{Icon, icon};
use crate::{
    api::{
        preference::{Prefer, Preference},
        session::LogOut,
    },
    text::{url, words},
    view::frame::{Frame, Place},
};

/// Who is signed in, other tenants, the theme, and the way out. It opens without scripts.
#[component]
pub(crate) fn PersonMenu(frame: Frame) -> impl IntoView {
    let other = |place: Place| {
        let href = format!("/t/{}/policies", place.tenant);
        view! {
            <li>
                <a href=href>
                    <bdi>{place.name}</bdi>
                </a>
            </li>
        }
    };
    let others = (!frame.others.is_empty()).then(|| {
        view! {
            <p class="text-xs text-muted">{words::menu::OTHER_TENANTS}</p>
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
            <p class="text-xs text-muted">{words::role(frame.role)}</p>
            <p><a href=url::ACCOUNT>{words::menu::ACCOUNT}</a></p>
            {others}
            <PreferenceForm name=Preference::Theme/>
            <form method="post" action=LogOut::url()>
                <button class="w-full">{words::menu::SIGN_OUT}</button>
            </form>
        </div>
    }
}

/// One button for each value of a preference. It is a plain form: the page comes back as preferred.
#[component]
pub(crate) fn PreferenceForm(name: Preference) -> impl IntoView {
    let button = move |value: &'static str| {
        view! {
            <button name="value" value=value data-value=value>
                {words::preference(name, value)}
            </button>
        }
    };
    let label = words::preference_label(name);
    view! {
        <form method="post" action=Prefer::url() class="preference" data-preference=name.as_str()>
            <input type="hidden" name="name" value=name.as_str()/>
            <fieldset>
                <legend class="text-xs text-muted">{label}</legend>
                <div class="segments">{name.values().iter().copied().map(button).collect_view()}</div>
            </fieldset>
        </form>
    }
}
