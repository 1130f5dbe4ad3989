//! Confirmation page for acknowledging several alerts.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use super::confirm::{confirmation, load_selection, target};
use crate::alert::{act::AcknowledgeAlerts, view::SelectionPreview, words};

/// `/t/{tenant}/alerts/acknowledge`
#[component]
pub(crate) fn AcknowledgePage() -> impl IntoView {
    load_selection(content)
}

fn content(tenant: TenantId, preview: SelectionPreview) -> AnyView {
    use crate::alert::acknowledge_words as strings;
    let label = strings::acknowledge(preview.rows.len());
    let form = view! {
        <form method="post" action=AcknowledgeAlerts::url() class="stack" data-once="">
            {target(tenant, &preview)}
            <p>{strings::ONLY_LISTED} " " {words::FINAL}</p>
            <div class="row">
                <button class="primary">{label}</button>
                <kbd aria-hidden="true">"Ctrl+Enter"</kbd>
            </div>
        </form>
    };
    confirmation(tenant, preview, strings::acknowledge_question, form.into_any())
}
