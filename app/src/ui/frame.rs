//! What surrounds the pages of a tenant: navigation, search, help, and the person's menu.

use contract::{
    id::TenantId,
    scope::{Right, Role},
};
use leptos::prelude::*;
use leptos_router::components::{A, Outlet};

use super::{
    icon::{Icon, icon},
    live::{self, Live},
    menu::PersonMenu,
};
use crate::{
    api::session::read_frame,
    page::params,
    text::{number::counted, url, words},
    view::frame::Frame,
};

/// The frame of every page of a tenant, with the page in it.
#[component]
pub(crate) fn TenantFrame() -> impl IntoView {
    provide_context(Live::new());
    let tenant = params::tenant();
    let frame = Resource::new(tenant, async |tenant| read_frame(tenant?).await);
    let around = move || {
        Suspend::new(async move {
            match frame.await {
                Ok(frame) => view! { <Around frame/> }.into_any(),
                // The page itself says what is wrong; the frame only leads away from it.
                Err(_) => view! { <Bare/> }.into_any(),
            }
        })
    };
    view! {
        <a class="skip" href="#main">
            {words::SKIP}
        </a>
        <div class="frame">
            <Transition fallback=Bare>{around}</Transition>
            <main id="main">
                <Outlet/>
            </main>
        </div>
    }
}

/// The frame of nobody, or of a tenant that is not the person's.
#[component]
fn Bare() -> impl IntoView {
    view! {
        <header class="bar">
            <a href="/" class="brand">
                {words::PRODUCT}
            </a>
        </header>
    }
}

#[component]
fn Around(frame: Frame) -> impl IntoView {
    let (tenant, role) = (frame.tenant, frame.role);
    let dead = frame.dead_deliveries;
    let alerts = RwSignal::new(frame.open_alerts);
    live::listen(tenant, alerts);
    let name = frame.tenant_name.clone();
    let narrow = name.clone();
    view! {
        <header class="bar">
            <details class="narrow-nav">
                <summary>
                    {icon(Icon::Menu)}
                    <span class="sr-only">{words::menu::MENU}</span>
                    <bdi>{narrow}</bdi>
                </summary>
                <nav aria-label=words::menu::NAVIGATION>
                    <Links tenant role alerts dead/>
                </nav>
            </details>
            <Search tenant/>
            <a href="/help" class="quiet" data-key="?">
                {icon(Icon::Help)}
                {words::menu::HELP}
            </a>
            <PersonMenu frame/>
        </header>
        <nav class="side" aria-label=words::menu::NAVIGATION>
            <p class="tenant">
                <bdi>{name}</bdi>
            </p>
            <Links tenant role alerts dead/>
        </nav>
    }
}

/// Opens a decision by its id.
#[component]
fn Search(tenant: TenantId) -> impl IntoView {
    view! {
        <form method="get" action=url::decisions(tenant) class="search" role="search" aria-label=words::menu::SEARCH>
            {icon(Icon::Search)}
            <input
                type="search"
                name="open"
                aria-label=words::menu::SEARCH
                placeholder=words::menu::SEARCH
                autocomplete="off"
                spellcheck="false"
                data-key="/"
            />
            <kbd aria-hidden="true">"/"</kbd>
        </form>
    }
}

/// The pages that there are for the role.
#[component]
fn Links(tenant: TenantId, role: Role, alerts: RwSignal<u64>, dead: u64) -> impl IntoView {
    let webhooks = role.may(Right::Operate).then(|| {
        view! {
            <li>
                <A href=url::webhooks(tenant) attr:data-key="g w">
                    {icon(Icon::Webhook)}
                    {words::menu::WEBHOOKS}
                    {waiting(dead)}
                </A>
            </li>
        }
    });
    let alerts = move || waiting(alerts.get());
    let tried = role.may(Right::Operate).then(|| {
        view! {
            <li>
                <A href=url::try_page(tenant)>{icon(Icon::Try)} {words::tried::NAVIGATION}</A>
            </li>
        }
    });
    let inbox = role.may(Right::Operate).then(|| {
        view! {
            <li>
                <A href=url::inbox(tenant) attr:data-key="g i">
                    {icon(Icon::Inbox)}
                    {words::inbox::TITLE}
                </A>
            </li>
        }
    });
    let grants = (role.may(Right::Author) || role.may(Right::Audit)).then(|| {
        view! {
            <li>
                <A href=url::grants(tenant)>
                    {icon(Icon::Seal)}
                    {words::capability::NAVIGATION}
                </A>
            </li>
        }
    });
    let audit = role.may(Right::Audit).then(|| {
        view! {
            <li>
                <A href=url::audit(tenant) attr:data-key="g u">
                    {icon(Icon::Audit)}
                    {words::audit::TITLE}
                </A>
            </li>
        }
    });
    let admin = role.may(Right::Administer).then(|| {
        view! {
            <li>
                <A href=url::keys(tenant)>{icon(Icon::Key)} {words::keys::TITLE}</A>
            </li>
            <li>
                <A href=url::members(tenant)>{icon(Icon::Members)} {words::member::TITLE}</A>
            </li>
            <li>
                <A href=url::settings(tenant)>
                    {icon(Icon::Settings)}
                    {words::settings::TITLE}
                </A>
            </li>
        }
    });
    view! {
        <ul class="plain-list">
            <li>
                <A href=url::overview(tenant) exact=true>
                    {icon(Icon::Overview)}
                    {words::overview::TITLE}
                </A>
            </li>
            {inbox}
            <li>
                <A href=url::policies(tenant) attr:data-key="g p">
                    {icon(Icon::Policies)}
                    {words::policies::TITLE}
                </A>
            </li>
            <li>
                <A href=url::groups(tenant)>{icon(Icon::Groups)} {words::group::NAVIGATION}</A>
            </li>
            {grants}
            <li>
                <A href=url::decisions(tenant) attr:data-key="g d">
                    {icon(Icon::Decisions)}
                    {words::decisions::TITLE}
                </A>
            </li>
            <li>
                <A href=url::alerts(tenant) attr:data-key="g a">
                    {icon(Icon::Alert)}
                    {words::alerts::TITLE}
                    {alerts}
                </A>
            </li>
            <li>
                <A href=url::forms(tenant) attr:data-key="g f">
                    {icon(Icon::Form)}
                    {words::menu::FORMS}
                </A>
            </li>
            {webhooks}
            {tried}
            {audit}
            {admin}
        </ul>
    }
}

/// How many of a page's things wait for somebody, where any do.
fn waiting(count: u64) -> impl IntoView {
    (count > 0).then(|| {
        let count = counted(count);
        view! {
            " "
            <span class="tabular-nums text-muted">{count}</span>
        }
    })
}
