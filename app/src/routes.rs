//! The routes of all console pages.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::{
    PossibleRouteMatch, SsrMode,
    components::{ParentRoute, Route, Router, Routes},
    path,
};

use crate::{frame::layout::TenantFrame, missing::MissingPage, server_page::ServerPage};

/// The console application. The server renders each page completely, so that the HTTP status is correct and
/// no page needs scripts to be displayed.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Router>
            <Routes fallback=MissingPage>
                <PageRoute path=path!("/") page=ServerPage::Home />
                <PageRoute path=path!("/login") page=ServerPage::Login />
                <PageRoute path=path!("/login/confirm") page=ServerPage::Confirm />
                <PageRoute path=path!("/cli-login") page=ServerPage::CliLogin />
                <PageRoute path=path!("/login/second-factor") page=ServerPage::SecondFactor />
                <PageRoute path=path!("/account") page=ServerPage::Account />
                <PageRoute path=path!("/account/authenticator") page=ServerPage::Authenticator />
                <PageRoute path=path!("/account/recovery-codes") page=ServerPage::RecoveryCodes />
                <PageRoute path=path!("/account/second-factor") page=ServerPage::RequiredFactor />
                <PageRoute path=path!("/invitations") page=ServerPage::Invitations />
                <PageRoute path=path!("/help") page=ServerPage::Help />
                <PageRoute path=path!("/setup") page=ServerPage::Setup />
                <PageRoute path=path!("/reset") page=ServerPage::Reset />
                <PageRoute path=path!("/r/:decision") page=ServerPage::Receipt />
                <PageRoute path=path!("/verify") page=ServerPage::Verify />
                <PageRoute path=path!("/log") page=ServerPage::Log />
                <PageRoute path=path!("/trust") page=ServerPage::Trust />
                <PageRoute path=path!("/dev/gallery") page=ServerPage::Gallery />
                <TenantRoutes />
            </Routes>
        </Router>
    }
}

/// The pages of a tenant, inside the tenant's frame.
#[component(transparent)]
fn TenantRoutes() -> impl leptos_router::MatchNestedRoutes + Clone {
    view! {
        <ParentRoute path=path!("/t/:tenant") view=TenantFrame ssr=SsrMode::Async>
            <PageRoute path=path!("") page=ServerPage::Overview />
            <PageRoute path=path!("inbox") page=ServerPage::Inbox />
            <PageRoute path=path!("search") page=ServerPage::Search />
            <PageRoute path=path!("policies") page=ServerPage::Policies />
            <PageRoute path=path!("policies/new") page=ServerPage::NewPolicy />
            <PageRoute path=path!("policies/:policy") page=ServerPage::Policy />
            <PageRoute path=path!("policies/:policy/analytics") page=ServerPage::Analytics />
            <PageRoute path=path!("policies/:policy/deactivate") page=ServerPage::Deactivate />
            <PageRoute path=path!("policies/:policy/details") page=ServerPage::EditPolicy />
            <PageRoute path=path!("policies/:policy/versions/:version") page=ServerPage::Version />
            <PageRoute
                path=path!("policies/:policy/versions/:version/edit")
                page=ServerPage::Edit
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/send")
                page=ServerPage::Submit
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/review")
                page=ServerPage::Review
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/compare")
                page=ServerPage::Compare
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/ratify")
                page=ServerPage::Ratify
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/reject")
                page=ServerPage::Reject
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/activate")
                page=ServerPage::Activate
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/supersede")
                page=ServerPage::Supersede
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/review/accept")
                page=ServerPage::Accept
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/review/return")
                page=ServerPage::Return
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/set-aside")
                page=ServerPage::SetAside
            />
            <PageRoute
                path=path!("policies/:policy/versions/:version/delete")
                page=ServerPage::Delete
            />
            <PageRoute path=path!("groups") page=ServerPage::Groups />
            <PageRoute path=path!("groups/:group") page=ServerPage::Group />
            <PageRoute path=path!("forms") page=ServerPage::Forms />
            <PageRoute path=path!("forms/:form/edit") page=ServerPage::Form />
            <PageRoute path=path!("try") page=ServerPage::Try />
            <PageRoute path=path!("decisions") page=ServerPage::Decisions />
            <PageRoute path=path!("decisions/export") page=ServerPage::Export />
            <PageRoute path=path!("decisions/:decision") page=ServerPage::Decision />
            <PageRoute path=path!("decisions/:decision/outcome") page=ServerPage::Outcome />
            <PageRoute path=path!("decisions/:decision/bundle") page=ServerPage::Bundle />
            <PageRoute path=path!("chains") page=ServerPage::Chains />
            <PageRoute path=path!("chains/:chain") page=ServerPage::Chain />
            <PageRoute path=path!("alerts") page=ServerPage::Alerts />
            <PageRoute path=path!("alerts/acknowledge") page=ServerPage::Acknowledge />
            <PageRoute path=path!("alerts/assign") page=ServerPage::Assign />
            <PageRoute path=path!("alerts/snooze") page=ServerPage::Snooze />
            <PageRoute path=path!("alerts/:alert") page=ServerPage::Alert />
            <PageRoute path=path!("webhooks") page=ServerPage::Webhooks />
            <PageRoute path=path!("webhooks/new") page=ServerPage::NewWebhook />
            <PageRoute path=path!("webhooks/deliveries") page=ServerPage::Deliveries />
            <PageRoute path=path!("webhooks/deliveries/:delivery") page=ServerPage::Delivery />
            <PageRoute path=path!("audit") page=ServerPage::Audit />
            <PageRoute path=path!("settings") page=ServerPage::Settings />
            <PageRoute
                path=path!("settings/identity-providers")
                page=ServerPage::IdentityProviders
            />
            <PageRoute
                path=path!("settings/identity-providers/new")
                page=ServerPage::NewIdentityProvider
            />
            <PageRoute
                path=path!("settings/identity-providers/:provider/edit")
                page=ServerPage::EditIdentityProvider
            />
            <PageRoute path=path!("members") page=ServerPage::Members />
            <PageRoute path=path!("members/:user/role") page=ServerPage::ChangeRole />
            <PageRoute path=path!("members/:user/remove") page=ServerPage::RemoveMember />
            <PageRoute path=path!("members/:user/second-factors") page=ServerPage::ResetFactors />
            <PageRoute path=path!("keys") page=ServerPage::Keys />
            <PageRoute path=path!("keys/:key/revoke") page=ServerPage::RevokeKey />
            <PageRoute path=path!("capabilities") page=ServerPage::Grants />
            <PageRoute path=path!("capabilities/:grant/carry") page=ServerPage::CarryGrant />
            <PageRoute path=path!("capabilities/:grant/revoke") page=ServerPage::RevokeGrant />
        </ParentRoute>
    }
    .into_inner()
}

/// The route of a page. Paths have different types, so they are type-erased.
#[component(transparent)]
fn PageRoute<P>(path: P, page: ServerPage) -> impl leptos_router::MatchNestedRoutes + Clone
where
    P: PossibleRouteMatch + Send + Sync + 'static,
{
    let path: Arc<dyn PossibleRouteMatch + Send + Sync> = Arc::new(path);
    view! { <Route path view=page ssr=SsrMode::Async /> }.into_inner()
}
