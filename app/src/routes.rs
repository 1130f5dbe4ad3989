//! The routes of all console pages.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::{
    PossibleRouteMatch, SsrMode,
    components::{ParentRoute, Route, Router, Routes},
    path,
};

use crate::{
    lazy::{
        AdminPages, AuthorPages, DecisionPages, InboxPages, Page, PolicyPages, PublicPages,
        ReviewPages, VersionPages,
    },
    page::missing::MissingPage,
    server_page::ServerPage,
    ui::{data_attributes, frame::TenantFrame, heading::ClientNavigation, shortcuts},
};

/// The console application. The server renders each page completely, so that the HTTP status is correct and
/// no page needs scripts to be displayed.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    let has_navigated = StoredValue::new(false);
    provide_context(ClientNavigation(has_navigated));
    let (is_routing, set_is_routing) = signal(false);
    Effect::new(move || {
        if is_routing.get() {
            has_navigated.set_value(true);
        }
    });
    shortcuts::listen();
    data_attributes::listen();
    view! {
        <Router set_is_routing>
            <Routes fallback=MissingPage>
                <Fetched path=path!("/") page=ServerPage::Home />
                <Fetched path=path!("/login") page=PublicPages::Login />
                <Fetched path=path!("/login/confirm") page=PublicPages::Confirm />
                <Fetched path=path!("/account") page=ServerPage::Account />
                <Fetched path=path!("/help") page=PublicPages::Help />
                <Fetched path=path!("/setup") page=ServerPage::Setup />
                <Fetched path=path!("/reset") page=ServerPage::Reset />
                <Fetched path=path!("/r/:decision") page=PublicPages::Receipt />
                <Fetched path=path!("/verify") page=PublicPages::Verify />
                <Fetched path=path!("/trust") page=ServerPage::Trust />
                <Fetched path=path!("/f/:form/receipts/:decision") page=PublicPages::Submission />
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
            <Fetched path=path!("") page=PolicyPages::Overview />
            <Fetched path=path!("inbox") page=InboxPages::Inbox />
            <Fetched path=path!("policies") page=PolicyPages::List />
            <Fetched path=path!("policies/new") page=AuthorPages::NewPolicy />
            <Fetched path=path!("policies/:policy") page=PolicyPages::One />
            <Fetched path=path!("policies/:policy/analytics") page=PolicyPages::Analytics />
            <Fetched path=path!("policies/:policy/deactivate") page=PolicyPages::Deactivate />
            <Fetched path=path!("policies/:policy/details") page=AuthorPages::EditPolicy />
            <Fetched path=path!("policies/:policy/versions/:version") page=VersionPages::One />
            <Fetched
                path=path!("policies/:policy/versions/:version/edit")
                page=AuthorPages::EditVersion
            />
            <Fetched
                path=path!("policies/:policy/versions/:version/send")
                page=VersionPages::Send
            />
            <Fetched
                path=path!("policies/:policy/versions/:version/review")
                page=ReviewPages::Review
            />
            <Fetched
                path=path!("policies/:policy/versions/:version/ratify")
                page=VersionPages::Ratify
            />
            <Fetched
                path=path!("policies/:policy/versions/:version/reject")
                page=VersionPages::Reject
            />
            <Fetched
                path=path!("policies/:policy/versions/:version/activate")
                page=VersionPages::Activate
            />
            <Fetched
                path=path!("policies/:policy/versions/:version/supersede")
                page=VersionPages::Supersede
            />
            <Fetched
                path=path!("policies/:policy/versions/:version/review/accept")
                page=ServerPage::Accept
            />
            <Fetched
                path=path!("policies/:policy/versions/:version/review/return")
                page=ServerPage::Return
            />
            <Fetched
                path=path!("policies/:policy/versions/:version/set-aside")
                page=VersionPages::SetAside
            />
            <Fetched
                path=path!("policies/:policy/versions/:version/delete")
                page=VersionPages::Delete
            />
            <Fetched path=path!("groups") page=AdminPages::Groups />
            <Fetched path=path!("groups/:group") page=AdminPages::Group />
            <Fetched path=path!("forms") page=ServerPage::Forms />
            <Fetched path=path!("forms/:form/edit") page=ServerPage::Form />
            <Fetched path=path!("try") page=DecisionPages::Try />
            <Fetched path=path!("decisions") page=DecisionPages::List />
            <Fetched path=path!("decisions/:decision") page=DecisionPages::One />
            <Fetched path=path!("decisions/:decision/outcome") page=DecisionPages::Outcome />
            <Fetched path=path!("decisions/:decision/bundle") page=InboxPages::Bundle />
            <Fetched path=path!("chains/:chain") page=ServerPage::Chain />
            <Fetched path=path!("alerts") page=InboxPages::Alerts />
            <Fetched path=path!("alerts/acknowledge") page=ServerPage::Acknowledge />
            <Fetched path=path!("alerts/:alert") page=InboxPages::Alert />
            <Fetched path=path!("webhooks") page=ServerPage::Webhooks />
            <Fetched path=path!("webhooks/new") page=ServerPage::NewWebhook />
            <Fetched path=path!("webhooks/deliveries") page=ServerPage::Deliveries />
            <Fetched path=path!("webhooks/deliveries/:delivery") page=ServerPage::Delivery />
            <Fetched path=path!("audit") page=AdminPages::Audit />
            <Fetched path=path!("settings") page=AdminPages::Settings />
            <Fetched path=path!("members") page=AdminPages::Members />
            <Fetched path=path!("members/:user/role") page=ServerPage::ChangeRole />
            <Fetched path=path!("members/:user/remove") page=ServerPage::RemoveMember />
            <Fetched path=path!("keys") page=AdminPages::Keys />
            <Fetched path=path!("keys/:key/revoke") page=AdminPages::RevokeKey />
            <Fetched path=path!("capabilities") page=AdminPages::Grants />
            <Fetched path=path!("capabilities/:grant/carry") page=AdminPages::CarryGrant />
            <Fetched path=path!("capabilities/:grant/revoke") page=AdminPages::RevokeGrant />
        </ParentRoute>
    }
    .into_inner()
}

/// The route of a page. Paths have different types, so they are boxed.
#[component(transparent)]
fn Fetched<P>(path: P, #[prop(into)] page: Page) -> impl leptos_router::MatchNestedRoutes + Clone
where
    P: PossibleRouteMatch + Send + Sync + 'static,
{
    let path: Arc<dyn PossibleRouteMatch + Send + Sync> = Arc::new(path);
    view! { <Route path view=page ssr=SsrMode::Async /> }.into_inner()
}
