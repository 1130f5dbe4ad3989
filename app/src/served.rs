//! Pages whose code stays on the server: lists and plain forms that need none in the browser.
//!
//! The browser keeps what the server rendered as it is. What such a page wants of scripts, the document
//! does wherever it is asked to: copying, sending once, previews, keys (`ui::wherever`). Whoever follows a
//! link to such a page, or inside it, gets a new document.

/// A page of the server's own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Served {
    /// The tenants and invitations of a person.
    Home,
    /// The person's own account.
    Account,
    /// Choosing a password by a link.
    Setup,
    /// Changing a member's role.
    ChangeRole,
    /// Removing a member.
    RemoveMember,
    /// Recording that a change is accepted.
    Accept,
    /// Recording that a change goes back.
    Return,
    /// Acknowledging several alerts.
    Acknowledge,
    /// One chain of decisions.
    Chain,
    /// The list of hosted forms.
    Forms,
    /// One hosted form.
    Form,
    /// The webhooks.
    Webhooks,
    /// Making a webhook.
    NewWebhook,
    /// What became of each delivery.
    Deliveries,
    /// One delivery.
    Delivery,
    /// Asking for a new password.
    Reset,
    /// The keys that the service publishes.
    Trust,
}

impl From<Served> for crate::lazy::Page {
    fn from(page: Served) -> Self {
        Self::Served(page)
    }
}

#[cfg(feature = "ssr")]
mod shown {
    use std::future::{Ready, ready};

    use leptos::prelude::*;

    use super::Served;
    use crate::page::{
        account::AccountPage,
        alerts::acknowledge::AcknowledgePage,
        chain::ChainPage,
        deliveries::DeliveriesPage,
        delivery::DeliveryPage,
        forms::FormsPage,
        home::HomePage,
        hosted::FormPage,
        members::{ChangeRolePage, RemoveMemberPage},
        reset::ResetPage,
        review::confirm::{AcceptPage, ReturnPage},
        setup::SetupPage,
        trust::TrustPage,
        webhooks::{NewWebhookPage, WebhooksPage},
    };

    impl Served {
        /// The page.
        pub(crate) fn show(self) -> Ready<AnyView> {
            let page = match self {
                Self::Home => view! { <HomePage/> }.into_any(),
                Self::Account => view! { <AccountPage/> }.into_any(),
                Self::Setup => view! { <SetupPage/> }.into_any(),
                Self::ChangeRole => view! { <ChangeRolePage/> }.into_any(),
                Self::RemoveMember => view! { <RemoveMemberPage/> }.into_any(),
                Self::Accept => view! { <AcceptPage/> }.into_any(),
                Self::Return => view! { <ReturnPage/> }.into_any(),
                Self::Acknowledge => view! { <AcknowledgePage/> }.into_any(),
                Self::Chain => view! { <ChainPage/> }.into_any(),
                Self::Forms => view! { <FormsPage/> }.into_any(),
                Self::Form => view! { <FormPage/> }.into_any(),
                Self::Webhooks => view! { <WebhooksPage/> }.into_any(),
                Self::NewWebhook => view! { <NewWebhookPage/> }.into_any(),
                Self::Deliveries => view! { <DeliveriesPage/> }.into_any(),
                Self::Delivery => view! { <DeliveryPage/> }.into_any(),
                Self::Reset => view! { <ResetPage/> }.into_any(),
                Self::Trust => view! { <TrustPage/> }.into_any(),
            };
            ready(view! { <div class="served">{page}</div> }.into_any())
        }
    }
}

#[cfg(not(feature = "ssr"))]
mod kept {
    use std::future::pending;

    use leptos::prelude::*;
    use leptos_router::hooks::use_url;

    use super::Served;
    use crate::text::url::address;

    impl Served {
        /// The page as it stands in the document; where another page stands, the browser goes to this one.
        pub(crate) async fn show(self) -> AnyView {
            let is_here =
                Owner::current_shared_context().is_some_and(|context| context.during_hydration());
            if !is_here {
                // The router writes its history when a page has come. This one's is the browser's.
                let address = address(&use_url().read_untracked());
                let _ = window().location().assign(&address);
                pending::<()>().await;
            }
            view! { <Kept/> }.into_any()
        }
    }

    /// What was rendered, which is not looked into.
    #[component]
    fn Kept() -> impl IntoView {
        let url = use_url();
        Effect::new(move |before: Option<String>| {
            let address = address(&url.read());
            if before.is_some_and(|before| before != address) {
                let _ = window().location().assign(&address);
            }
            address
        });
        view! { <div class="served"></div> }
    }
}
