//! The routes of all console pages.

use leptos_meta::provide_meta_context;
use leptos_router::{
    PossibleRouteMatch, SsrMode,
    components::{ParentRoute, Route, Router, Routes},
    path,
};

use crate::{
    account, alert, analytics, audit, bundle, capability, chain, cli_login, comparison, decision,
    delivery, editor, export, frame::layout::tenant_frame, gallery, group, help, home, hosted_form,
    identity_provider, inbox, invitation, key, log, member, missing::missing_page, outcome,
    overview, page::Page, policy, policy_form, prelude::*, receipt, reset, review, search,
    second_factor, settings, setup, sign_in, trust, try_decision, verify, version_page, webhook,
};

/// The console application. The server renders each page completely, so that the HTTP status is correct and
/// no page needs scripts to be displayed.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Router>
            <Routes fallback=missing_page>
                <PageRoute path=path!("/") page=Page::new(home::home) />
                <PageRoute path=path!("/login") page=Page::new(sign_in::login) />
                <PageRoute
                    path=path!("/login/confirm")
                    page=Page::new(sign_in::confirm::confirmation)
                />
                <PageRoute path=path!("/cli-login") page=Page::new(cli_login::cli_login) />
                <PageRoute
                    path=path!("/login/second-factor")
                    page=Page::new(second_factor::step::second_factor)
                />
                <PageRoute path=path!("/account") page=Page::new(account::account) />
                <PageRoute
                    path=path!("/account/authenticator")
                    page=Page::new(second_factor::authenticator::authenticator)
                />
                <PageRoute
                    path=path!("/account/recovery-codes")
                    page=Page::new(second_factor::codes::recovery_codes)
                />
                <PageRoute
                    path=path!("/account/second-factor")
                    page=Page::new(second_factor::security::required)
                />
                <PageRoute path=path!("/invitations") page=Page::new(invitation::invitations) />
                <PageRoute path=path!("/help") page=Page::new(help::help) />
                <PageRoute path=path!("/setup") page=Page::new(setup::setup) />
                <PageRoute path=path!("/reset") page=Page::new(reset::reset) />
                <PageRoute path=path!("/r/:decision") page=Page::new(receipt::receipt) />
                <PageRoute path=path!("/verify") page=Page::with_islands(verify::verify_page) />
                <PageRoute path=path!("/log") page=Page::new(log::log) />
                <PageRoute path=path!("/trust") page=Page::new(trust::trust) />
                <PageRoute path=path!("/dev/gallery") page=Page::new(gallery::gallery) />
                <TenantRoutes />
            </Routes>
        </Router>
    }
}

