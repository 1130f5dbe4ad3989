//! Pages whose code is fetched on the first visit, so that the first page does not wait for it.
//!
//! Pages that users visit together, or that share much code, are in one module: each module is one more
//! request, and code that two modules share becomes a module of its own, which makes every page larger.

use leptos::prelude::*;
use leptos_router::ChooseView;

use crate::{
    page::{
        analytics::AnalyticsPage,
        bundle::BundlePage,
        capabilities::{CarryPage, GrantsPage, RevokeGrantPage},
        deactivate::DeactivatePage,
        edit::EditPage,
        group::GroupPage,
        groups::GroupsPage,
        keys::KeysPage,
        outcome::OutcomePage,
        policy_form::{EditPolicyPage, NewPolicyPage},
        review::ReviewPage,
        revoke::RevokePage,
        try_decision::TryPage,
        verify::VerifyPage,
        version::VersionPage,
        version_action::{
            ActivatePage, DeletePage, RatifyPage, RejectPage, SendPage, SetAsidePage, SupersedePage,
        },
    },
    server_page::ServerPage,
};

/// Defines the modules. Each has a name, the name of its page enum, the function that shows a page and the
/// function that fetches the module, as [`lazy`] names it. All pages have one type, so that the router's
/// code is compiled once and not once per page.
macro_rules! modules {
    ($($module:ident($pages:ident), $show:ident, $fetch:ident: {
        $($name:ident => $page:ident,)+
    })+) => {
        $(
            #[derive(Clone, Copy, Debug)]
            #[repr(u8)]
            pub(crate) enum $pages {
                $($name,)+
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

        /// A page whose module is fetched, or a page that the server has rendered.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Page {
            $($module($pages),)+
            Server(ServerPage),
        }

        impl From<ServerPage> for Page {
            fn from(page: ServerPage) -> Self {
                Self::Server(page)
            }
        }

        impl ChooseView for Page {
            async fn choose(self) -> AnyView {
                match self {
                    $(Self::$module(page) => $show(page).await,)+
                    Self::Server(page) => page.show().await,
                }
            }

            async fn preload(&self) {
                #[cfg(feature = "hydrate")]
                match self {
                    $(Self::$module(_) => $fetch().await,)+
                    Self::Server(_) => {}
                }
            }
        }
    };
}

modules! {
    Policies(PolicyPages), show_policy_page, __preload_show_policy_page: {
        Analytics => AnalyticsPage,
        Deactivate => DeactivatePage,
    }

    Versions(VersionPages), show_version_page, __preload_show_version_page: {
        One => VersionPage,
        Ratify => RatifyPage,
        Activate => ActivatePage,
        Reject => RejectPage,
        Delete => DeletePage,
        Send => SendPage,
        SetAside => SetAsidePage,
        Supersede => SupersedePage,
    }

    Inbox(InboxPages), show_inbox_page, __preload_show_inbox_page: {
        Bundle => BundlePage,
    }

    Review(ReviewPages), show_review_page, __preload_show_review_page: {
        Review => ReviewPage,
    }

    Author(AuthorPages), show_author_page, __preload_show_author_page: {
        NewPolicy => NewPolicyPage,
        EditPolicy => EditPolicyPage,
        EditVersion => EditPage,
    }

    Decisions(DecisionPages), show_decision_page, __preload_show_decision_page: {
        Outcome => OutcomePage,
        Try => TryPage,
    }

    Admin(AdminPages), show_admin_page, __preload_show_admin_page: {
        Keys => KeysPage,
        RevokeKey => RevokePage,
        Grants => GrantsPage,
        CarryGrant => CarryPage,
        RevokeGrant => RevokeGrantPage,
        Groups => GroupsPage,
        Group => GroupPage,
    }

    Public(PublicPages), show_public_page, __preload_show_public_page: {
        Verify => VerifyPage,
    }
}
