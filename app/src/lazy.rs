//! Pages whose code comes when they are first visited, so that the first page waits for none of it.
//!
//! Pages that people visit together share a module: each module is one more request, and what two
//! modules share becomes a module of its own.

use leptos::prelude::*;
use leptos_router::LazyRoute;

use crate::page::{
    act::{
        ActivatePage, DeletePage, RatifyPage, RejectPage, SendPage, SetAsidePage, SupersedePage,
    },
    audit::AuditPage,
    capabilities::{CarryPage, GrantsPage, RevokeGrantPage},
    decision::DecisionPage,
    decisions::DecisionsPage,
    edit::EditPage,
    group::GroupPage,
    groups::GroupsPage,
    help::HelpPage,
    inbox::InboxPage,
    keys::KeysPage,
    members::{MembersPage, RemoveMemberPage},
    outcome::OutcomePage,
    overview::OverviewPage,
    policies::PoliciesPage,
    policy::PolicyPage,
    policy_form::{EditPolicyPage, NewPolicyPage},
    receipt::ReceiptPage,
    review::ReviewPage,
    revoke::RevokePage,
    settings::SettingsPage,
    setup::SetupPage,
    tried::TryPage,
    version::VersionPage,
};

/// One module of pages: the name for its pages, the function that shows one, the function that
/// fetches the module, as [`lazy`] names it, and each page's route.
macro_rules! pages {
    ($pages:ident, $show:ident, $fetch:ident: $($(#[$doc:meta])+ $route:ident => $page:ident,)+) => {
        #[derive(Clone, Copy, Debug)]
        #[repr(u8)]
        enum $pages {
            $($route,)+
        }

        #[lazy]
        fn $show(page: $pages) -> AnyView {
            match page {
                $($pages::$route => view! { <$page/> }.into_any(),)+
            }
        }

        $(
            $(#[$doc])+
            #[derive(Debug)]
            pub(crate) struct $route;

            impl LazyRoute for $route {
                fn data() -> Self {
                    Self
                }

                async fn view(_route: Self) -> AnyView {
                    $show($pages::$route).await
                }

                async fn preload() {
                    #[cfg(feature = "hydrate")]
                    $fetch().await;
                }
            }
        )+
    };
}

pages! { PolicyPages, show_policy_page, __preload_show_policy_page:
    /// The list of policies.
    Policies => PoliciesPage,
    /// One policy.
    Policy => PolicyPage,
    /// One version.
    Version => VersionPage,
}

pages! { InboxPages, show_inbox_page, __preload_show_inbox_page:
    /// What needs the person.
    Inbox => InboxPage,
}

pages! { ReviewPages, show_review_page, __preload_show_review_page:
    /// Judging a change.
    Review => ReviewPage,
}

pages! { ActPages, show_act_page, __preload_show_act_page:
    /// Ratifying a version.
    Ratify => RatifyPage,
    /// Activating a version.
    Activate => ActivatePage,
    /// Rejecting a version.
    Reject => RejectPage,
    /// Deleting a draft.
    Delete => DeletePage,
    /// Sending a draft for review.
    SendDraft => SendPage,
    /// Setting a version aside.
    SetAside => SetAsidePage,
    /// Going on in a new draft.
    Supersede => SupersedePage,
}

pages! { AuthorPages, show_author_page, __preload_show_author_page:
    /// Making a policy.
    NewPolicy => NewPolicyPage,
    /// Changing a policy's own members.
    EditPolicy => EditPolicyPage,
    /// Writing a draft.
    Edit => EditPage,
}

pages! { DecisionPages, show_decision_page, __preload_show_decision_page:
    /// How governance is going.
    Overview => OverviewPage,
    /// The log of decisions.
    Decisions => DecisionsPage,
    /// One decision.
    Decision => DecisionPage,
    /// Telling the outcome of a decision.
    Outcome => OutcomePage,
    /// Trying a context.
    Try => TryPage,
}

pages! { AdminPages, show_admin_page, __preload_show_admin_page:
    /// The API keys.
    Keys => KeysPage,
    /// Revoking an API key.
    Revoke => RevokePage,
    /// The members.
    Members => MembersPage,
    /// Removing a member.
    RemoveMember => RemoveMemberPage,
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

pages! { PublicPages, show_public_page, __preload_show_public_page:
    /// Help.
    Help => HelpPage,
    /// Choosing a first password.
    Setup => SetupPage,
    /// A receipt.
    Receipt => ReceiptPage,
}
