//! The content of the frame: the tenant, search, navigation, help and the user's menu.

use governance::base::error::tenant_mismatch;
use leptos_router::components::A;
use page_kit::{prelude::*, ui::initials::initials};

use crate::{
    frame::{
        menu::{YOUR_MENU, person_menu, tenant_menu},
        session,
        view::Frame,
    },
    navigation::NavigationPage,
    preference::{Prefer, Preference},
    search::{FindInPalette, SEARCH},
};

/// The `id` of the navigation, which is a menu on narrow pages.
const MENU_ID: &str = "nav";

/// Renders the content of the frame of the current tenant. The page itself shows an error; the frame then only links to the
/// home page.
pub(super) fn chrome() -> AnyView {
    Suspend::new(async { read().await.map_or_else(|_| bare_frame(), content) }).into_any()
}

/// Returns the user, the tenant and the counters.
async fn read() -> Result<Frame, Problem> {
    let tenant = page::param("tenant")?;
    let signed_in = request::signed_in(&request::current_page())?;
    let tenants = request::user_tenants(&signed_in).await?;
    let time = request::session_time(&signed_in);
    let frame = Frame::of(tenants.session(), time, tenant);
    let frame = frame.ok_or_else(|| request::to_problem(&tenant_mismatch().into()))?;
    let cx = request::human(tenant).await?;
    let counts = request::navigation_counts(&cx).await;
    Ok(Frame {
        inbox: counts.actionable_since.len() as u64,
        open_alerts: counts.open_alerts,
        dead_deliveries: counts.dead_deliveries.unwrap_or_default(),
        ..frame
    })
}

/// Renders the frame without navigation, shown when the user cannot access the tenant.
fn bare_frame() -> AnyView {
    any_view! {
        <header class="side">
            <div class="side-head">
                <a href="/" class="tenant">
                    {logo()}
                    {messages::PRODUCT}
                </a>
            </div>
        </header>
    }
}

fn content(frame: Frame) -> AnyView {
    let (tenant, role) = (frame.tenant, frame.role);
    let counts = Counts {
        inbox: frame.inbox,
        open_alerts: frame.open_alerts,
        dead_deliveries: frame.dead_deliveries,
    };
    let name = frame.tenant_name.clone();
    let switch = format!("Tenant: {name}. Switch");
    let person = frame.person.name.clone();
    any_view! {
        <header class="side" data-stream=url::live(tenant)>
            <div class="side-head">
                <button
                    type="button"
                    class="quiet square side-menu"
                    popovertarget=MENU_ID
                    aria-label="Menu"
                >
                    {icon(Icon::Menu)}
                </button>
                <button type="button" class="tenant" popovertarget="tenants" aria-label=switch>
                    {logo()}
                    <bdi>{name}</bdi>
                    {icon(Icon::UpDown)}
                </button>
                <a
                    href=url::search(tenant)
                    class="quiet square side-find"
                    data-palette=""
                    aria-label="Search"
                >
                    {icon(Icon::Search)}
                </a>
            </div>
            {search_form(tenant)}
            <nav id=MENU_ID class="nav" popover="auto" aria-label="Main navigation">
                <div class="nav-head">
                    <span class="brand">{messages::PRODUCT}</span>
                    <button
                        type="button"
                        class="quiet square"
                        popovertarget=MENU_ID
                        popovertargetaction="hide"
                        aria-label="Close menu"
                    >
                        {icon(Icon::Cross)}
                    </button>
                </div>
                {links(tenant, role, counts)}
            </nav>
            <div class="side-foot">
                <button type="button" class="person" popovertarget="person">
                    <span class="avatar" aria-hidden="true">
                        {initials(&person)}
                    </span>
                    <span class="label">
                        <bdi>{person}</bdi>
                        <small>
                            {messages::role(role)} <span class="sr-only">". " {YOUR_MENU}</span>
                        </small>
                    </span>
                </button>
                <a href="/help" class="quiet square" aria-label=messages::HELP data-key="?">
                    {icon(Icon::Help)}
                </a>
                {fold_form()}
            </div>
            {session::dialogs(frame.person.email.clone(), frame.session)}
            {tenant_menu(&frame)}
            {person_menu(frame.person.email)}
        </header>
        {palette(tenant)}
        <nav class="tabbar" aria-label="Shortcuts">
            <ul>{tab_links(tenant, role, counts)}</ul>
        </nav>
    }
}

fn search_form(tenant: TenantId) -> AnyView {
    any_view! {
        <form
            method="get"
            action=url::search(tenant)
            class="search"
            role="search"
            aria-label=SEARCH
        >
            {icon(Icon::Search)}
            <input
                type="search"
                name="q"
                aria-label=SEARCH
                placeholder=SEARCH
                autocomplete="off"
                spellcheck="false"
            />
            <kbd aria-hidden="true">"Ctrl K"</kbd>
        </form>
    }
}

/// Renders the command palette. `public/palette.js` opens it and fetches its results; without scripts, the search field
/// opens the search page.
fn palette(tenant: TenantId) -> AnyView {
    const TITLE: &str = "Search and actions";
    any_view! {
        <dialog
            id="palette"
            class="palette"
            aria-label=TITLE
            data-tenant=tenant.to_string()
            data-results=FindInPalette::url()
            data-failed="The results could not be loaded. Press Enter to search."
        >
            <form method="get" action=url::search(tenant) role="search" aria-label=TITLE>
                {icon(Icon::Search)}
                <input
                    type="text"
                    name="q"
                    role="combobox"
                    aria-label="Search pages and actions"
                    aria-autocomplete="list"
                    aria-expanded="false"
                    aria-controls="palette-results"
                    autocomplete="off"
                    spellcheck="false"
                />
                <kbd aria-hidden="true">"Esc"</kbd>
            </form>
            <div id="palette-results" role="listbox" aria-label="Results" hidden></div>
            <p class="palette-status text-muted" role="status"></p>
            <p class="palette-foot" aria-hidden="true">
                <span>{icon(Icon::UpDown)} "move"</span>
                <span>
                    <kbd>"Enter"</kbd>
                    "open"
                </span>
                <span>
                    <kbd>"Ctrl Enter"</kbd>
                    "open in a new tab"
                </span>
            </p>
        </dialog>
        <script type="module" src=url::PALETTE_SCRIPT></script>
    }
}

