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
        Bundle => bundle::page::BundlePage,
        Search => search::page::SearchPage,
        Analytics => analytics::page::AnalyticsPage,
        Forms => hosted_form::list::FormsPage,
        Form => hosted_form::page::FormPage,
        Settings => settings::page::SettingsPage,
        IdentityProviders => identity_provider::page::IdentityProvidersPage,
        NewIdentityProvider => identity_provider::page::NewIdentityProviderPage,
        EditIdentityProvider => identity_provider::page::EditIdentityProviderPage,
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
        Policies => policy::policies,
        Policy => policy::policy,
        Deactivate => policy::deactivate,
        NewPolicy => policy_form::new_policy,
        EditPolicy => policy_form::edit_policy,
        Grants => capability::capabilities,
        CarryGrant => capability::carry,
        RevokeGrant => capability::revoke,
        Version => version::detail::version,
        Submit => version::action::send,
        Ratify => version::action::ratify,
        Reject => version::action::reject,
        Activate => version::action::activate,
        Supersede => version::action::supersede,
        SetAside => version::action::set_aside,
        Delete => version::action::delete,
        Compare => comparison::compare,
        Review => review::review,
        Accept => review::accept,
        Return => review::return_,
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
