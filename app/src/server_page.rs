//! Pages that only the server renders: lists and plain forms that need no code in the browser.
//!
//! Their documents contain neither the browser module nor its data. Copying, one-time submission, previews,
//! shortcuts and live counts work through `data-*` attributes (`public/page.js`). A link to such a page, or on
//! one, loads a new document.

#[derive(Clone, Copy, Debug)]
pub(crate) enum ServerPage {
    Home,
    Overview,
    Inbox,
    Account,
    Invitations,
    Setup,
    Members,
    ChangeRole,
    RemoveMember,
    Accept,
    Return,
    Alerts,
    Alert,
    Acknowledge,
    Assign,
    Snooze,
    Decisions,
    Decision,
    Export,
    Chains,
    Chain,
    Compare,
    Search,
    Policies,
    Policy,
    Forms,
    Form,
    Webhooks,
    NewWebhook,
    Deliveries,
    Delivery,
    Audit,
    Settings,
    Log,
    Receipt,
    Reset,
    Trust,
    Login,
    Confirm,
    Help,
    Gallery,
}

#[cfg(feature = "ssr")]
mod rendered {
    use std::future::{Ready, ready};

    use leptos::prelude::*;

    use super::ServerPage;
    use crate::page::{
        account::AccountPage,
        alerts::{
            AlertsPage, acknowledge::AcknowledgePage, assign::AssignPage, detail::AlertPage,
            snooze::SnoozePage,
        },
        audit::AuditPage,
        chain::ChainPage,
        chains::ChainsPage,
        compare::ComparePage,
        confirm::ConfirmPage,
        decision::DecisionPage,
        decisions::DecisionsPage,
        deliveries::DeliveriesPage,
        delivery::DeliveryPage,
        export::ExportPage,
        forms::FormsPage,
        gallery::GalleryPage,
        help::HelpPage,
        home::HomePage,
        hosted_form::FormPage,
        inbox::InboxPage,
        invitations::InvitationsPage,
        log::LogPage,
        login::LoginPage,
        members::{ChangeRolePage, MembersPage, RemoveMemberPage},
        overview::OverviewPage,
        policies::PoliciesPage,
        policy::PolicyPage,
        receipt::ReceiptPage,
        reset::ResetPage,
        review::confirm::{AcceptPage, ReturnPage},
        search::SearchPage,
        settings::SettingsPage,
        setup::SetupPage,
        trust::TrustPage,
        webhooks::{NewWebhookPage, WebhooksPage},
    };
    use crate::ui::load::render_only;

    impl ServerPage {
        pub(crate) fn show(self) -> Ready<AnyView> {
            render_only();
            let page = match self {
                Self::Home => view! { <HomePage /> }.into_any(),
                Self::Overview => view! { <OverviewPage /> }.into_any(),
                Self::Inbox => view! { <InboxPage /> }.into_any(),
                Self::Account => view! { <AccountPage /> }.into_any(),
                Self::Invitations => view! { <InvitationsPage /> }.into_any(),
                Self::Setup => view! { <SetupPage /> }.into_any(),
                Self::Members => view! { <MembersPage /> }.into_any(),
                Self::ChangeRole => view! { <ChangeRolePage /> }.into_any(),
                Self::RemoveMember => view! { <RemoveMemberPage /> }.into_any(),
                Self::Accept => view! { <AcceptPage /> }.into_any(),
                Self::Return => view! { <ReturnPage /> }.into_any(),
                Self::Alerts => view! { <AlertsPage /> }.into_any(),
                Self::Alert => view! { <AlertPage /> }.into_any(),
                Self::Acknowledge => view! { <AcknowledgePage /> }.into_any(),
                Self::Assign => view! { <AssignPage /> }.into_any(),
                Self::Snooze => view! { <SnoozePage /> }.into_any(),
                Self::Decisions => view! { <DecisionsPage /> }.into_any(),
                Self::Decision => view! { <DecisionPage /> }.into_any(),
                Self::Export => view! { <ExportPage /> }.into_any(),
                Self::Chains => view! { <ChainsPage /> }.into_any(),
                Self::Chain => view! { <ChainPage /> }.into_any(),
                Self::Compare => view! { <ComparePage /> }.into_any(),
                Self::Search => view! { <SearchPage /> }.into_any(),
                Self::Policies => view! { <PoliciesPage /> }.into_any(),
                Self::Policy => view! { <PolicyPage /> }.into_any(),
                Self::Forms => view! { <FormsPage /> }.into_any(),
                Self::Form => view! { <FormPage /> }.into_any(),
                Self::Webhooks => view! { <WebhooksPage /> }.into_any(),
                Self::NewWebhook => view! { <NewWebhookPage /> }.into_any(),
                Self::Deliveries => view! { <DeliveriesPage /> }.into_any(),
                Self::Delivery => view! { <DeliveryPage /> }.into_any(),
                Self::Audit => view! { <AuditPage /> }.into_any(),
                Self::Settings => view! { <SettingsPage /> }.into_any(),
                Self::Log => view! { <LogPage /> }.into_any(),
                Self::Receipt => view! { <ReceiptPage /> }.into_any(),
                Self::Reset => view! { <ResetPage /> }.into_any(),
                Self::Trust => view! { <TrustPage /> }.into_any(),
                Self::Login => view! { <LoginPage /> }.into_any(),
                Self::Confirm => view! { <ConfirmPage /> }.into_any(),
                Self::Help => view! { <HelpPage /> }.into_any(),
                Self::Gallery => view! { <GalleryPage /> }.into_any(),
            };
            ready(page)
        }
    }
}

#[cfg(not(feature = "ssr"))]
mod linked {
    use std::future::pending;

    use leptos::prelude::*;
    use leptos_router::hooks::use_url;

    use super::ServerPage;
    use crate::text::url::address;

    impl ServerPage {
        /// Loads the document of the page. The router adds an entry to the history only after a page is shown,
        /// so the browser navigates instead.
        pub(crate) async fn show(self) -> AnyView {
            let address = address(&use_url().read_untracked());
            let _ = window().location().assign(&address);
            pending().await
        }
    }
}