/// Renders the form that folds the navigation to icons. CSS shows the button that changes the current width.
fn fold_form() -> AnyView {
    let button = |&(value, label): &(&'static str, &'static str)| {
        view! {
            <button class="quiet square" name="value" value=value aria-label=label>
                {icon(Icon::Rail)}
            </button>
        }
    };
    any_view! {
        <form method="post" action=Prefer::url() class="side-fold">
            <input type="hidden" name="name" value=Preference::Nav.as_str() />
            {Preference::Nav.values().iter().map(button).collect_view()}
        </form>
    }
}

/// The numbers in the navigation. A number of 0 is not shown.
#[derive(Clone, Copy, Debug)]
struct Counts {
    inbox: u64,
    open_alerts: u64,
    dead_deliveries: u64,
}

impl Counts {
    /// Returns the number next to the link to `page`; `inbox_class` are the classes of the one of the inbox.
    fn of(self, page: NavigationPage, inbox_class: &'static str) -> Option<AnyView> {
        match page {
            NavigationPage::Inbox => count(self.inbox, inbox_class),
            NavigationPage::Alerts => Some(alert_count(self.open_alerts)),
            NavigationPage::Webhooks => count(self.dead_deliveries, "count bad"),
            _ => None,
        }
    }
}

/// Renders the navigation links that the role permits, in groups.
fn links(tenant: TenantId, role: Role, counts: Counts) -> AnyView {
    let group = move |(title, pages): (&'static str, &'static [NavigationPage])| {
        let links = pages
            .iter()
            .copied()
            .filter(|page| page.is_permitted(role))
            .map(|page| link(tenant, page, page.key(), counts.of(page, "count mine")));
        group(title, links.collect())
    };
    any_view! {
        <ul>
            <li>
                <A href=url::overview(tenant) exact=true>
                    {icon(Icon::Overview)}
                    <span class="label">{NavigationPage::Overview.title()}</span>
                </A>
            </li>
        </ul>
        {NavigationPage::GROUPS.map(group)}
    }
}

/// Renders a group of links, or nothing if the role permits none of them.
fn group(title: &'static str, links: Vec<AnyView>) -> Option<AnyView> {
    (!links.is_empty()).then(|| {
        any_view! {
            <details class="nav-group" open>
                <summary>{title} {icon(Icon::Down)}</summary>
                <ul>{links}</ul>
            </details>
        }
    })
}

/// Returns the most used links, for the bar at the bottom of narrow pages.
fn tab_links(tenant: TenantId, role: Role, counts: Counts) -> AnyView {
    let tabs = NavigationPage::TABS.into_iter().filter(|page| page.is_permitted(role));
    let link = |page| link(tenant, page, None, counts.of(page, "count"));
    tabs.map(link).collect_view().into_any()
}

fn link(
    tenant: TenantId,
    page: NavigationPage,
    key: Option<&'static str>,
    count: Option<AnyView>,
) -> AnyView {
    let href = page.url(tenant);
    let label = view! {
        {icon(drawing(page))}
        <span class="label">{page.title()}</span>
        {count}
    };
    // The page is not part of the tenant, so it is never the current one.
    let link = if page == NavigationPage::SigningKeys {
        any_view! { <a href=href>{label}</a> }
    } else {
        any_view! {
            <A href=href attr:data-key=key>
                {label}
            </A>
        }
    };
    any_view! { <li>{link}</li> }
}

const fn drawing(page: NavigationPage) -> Icon {
    match page {
        NavigationPage::Overview => Icon::Overview,
        NavigationPage::Inbox => Icon::Inbox,
        NavigationPage::Alerts => Icon::Alert,
        NavigationPage::Policies => Icon::Policies,
        NavigationPage::Groups => Icon::Groups,
        NavigationPage::Capabilities => Icon::Seal,
        NavigationPage::Forms => Icon::Form,
        NavigationPage::Try => Icon::Try,
        NavigationPage::Decisions => Icon::Decisions,
        NavigationPage::Chains => Icon::Chain,
        NavigationPage::Log => Icon::Log,
        NavigationPage::SigningKeys => Icon::Key,
        NavigationPage::Audit => Icon::Audit,
        NavigationPage::Members | NavigationPage::Account => Icon::Members,
        NavigationPage::ApiKeys => Icon::ApiKey,
        NavigationPage::Webhooks => Icon::Webhook,
        NavigationPage::Settings => Icon::Settings,
    }
}

/// Returns the number of open alerts. Live updates change it, so the element exists even if the number is 0.
fn alert_count(number: u64) -> AnyView {
    any_view! {
        <span class="count" data-count="alerts" hidden=number == 0>
            {limited(number)}
        </span>
    }
}

/// Returns the number of pending items, or nothing if it is 0.
fn count(number: u64, class: &'static str) -> Option<AnyView> {
    (number > 0).then(|| any_view! { <span class=class>{limited(number)}</span> })
}
