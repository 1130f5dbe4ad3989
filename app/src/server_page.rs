//! Pages that only the server renders: lists and plain forms that need no code in the browser.
//!
//! The browser uses the server-rendered HTML unchanged. Copying, one-time submission, previews and shortcuts
//! work through `data-*` attributes (`ui::data_attributes`, `ui::shortcuts`). A link to such a page, or
//! within one, loads a new document.

#[derive(Clone, Copy, Debug)]
pub(crate) enum ServerPage {
    Home,
    Account,
    Setup,
    ChangeRole,
    RemoveMember,
    Accept,
    Return,
    Acknowledge,
    Chain,
    Forms,
    Form,
    Webhooks,
    NewWebhook,
    Deliveries,
    Delivery,
    Reset,
    Trust,
}

#[cfg(feature = "ssr")]
mod rendered {
    use std::future::{Ready, ready};

    use leptos::prelude::*;

    use super::ServerPage;
    use crate::page::{
        account::AccountPage,
        alerts::acknowledge::AcknowledgePage,
        chain::ChainPage,
        deliveries::DeliveriesPage,
        delivery::DeliveryPage,
        forms::FormsPage,
        home::HomePage,
        hosted_form::FormPage,
        members::{ChangeRolePage, RemoveMemberPage},
        reset::ResetPage,
        review::confirm::{AcceptPage, ReturnPage},
        setup::SetupPage,
        trust::TrustPage,
        webhooks::{NewWebhookPage, WebhooksPage},
    };

    impl ServerPage {
        pub(crate) fn show(self) -> Ready<AnyView> {
            let page = match self {
                Self::Home => view! { <HomePage /> }.into_any(),
                Self::Account => view! { <AccountPage /> }.into_any(),
                Self::Setup => view! { <SetupPage /> }.into_any(),
                Self::ChangeRole => view! { <ChangeRolePage /> }.into_any(),
                Self::RemoveMember => view! { <RemoveMemberPage /> }.into_any(),
                Self::Accept => view! { <AcceptPage /> }.into_any(),
                Self::Return => view! { <ReturnPage /> }.into_any(),
                Self::Acknowledge => view! { <AcknowledgePage /> }.into_any(),
                Self::Chain => view! { <ChainPage /> }.into_any(),
                Self::Forms => view! { <FormsPage /> }.into_any(),
                Self::Form => view! { <FormPage /> }.into_any(),
                Self::Webhooks => view! { <WebhooksPage /> }.into_any(),
                Self::NewWebhook => view! { <NewWebhookPage /> }.into_any(),
                Self::Deliveries => view! { <DeliveriesPage /> }.into_any(),
                Self::Delivery => view! { <DeliveryPage /> }.into_any(),
                Self::Reset => view! { <ResetPage /> }.into_any(),
                Self::Trust => view! { <TrustPage /> }.into_any(),
            };
            ready(view! { <div class="served">{page}</div> }.into_any())
        }
    }
}

#[cfg(not(feature = "ssr"))]
mod hydrated {
    use std::future::pending;

    use leptos::prelude::*;
    use leptos_router::hooks::use_url;

    use super::ServerPage;
    use crate::text::url::address;

    impl ServerPage {
        /// Shows the page that the current document contains. For any other page, the browser loads a new
        /// document.
        pub(crate) async fn show(self) -> AnyView {
            let is_hydrating =
                Owner::current_shared_context().is_some_and(|context| context.during_hydration());
            if !is_hydrating {
                // The router writes its history only after a page has loaded, so the browser navigates
                // instead.
                let address = address(&use_url().read_untracked());
                let _ = window().location().assign(&address);
                pending::<()>().await;
            }
            view! { <ServerRendered /> }.into_any()
        }
    }

    /// The server-rendered HTML, which hydration leaves unchanged.
    #[component]
    fn ServerRendered() -> impl IntoView {
        let url = use_url();
        Effect::new(move |previous: Option<String>| {
            let address = address(&url.read());
            if previous.is_some_and(|previous| previous != address) {
                let _ = window().location().assign(&address);
            }
            address
        });
        view! { <div class="served"></div> }
    }
}
