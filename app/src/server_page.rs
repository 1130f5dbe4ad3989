//! Pages that only the server renders: lists and plain forms that need no code in the browser.
//!
//! Their documents contain neither the browser module nor its data. Copying, one-time submission, dialogs, previews,
//! shortcuts and live counts work through `data-*` attributes (`public/page.js`). A link to such a page, or on
//! one, loads a new document.

use leptos::prelude::*;

/// Defines the pages: the name of each, and its component in [`crate::page`].
macro_rules! pages {
    ($($name:ident => $module:ident$(::$inner:ident)*,)+) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum ServerPage {
            $($name,)+
        }

        #[cfg(feature = "ssr")]
        impl ServerPage {
            pub(crate) fn show(self) -> std::future::Ready<AnyView> {
                crate::ui::load::render_only();
                std::future::ready(match self {
                    $(Self::$name => crate::page::$module$(::$inner)*().into_any(),)+
                })
            }
        }
    };
}

pages! {
    Home => home::HomePage,
    Overview => overview::OverviewPage,
    Inbox => inbox::InboxPage,
    Account => account::AccountPage,
    Invitations => invitations::InvitationsPage,
    Setup => setup::SetupPage,
    Members => members::MembersPage,
    ChangeRole => members::ChangeRolePage,
    RemoveMember => members::RemoveMemberPage,
    Accept => review::confirm::AcceptPage,
    Return => review::confirm::ReturnPage,
    Alerts => alerts::AlertsPage,
    Alert => alerts::detail::AlertPage,
    Acknowledge => alerts::acknowledge::AcknowledgePage,
    Assign => alerts::assign::AssignPage,
    Snooze => alerts::snooze::SnoozePage,
    Decisions => decisions::DecisionsPage,
    Decision => decision::DecisionPage,
    Outcome => outcome::OutcomePage,
    Bundle => bundle::BundlePage,
    Export => export::ExportPage,
    Chains => chains::ChainsPage,
    Chain => chain::ChainPage,
    Compare => compare::ComparePage,
    Search => search::SearchPage,
    Policies => policies::PoliciesPage,
    Policy => policy::PolicyPage,
    Analytics => analytics::AnalyticsPage,
    Deactivate => deactivate::DeactivatePage,
    NewPolicy => policy_form::NewPolicyPage,
    EditPolicy => policy_form::EditPolicyPage,
    Version => version::VersionPage,
    Submit => version_action::SendPage,
    Review => review::ReviewPage,
    Ratify => version_action::RatifyPage,
    Reject => version_action::RejectPage,
    Activate => version_action::ActivatePage,
    Supersede => version_action::SupersedePage,
    SetAside => version_action::SetAsidePage,
    Delete => version_action::DeletePage,
    Groups => groups::GroupsPage,
    Group => group::GroupPage,
    Forms => forms::FormsPage,
    Form => hosted_form::FormPage,
    Webhooks => webhooks::WebhooksPage,
    NewWebhook => webhooks::NewWebhookPage,
    Deliveries => deliveries::DeliveriesPage,
    Delivery => delivery::DeliveryPage,
    Audit => audit::AuditPage,
    Settings => settings::SettingsPage,
    Keys => keys::KeysPage,
    RevokeKey => revoke::RevokePage,
    Grants => capabilities::GrantsPage,
    CarryGrant => capabilities::CarryPage,
    RevokeGrant => capabilities::RevokeGrantPage,
    Log => log::LogPage,
    Receipt => receipt::ReceiptPage,
    Reset => reset::ResetPage,
    Trust => trust::TrustPage,
    Login => login::LoginPage,
    Confirm => confirm::ConfirmPage,
    Help => help::HelpPage,
    Gallery => gallery::GalleryPage,
}

#[cfg(not(feature = "ssr"))]
impl ServerPage {
    /// Loads the document of the page. The router adds an entry to the history only after a page is shown, so the
    /// browser navigates instead.
    pub(crate) async fn show(self) -> AnyView {
        let url = leptos_router::hooks::use_url();
        let address = crate::text::url::address(&url.read_untracked());
        let _ = window().location().assign(&address);
        std::future::pending().await
    }
}