/// The pages of a tenant, inside the tenant's frame.
#[component(transparent)]
fn TenantRoutes() -> impl leptos_router::MatchNestedRoutes + Clone {
    view! {
        <ParentRoute path=path!("/t/:tenant") view=tenant_frame ssr=SsrMode::Async>
            <PageRoute path=path!("") page=Page::new(overview::overview) />
            <PageRoute path=path!("inbox") page=Page::new(inbox::inbox) />
            <PageRoute path=path!("search") page=Page::new(search::search) />
            <PageRoute path=path!("policies") page=Page::new(policy::policies) />
            <PageRoute path=path!("policies/new") page=Page::new(policy_form::new_policy) />
            <PageRoute path=path!("policies/:policy") page=Page::new(policy::policy) />
            <PageRoute
                path=path!("policies/:policy/analytics")
                page=Page::new(analytics::analytics)
            />
            <PageRoute
                path=path!("policies/:policy/deactivate")
                page=Page::new(policy::deactivate)
            />
            <PageRoute
                path=path!("policies/:policy/details")
                page=Page::new(policy_form::edit_policy)
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version")
                page=Page::new(version_page::detail::version)
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/edit")
                page=Page::with_islands(editor::edit_page)
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/send")
                page=Page::new(version_page::action::send)
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/review")
                page=Page::new(review::review)
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/compare")
                page=Page::new(comparison::compare)
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/ratify")
                page=Page::new(version_page::action::ratify)
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/reject")
                page=Page::new(version_page::action::reject)
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/activate")
                page=Page::new(version_page::action::activate)
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/supersede")
                page=Page::new(version_page::action::supersede)
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/review/accept")
                page=Page::new(review::accept)
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/review/return")
                page=Page::new(review::return_)
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/set-aside")
                page=Page::new(version_page::action::set_aside)
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/delete")
                page=Page::new(version_page::action::delete)
            />
            <PageRoute path=path!("groups") page=Page::new(group::groups) />
            <PageRoute path=path!("groups/:group") page=Page::new(group::group) />
            <PageRoute path=path!("forms") page=Page::new(hosted_form::forms) />
            <PageRoute path=path!("forms/:form/edit") page=Page::new(hosted_form::form) />
            <PageRoute path=path!("try") page=Page::with_islands(try_decision::try_page) />
            <PageRoute path=path!("decisions") page=Page::new(decision::decisions) />
            <PageRoute path=path!("decisions/export") page=Page::new(export::export) />
            <PageRoute path=path!("decisions/:decision") page=Page::new(decision::decision) />
            <PageRoute path=path!("decisions/:decision/outcome") page=Page::new(outcome::outcome) />
            <PageRoute path=path!("decisions/:decision/bundle") page=Page::new(bundle::bundle) />
            <PageRoute path=path!("chains") page=Page::new(chain::chains) />
            <PageRoute path=path!("chains/:chain") page=Page::new(chain::chain) />
            <PageRoute path=path!("alerts") page=Page::new(alert::alerts) />
            <PageRoute path=path!("alerts/acknowledge") page=Page::new(alert::acknowledge) />
            <PageRoute path=path!("alerts/assign") page=Page::new(alert::assign) />
            <PageRoute path=path!("alerts/snooze") page=Page::new(alert::snooze) />
            <PageRoute path=path!("alerts/:alert") page=Page::new(alert::alert) />
            <PageRoute path=path!("webhooks") page=Page::new(webhook::webhooks) />
            <PageRoute path=path!("webhooks/new") page=Page::new(webhook::new_webhook) />
            <PageRoute path=path!("webhooks/deliveries") page=Page::new(delivery::deliveries) />
            <PageRoute
                path=path!("webhooks/deliveries/:delivery")
                page=Page::new(delivery::delivery)
            />
            <PageRoute path=path!("audit") page=Page::new(audit::audit) />
            <PageRoute path=path!("settings") page=Page::new(settings::settings) />
            <PageRoute
                path=path!("settings/identity-providers")
                page=Page::new(identity_provider::identity_providers)
            />
            <PageRoute
                path=path!("settings/identity-providers/new")
                page=Page::new(identity_provider::form::new_provider)
            />
            <PageRoute
                path=path!("settings/identity-providers/:provider/edit")
                page=Page::new(identity_provider::form::edit)
            />
            <PageRoute path=path!("members") page=Page::new(member::members) />
            <PageRoute path=path!("members/:user/role") page=Page::new(member::change::role) />
            <PageRoute path=path!("members/:user/remove") page=Page::new(member::change::remove) />
            <PageRoute
                path=path!("members/:user/second-factors")
                page=Page::new(member::change::reset)
            />
            <PageRoute path=path!("keys") page=Page::new(key::keys) />
            <PageRoute path=path!("keys/:key/revoke") page=Page::new(key::revoke) />
            <PageRoute path=path!("capabilities") page=Page::new(capability::capabilities) />
            <PageRoute path=path!("capabilities/:grant/carry") page=Page::new(capability::carry) />
            <PageRoute
                path=path!("capabilities/:grant/revoke")
                page=Page::new(capability::revoke)
            />
        </ParentRoute>
    }
    .into_inner()
}

/// The route of a page. Paths have different types, so they are type-erased.
#[component(transparent)]
fn PageRoute<P>(path: P, page: Page) -> impl leptos_router::MatchNestedRoutes + Clone
where
    P: PossibleRouteMatch + Send + Sync + 'static,
{
    let path: Arc<dyn PossibleRouteMatch + Send + Sync> = Arc::new(path);
    view! { <Route path view=page ssr=SsrMode::Async /> }.into_inner()
}
