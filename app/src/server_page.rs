//! The pages, which the server renders.
//!
//! Copying, one-time submission, dialogs, previews, shortcuts and live counts work through `data-*` attributes
//! (`public/page.js`). Only pages with `islands` load a WebAssembly module. A link loads a new document.

use leptos::prelude::*;
use leptos_router::ChooseView;

use crate::{page, shell::Module};

/// Defines the pages: the name of each, and the path of its component or function in the crate.
macro_rules! pages {
    (
        components { $($name:ident => $module:ident$(::$inner:ident)*,)* }
        functions { $($page:ident => $file:ident$(::$function:ident)*,)* }
        with islands { $($island:ident => $island_file:ident$(::$island_function:ident)*,)* }
    ) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum ServerPage {
            $($name,)*
            $($page,)*
            $($island,)*
        }

        impl ServerPage {
            fn show(self) -> AnyView {
                match self {
                    $(Self::$name => crate::$module$(::$inner)*().into_any(),)*
                    $(Self::$page => page::view(Box::pin(crate::$file$(::$function)*())),)*
                    $(Self::$island => {
                        Module::load();
                        page::view(Box::pin(crate::$island_file$(::$island_function)*()))
                    })*
                }
            }
        }
    };
}

impl ChooseView for ServerPage {
    async fn choose(self) -> AnyView {
        self.show()
    }

    async fn preload(&self) {}
}

pages! {
    components {
        Overview => overview::page::OverviewPage,
        Inbox => inbox::page::InboxPage,
        Accept => review::page::confirm::AcceptPage,
        Return => review::page::confirm::ReturnPage,
        Bundle => bundle::page::BundlePage,
        Compare => comparison::page::ComparePage,
        Search => search::page::SearchPage,
        Policies => policy::list::PoliciesPage,
        Policy => policy::page::PolicyPage,
        Analytics => analytics::page::AnalyticsPage,
        Deactivate => policy::deactivate::DeactivatePage,
        NewPolicy => policy_form::page::NewPolicyPage,
        EditPolicy => policy_form::page::EditPolicyPage,
        Version => version::page::VersionPage,
        Submit => version::action::SendPage,
        Review => review::page::ReviewPage,
        Ratify => version::action::RatifyPage,
        Reject => version::action::RejectPage,
        Activate => version::action::ActivatePage,
        Supersede => version::action::SupersedePage,
        SetAside => version::action::SetAsidePage,
        Delete => version::action::DeletePage,
        Forms => hosted_form::list::FormsPage,
        Form => hosted_form::page::FormPage,
        Settings => settings::page::SettingsPage,
        IdentityProviders => identity_provider::page::IdentityProvidersPage,
        NewIdentityProvider => identity_provider::page::NewIdentityProviderPage,
        EditIdentityProvider => identity_provider::page::EditIdentityProviderPage,
        Grants => capability::page::GrantsPage,
        CarryGrant => capability::page::CarryPage,
        RevokeGrant => capability::page::RevokeGrantPage,
        Log => log::page::LogPage,
        Receipt => receipt::page::ReceiptPage,
        Trust => trust::page::TrustPage,
        Login => sign_in::page::LoginPage,
        Confirm => sign_in::confirm::ConfirmPage,
        SecondFactor => second_factor::step::SecondFactorPage,
        Authenticator => second_factor::authenticator::AuthenticatorPage,
        RecoveryCodes => second_factor::codes::RecoveryCodesPage,
        RequiredFactor => second_factor::required::RequiredPage,
        Help => help::page::HelpPage,
        Gallery => gallery::page::GalleryPage,
    }
    functions {
        Members => member::members,
        ChangeRole => member::change::role,
        RemoveMember => member::change::remove,
        ResetFactors => member::change::reset,
        Keys => key::keys,
        RevokeKey => key::revoke,
        CliLogin => cli_login::cli_login,
        Account => account::account,
        Home => home::home,
        Invitations => invitation::invitations,
        Setup => setup::setup,
        Reset => reset::reset,
        Groups => group::groups,
        Group => group::group,
        Chains => chain::chains,
        Chain => chain::chain,
        Decisions => decision::decisions,
        Decision => decision::decision,
        Export => export::export,
        Alerts => alert::alerts,
        Alert => alert::alert,
        Acknowledge => alert::acknowledge,
        Assign => alert::assign,
        Snooze => alert::snooze,
        Audit => audit::audit,
        Outcome => outcome::outcome,
        Webhooks => webhook::webhooks,
        NewWebhook => webhook::new_webhook,
        Deliveries => delivery::deliveries,
        Delivery => delivery::delivery,
    }
    with islands {
        Edit => editor::edit_page,
        Try => try_decision::try_page,
        Verify => verify::verify_page,
    }
}
