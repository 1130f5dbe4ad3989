//! Pages whose code comes when they are first visited, so that the first page waits for none of it.
//!
//! Pages that people visit together share a module: each module is one more request, and what two
//! modules share becomes a module of its own.

use leptos::prelude::*;
use leptos_router::ChooseView;

use crate::{
    page::{
        act::{
            ActivatePage, DeletePage, RatifyPage, RejectPage, SendPage, SetAsidePage, SupersedePage,
        },
        alerts::{AlertsPage, sheet::AlertPage},
        analytics::AnalyticsPage,
        audit::AuditPage,
        bundle::BundlePage,
        capabilities::{CarryPage, GrantsPage, RevokeGrantPage},
        confirm::ConfirmPage,
        deactivate::DeactivatePage,
        decision::DecisionPage,
        decisions::DecisionsPage,
        edit::EditPage,
        group::GroupPage,
        groups::GroupsPage,
        help::HelpPage,
        inbox::InboxPage,
        keys::KeysPage,
        login::LoginPage,
        members::MembersPage,
        outcome::OutcomePage,
        overview::OverviewPage,
        policies::PoliciesPage,
        policy::PolicyPage,
        policy_form::{EditPolicyPage, NewPolicyPage},
        receipt::{ReceiptPage, SubmissionPage},
        review::ReviewPage,
        revoke::RevokePage,
        settings::SettingsPage,
        tried::TryPage,
        verify::VerifyPage,
        version::VersionPage,
    },
    served::Served,
};

/// The modules: each with its name, that of its pages, the function that shows one, and the function that
/// fetches the module, as [`lazy`] names it. All pages are of one type, so that the router's code is
/// there once and not once a page.
macro_rules! modules {
    ($($module:ident($pages:ident), $show:ident, $fetch:ident: {
        $($(#[$doc:meta])+ $name:ident => $page:ident,)+
    })+) => {
        $(
            #[derive(Clone, Copy, Debug)]
            #[repr(u8)]
            pub(crate) enum $pages {
                $($(#[$doc])+ $name,)+
            }

            #[lazy]
            fn $show(page: $pages) -> AnyView {
                match page {
                    $($pages::$name => view! { <$page/> }.into_any(),)+
                }
            }

            impl From<$pages> for Page {
                fn from(page: $pages) -> Self {
                    Self::$module(page)
                }
            }
        )+

        /// A page: fetched with its module, or kept as the server rendered it.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Page {
            $($module($pages),)+
            Served(Served),
        }

        impl ChooseView for Page {
            async fn choose(self) -> AnyView {
                match self {
                    $(Self::$module(page) => $show(page).await,)+
                    Self::Served(page) => page.show().await,
                }
            }

            async fn preload(&self) {
                #[cfg(feature = "hydrate")]
                match self {
                    $(Self::$module(_) => $fetch().await,)+
                    Self::Served(_) => {}
                }
            }
        }
    };
}

// What two modules share is in everybody's, so pages that share much are in one: a module more, and all
// pages got heavier.
modules! {
    Policies(PolicyPages), show_policy_page, __preload_show_policy_page: {
        /// How governance is going.
        Overview => OverviewPage,
        /// The list of policies.
        List => PoliciesPage,
        /// One policy.
        One => PolicyPage,
        /// How one policy fares.
        Analytics => AnalyticsPage,
        /// Taking a policy out of force.
        Deactivate => DeactivatePage,
    }

    Versions(VersionPages), show_version_page, __preload_show_version_page: {
        /// One version.
        One => VersionPage,
        /// Ratifying a version.
        Ratify => RatifyPage,
        /// Activating a version.
        Activate => ActivatePage,
        /// Rejecting a version.
        Reject => RejectPage,
        /// Deleting a draft.
        Delete => DeletePage,
        /// Sending a draft for review.
        Send => SendPage,
        /// Setting a version aside.
        SetAside => SetAsidePage,
        /// Going on in a new draft.
        Supersede => SupersedePage,
    }

    Inbox(InboxPages), show_inbox_page, __preload_show_inbox_page: {
        /// What needs the person.
        Inbox => InboxPage,
        /// The alerts.
        Alerts => AlertsPage,
        /// One alert.
        Alert => AlertPage,
        /// The bundle of a decision, and where the decision comes from.
        Bundle => BundlePage,
    }

    Review(ReviewPages), show_review_page, __preload_show_review_page: {
        /// Judging a change.
        Review => ReviewPage,
    }

    Author(AuthorPages), show_author_page, __preload_show_author_page: {
        /// Making a policy.
        NewPolicy => NewPolicyPage,
        /// Changing a policy's own members.
        EditPolicy => EditPolicyPage,
        /// Writing a draft.
        EditVersion => EditPage,
    }

    Decisions(DecisionPages), show_decision_page, __preload_show_decision_page: {
        /// The log of decisions.
        List => DecisionsPage,
        /// One decision.
        One => DecisionPage,
        /// Telling the outcome of a decision.
        Outcome => OutcomePage,
        /// Trying a context.
        Try => TryPage,
    }

    Admin(AdminPages), show_admin_page, __preload_show_admin_page: {
        /// The API keys.
        Keys => KeysPage,
        /// Revoking an API key.
        RevokeKey => RevokePage,
        /// The members.
        Members => MembersPage,
        /// The authoring grants.
        Grants => GrantsPage,
        /// Carrying a grant.
        CarryGrant => CarryPage,
        /// Revoking a grant.
        RevokeGrant => RevokeGrantPage,
        /// The list of policy groups.
        Groups => GroupsPage,
        /// One policy group.
        Group => GroupPage,
        /// The audit log.
        Audit => AuditPage,
        /// The settings.
        Settings => SettingsPage,
    }

    Public(PublicPages), show_public_page, __preload_show_public_page: {
        /// Signing in.
        Login => LoginPage,
        /// Asking for the password again.
        Confirm => ConfirmPage,
        /// Help.
        Help => HelpPage,
        /// A receipt.
        Receipt => ReceiptPage,
        /// Checking a bundle.
        Verify => VerifyPage,
        /// The receipt of a submission to a form.
        Submission => SubmissionPage,
    }
}
