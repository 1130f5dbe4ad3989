//! The routes of all console pages.

use accounts::{
    audit, capability, identity_provider, key, member, reset, second_factor, settings, setup,
    sign_in,
};
use decisions::hosted_form;
use decisions::{
    alert, bundle, chain, decision, delivery, export, log, outcome, receipt, trust, try_decision,
    verify, webhook,
};
use leptos::tachys::view::iterators::StaticVec;
use leptos_meta::provide_meta_context;
use leptos_router::{
    NestedRoute, PossibleRouteMatch, SsrMode,
    any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute as _},
    components::{Router, Routes},
    path,
};
use page_kit::{page::Page, prelude::*};
use policies::{
    comparison, editor, group, policy, policy_form, review,
    version::actions::VersionAction,
    version_page::{self, action::action_page},
};

use crate::{
    account, analytics, cli_login, frame::layout::tenant_frame, gallery, help, home, inbox,
    invitation, missing::missing_page, overview, search,
};

/// The console application. The server renders each page completely, so that the HTTP status is correct and
/// no page needs scripts to be displayed.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Router>
            <Routes fallback=missing_page children=ToChildren::to_children(routes) />
        </Router>
    }
}

/// Returns the routes of pages, which `Page::$constructor` creates from the function of each path.
macro_rules! page_routes {
    ($constructor:ident: $($path:tt => $page:expr,)*) => {
        vec![$(page_route(path!($path), Page::$constructor($page))),*]
    };
}

/// Returns the route of a page. Paths have different types, so they are type-erased.
fn page_route(path: impl PossibleRouteMatch + Send + Sync + 'static, page: Page) -> AnyNestedRoute {
    let path: Arc<dyn PossibleRouteMatch + Send + Sync> = Arc::new(path);
    NestedRoute::new(path, page).ssr_mode(SsrMode::Async).into_any_nested_route()
}

fn routes() -> StaticVec<AnyNestedRoute> {
    let mut pages = page_routes! { new:
        "/" => home::home,
        "/login" => sign_in::login,
        "/login/confirm" => sign_in::confirm::confirmation,
        "/cli-login" => cli_login::cli_login,
        "/login/second-factor" => second_factor::step::second_factor,
        "/account" => account::account,
        "/account/authenticator" => second_factor::authenticator::authenticator,
        "/account/recovery-codes" => second_factor::codes::recovery_codes,
        "/account/second-factor" => second_factor::security::required,
        "/invitations" => invitation::invitations,
        "/help" => help::help,
        "/setup" => setup::setup,
        "/reset" => reset::reset,
        "/r/:decision" => receipt::receipt,
        "/log" => log::log,
        "/trust" => trust::trust,
        "/dev/gallery" => gallery::gallery,
    };
    pages.extend(page_routes! { with_islands:
        "/verify" => verify::verify_page,
    });
    pages.push(tenant_pages());
    pages.into()
}

/// Returns the pages of a tenant, inside the tenant's frame.
fn tenant_pages() -> AnyNestedRoute {
    let mut pages = page_routes! { new:
        "" => overview::overview,
        "inbox" => inbox::inbox,
        "search" => search::search,
        "policies" => policy::policies,
        "policies/new" => policy_form::new_policy,
        "policies/:policy" => policy::policy,
        "policies/:policy/analytics" => analytics::analytics,
        "policies/:policy/deactivate" => policy::deactivate,
        "policies/:policy/details" => policy_form::edit_policy,
        "policies/:policy/versions/:version" => version_page::detail::version,
        "policies/:policy/versions/:version/send" => || action_page(VersionAction::Send),
        "policies/:policy/versions/:version/review" => review::review,
        "policies/:policy/versions/:version/compare" => comparison::compare,
        "policies/:policy/versions/:version/ratify" => || action_page(VersionAction::Ratify),
        "policies/:policy/versions/:version/reject" => || action_page(VersionAction::Reject),
        "policies/:policy/versions/:version/activate" => || action_page(VersionAction::Activate),
        "policies/:policy/versions/:version/supersede" => || action_page(VersionAction::Supersede),
        "policies/:policy/versions/:version/review/accept" => review::accept,
        "policies/:policy/versions/:version/review/return" => review::return_,
        "policies/:policy/versions/:version/set-aside" => || action_page(VersionAction::SetAside),
        "policies/:policy/versions/:version/delete" => || action_page(VersionAction::Delete),
        "groups" => group::groups,
        "groups/:group" => group::group,
        "forms" => hosted_form::forms,
        "forms/:form/edit" => hosted_form::form,
        "decisions" => decision::decisions,
        "decisions/export" => export::export,
        "decisions/:decision" => decision::decision,
        "decisions/:decision/outcome" => outcome::outcome,
        "decisions/:decision/bundle" => bundle::bundle,
        "chains" => chain::chains,
        "chains/:chain" => chain::chain,
        "alerts" => alert::alerts,
        "alerts/acknowledge" => alert::acknowledge,
        "alerts/assign" => alert::assign,
        "alerts/snooze" => alert::snooze,
        "alerts/:alert" => alert::alert,
        "webhooks" => webhook::webhooks,
        "webhooks/new" => webhook::new_webhook,
        "webhooks/deliveries" => delivery::deliveries,
        "webhooks/deliveries/:delivery" => delivery::delivery,
        "audit" => audit::audit,
        "settings" => settings::settings,
        "settings/identity-providers" => identity_provider::identity_providers,
        "settings/identity-providers/new" => identity_provider::form::new_provider,
        "settings/identity-providers/:provider/edit" => identity_provider::form::edit,
        "members" => member::members,
        "members/:user/role" => member::change::role,
        "members/:user/remove" => member::change::remove,
        "members/:user/second-factors" => member::change::reset,
        "keys" => key::keys,
        "keys/:key/revoke" => key::revoke,
        "capabilities" => capability::capabilities,
        "capabilities/:grant/carry" => capability::carry,
        "capabilities/:grant/revoke" => capability::revoke,
    };
    pages.extend(page_routes! { with_islands:
        "policies/:policy/versions/:version/edit" => editor::edit_page,
        "try" => try_decision::try_page,
    });
    let frame = NestedRoute::new(path!("/t/:tenant"), tenant_frame).ssr_mode(SsrMode::Async);
    frame.child(StaticVec::from(pages)).into_any_nested_route()
}
