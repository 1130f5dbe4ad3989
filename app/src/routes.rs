//! Every page of the console, in one readable list.

use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::{
    Lazy, SsrMode,
    components::{ParentRoute, Route, Router, Routes},
    path,
};

use crate::{
    lazy::{
        Activate, Audit, CarryGrant, Decision, Decisions, Delete, Edit, EditPolicy, Grants, Group,
        Groups, Help, Inbox, Keys, Members, NewPolicy, Outcome, Overview, Policies, Policy, Ratify,
        Receipt, Reject, RemoveMember, Review, Revoke, RevokeGrant, SendDraft, SetAside, Settings,
        Setup, Supersede, Try, Version,
    },
    page::{confirm::ConfirmPage, home::HomePage, login::LoginPage, missing::MissingPage},
    ui::{frame::TenantFrame, heading::Moved, keys},
};

/// The console. Each page is complete in the server's answer, so that the status is right and
/// nothing of it needs scripts.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    let moved = StoredValue::new(false);
    provide_context(Moved(moved));
    let (is_routing, set_is_routing) = signal(false);
    Effect::new(move || {
        if is_routing.get() {
            moved.set_value(true);
        }
    });
    keys::listen();
    view! {
        <Router set_is_routing>
            <Routes fallback=MissingPage>
                <Route path=path!("/") view=HomePage ssr=SsrMode::Async/>
                <Route path=path!("/login") view=LoginPage ssr=SsrMode::Async/>
                <Route path=path!("/login/confirm") view=ConfirmPage ssr=SsrMode::Async/>
                <Route path=path!("/help") view={Lazy::<Help>::new()} ssr=SsrMode::Async/>
                <Route path=path!("/setup") view={Lazy::<Setup>::new()} ssr=SsrMode::Async/>
                <Route path=path!("/r/:decision") view={Lazy::<Receipt>::new()} ssr=SsrMode::Async/>
                <TenantRoutes/>
            </Routes>
        </Router>
    }
}

/// The pages of a tenant, in its frame.
#[component(transparent)]
fn TenantRoutes() -> impl leptos_router::MatchNestedRoutes + Clone {
    view! {
        <ParentRoute path=path!("/t/:tenant") view=TenantFrame ssr=SsrMode::Async>
            <Route path=path!("") view={Lazy::<Overview>::new()} ssr=SsrMode::Async/>
            <Route path=path!("inbox") view={Lazy::<Inbox>::new()} ssr=SsrMode::Async/>
            <Route path=path!("policies") view={Lazy::<Policies>::new()} ssr=SsrMode::Async/>
            <Route path=path!("policies/new") view={Lazy::<NewPolicy>::new()} ssr=SsrMode::Async/>
            <Route path=path!("policies/:policy") view={Lazy::<Policy>::new()} ssr=SsrMode::Async/>
            <Route
                path=path!("policies/:policy/details")
                view={Lazy::<EditPolicy>::new()}
                ssr=SsrMode::Async
            />
            <Route
                path=path!("policies/:policy/versions/:version/edit")
                view={Lazy::<Edit>::new()}
                ssr=SsrMode::Async
            />
            <Route
                path=path!("policies/:policy/versions/:version")
                view={Lazy::<Version>::new()}
                ssr=SsrMode::Async
            />
            <Route
                path=path!("policies/:policy/versions/:version/ratify")
                view={Lazy::<Ratify>::new()}
                ssr=SsrMode::Async
            />
            <Route
                path=path!("policies/:policy/versions/:version/activate")
                view={Lazy::<Activate>::new()}
                ssr=SsrMode::Async
            />
            <Route
                path=path!("policies/:policy/versions/:version/reject")
                view={Lazy::<Reject>::new()}
                ssr=SsrMode::Async
            />
            <Route path=path!("groups") view={Lazy::<Groups>::new()} ssr=SsrMode::Async/>
            <Route path=path!("groups/:group") view={Lazy::<Group>::new()} ssr=SsrMode::Async/>
            <Route
                path=path!("policies/:policy/versions/:version/delete")
                view={Lazy::<Delete>::new()}
                ssr=SsrMode::Async
            />
            <Route
                path=path!("policies/:policy/versions/:version/send")
                view={Lazy::<SendDraft>::new()}
                ssr=SsrMode::Async
            />
            <Route
                path=path!("policies/:policy/versions/:version/set-aside")
                view={Lazy::<SetAside>::new()}
                ssr=SsrMode::Async
            />
            <Route
                path=path!("policies/:policy/versions/:version/supersede")
                view={Lazy::<Supersede>::new()}
                ssr=SsrMode::Async
            />
            <Route
                path=path!("policies/:policy/versions/:version/review")
                view={Lazy::<Review>::new()}
                ssr=SsrMode::Async
            />
            <Route path=path!("decisions") view={Lazy::<Decisions>::new()} ssr=SsrMode::Async/>
            <Route path=path!("decisions/:decision") view={Lazy::<Decision>::new()} ssr=SsrMode::Async/>
            <Route
                path=path!("decisions/:decision/outcome")
                view={Lazy::<Outcome>::new()}
                ssr=SsrMode::Async
            />
            <Route path=path!("try") view={Lazy::<Try>::new()} ssr=SsrMode::Async/>
            <Route path=path!("audit") view={Lazy::<Audit>::new()} ssr=SsrMode::Async/>
            <Route path=path!("keys") view={Lazy::<Keys>::new()} ssr=SsrMode::Async/>
            <Route path=path!("capabilities") view={Lazy::<Grants>::new()} ssr=SsrMode::Async/>
            <Route
                path=path!("capabilities/:grant/carry")
                view={Lazy::<CarryGrant>::new()}
                ssr=SsrMode::Async
            />
            <Route
                path=path!("capabilities/:grant/revoke")
                view={Lazy::<RevokeGrant>::new()}
                ssr=SsrMode::Async
            />
            <Route path=path!("members") view={Lazy::<Members>::new()} ssr=SsrMode::Async/>
            <Route
                path=path!("members/:user/remove")
                view={Lazy::<RemoveMember>::new()}
                ssr=SsrMode::Async
            />
            <Route path=path!("settings") view={Lazy::<Settings>::new()} ssr=SsrMode::Async/>
            <Route path=path!("keys/:key/revoke") view={Lazy::<Revoke>::new()} ssr=SsrMode::Async/>
        </ParentRoute>
    }
    .into_inner()
}
