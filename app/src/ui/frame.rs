//! The frame of a tenant's pages: navigation, search, help and the user's menu.

use contract::{
    id::TenantId,
    scope::{Right, Role},
};
use leptos::prelude::*;
use leptos_router::components::{A, Outlet};

use super::{
    live::{self, Live},
    menu::PersonMenu,
};
use crate::{
    api::session::read_frame,
    markup::icon::{Icon, icon},
    text::{messages, number::counted, url},
    ui::params,
    view::frame::Frame,
};

#[component]
pub(crate) fn TenantFrame() -> impl IntoView {
    provide_context(Live::new());
    let tenant = params::tenant();
    let frame = Resource::new(tenant, async |tenant| read_frame(tenant?).await);
    let chrome = move || {
        Suspend::new(async move {
            match frame.await {
                Ok(frame) => view! { <FrameChrome frame /> }.into_any(),
                // The page itself shows the error; the frame only links to the home page.
                Err(_) => view! { <BareFrame /> }.into_any(),
            }
        })
    };
    view! {
        <a class="skip" href="#main">
            {messages::SKIP}
        </a>
        <div class="frame">
            <Transition fallback=BareFrame>{chrome}</Transition>
            <main id="main">
                <Outlet />
            </main>
        </div>
    }
}

/// The frame without navigation, shown when the user cannot access the tenant.
#[component]
fn BareFrame() -> impl IntoView {
    view! {
        <header class="bar">
            <a href="/" class="brand">
                {messages::PRODUCT}
            </a>
        </header>
    }
}

#[component]
fn FrameChrome(frame: Frame) -> impl IntoView {
    let (tenant, role) = (frame.tenant, frame.role);
    let dead = frame.dead_deliveries;
    let alerts = RwSignal::new(frame.open_alerts);
    live::listen(tenant, alerts);
    let name = frame.tenant_name.clone();
    let narrow_name = name.clone();
    view! {
        <header class="bar">
            <details class="mobile-nav">
                <summary>
                    {icon(Icon::Menu)} <span class="sr-only">{messages::menu::MENU}</span>
                    <bdi>{narrow_name}</bdi>
                </summary>
                <nav aria-label=messages::menu::NAVIGATION>
                    <Links tenant role alerts dead />
                </nav>
            </details>
            <Search tenant />
            <a href="/help" class="quiet" data-key="?">
                {icon(Icon::Help)}
                {messages::menu::HELP}
            </a>
            <PersonMenu frame />
        </header>
        <nav class="side" aria-label=messages::menu::NAVIGATION>
            <p class="tenant">
                <bdi>{name}</bdi>
            </p>
            <Links tenant role alerts dead />
        </nav>
    }
}

/// The search form, which opens a decision by its ID.
#[component]
fn Search(tenant: TenantId) -> impl IntoView {
    view! {
        <form
            method="get"
            action=url::decisions(tenant)
            class="search"
            role="search"
            aria-label=messages::menu::SEARCH
        >
            {icon(Icon::Search)}
            <input
                type="search"
                name="open"
                aria-label=messages::menu::SEARCH
                placeholder=messages::menu::SEARCH
                autocomplete="off"
                spellcheck="false"
                data-key="/"
            />
            <kbd aria-hidden="true">"/"</kbd>
        </form>
    }
}

/// The navigation links that the role permits.
#[component]
fn Links(tenant: TenantId, role: Role, alerts: RwSignal<u64>, dead: u64) -> impl IntoView {
    let webhooks = role.has(Right::Operate).then(|| {
        let (href, count) = (url::webhooks(tenant), pending_count(dead));
        link(href, Some("g w"), Icon::Webhook, messages::menu::WEBHOOKS, count)
    });
    let alerts = move || pending_count(alerts.get());
    let alerts =
        link(url::alerts(tenant), Some("g a"), Icon::Alert, messages::alerts::TITLE, alerts);
    let plain = |href, key, drawing, title| link(href, key, drawing, title, ());
    let try_link = role
        .has(Right::Operate)
        .then(|| plain(url::try_page(tenant), None, Icon::Try, messages::try_decision::NAVIGATION));
    let inbox = role
        .has(Right::Operate)
        .then(|| plain(url::inbox(tenant), Some("g i"), Icon::Inbox, messages::inbox::TITLE));
    let grants = (role.has(Right::Author) || role.has(Right::Audit))
        .then(|| plain(url::grants(tenant), None, Icon::Seal, messages::capability::NAVIGATION));
    let audit = role
        .has(Right::Audit)
        .then(|| plain(url::audit(tenant), Some("g u"), Icon::Audit, messages::audit::TITLE));
    let admin = role.has(Right::Administer).then(|| {
        view! {
            {plain(url::keys(tenant), None, Icon::Key, messages::keys::TITLE)}
            {plain(url::members(tenant), None, Icon::Members, messages::member::TITLE)}
            {plain(url::settings(tenant), None, Icon::Settings, messages::settings::TITLE)}
        }
    });
    view! {
        <ul class="plain-list">
            <li>
                <A href=url::overview(tenant) exact=true>
                    {icon(Icon::Overview)}
                    {messages::overview::TITLE}
                </A>
            </li>
            {inbox}
            {plain(url::policies(tenant), Some("g p"), Icon::Policies, messages::policies::TITLE)}
            {plain(url::groups(tenant), None, Icon::Groups, messages::group::NAVIGATION)}
            {grants}
            {plain(
                url::decisions(tenant),
                Some("g d"),
                Icon::Decisions,
                messages::decisions::TITLE,
            )}
            {alerts}
            {plain(url::forms(tenant), Some("g f"), Icon::Form, messages::menu::FORMS)}
            {webhooks}
            {try_link}
            {audit}
            {admin}
        </ul>
    }
}

fn link(
    href: String,
    key: Option<&'static str>,
    drawing: Icon,
    title: &'static str,
    count: impl IntoView + 'static,
) -> AnyView {
    let count = count.into_any();
    view! {
        <li>
            <A href=href attr:data-key=key>
                {icon(drawing)}
                {title}
                {count}
            </A>
        </li>
    }
    .into_any()
}

/// Returns the number of pending items, or nothing if it is 0.
fn pending_count(count: u64) -> impl IntoView {
    (count > 0).then(|| {
        let count = counted(count);
        view! {
            " "
            <span class="tabular-nums text-muted">{count}</span>
        }
    })
}
