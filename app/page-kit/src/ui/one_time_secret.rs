//! A one-time secret.

use leptos::prelude::*;

use super::{
    code::id_code,
    icon::{Icon, icon},
};

/// A box with a secret and a copy button. `title` names what was created, `note` the next step, and `what`
/// names the secret for screen readers. The button `done` loads `page`, which no longer contains the secret.
#[component]
pub fn OneTimeSecretBox(
    title: String,
    secret: String,
    what: &'static str,
    note: &'static str,
    page: String,
    done: &'static str,
) -> impl IntoView {
    view! {
        <section class="note allow one-time-secret" role="status">
            {icon(Icon::Key)}
            <div class="stack">
                <p class="font-semibold">
                    <bdi>{title}</bdi>
                </p>
                <p>{id_code(secret, what)}</p>
                <p>{note}</p>
                <p>
                    <a class="button" href=page rel="external">
                        {done}
                    </a>
                </p>
            </div>
        </section>
    }
}
