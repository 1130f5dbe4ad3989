//! A secret that was just made, and the only sight of it.

use leptos::prelude::*;

use super::{
    code::Id,
    icon::{Icon, icon},
};

/// The secret in a box of its own, ready to be copied. `says` tells what was made and `note` what to
/// do with it; `what` names the secret to readers. The button `done` loads `page` anew, so that the
/// secret leaves it.
#[component]
pub(crate) fn ShownOnce(
    says: String,
    secret: String,
    what: &'static str,
    note: &'static str,
    page: String,
    done: &'static str,
) -> impl IntoView {
    view! {
        <section class="note allow made-key" role="status">
            {icon(Icon::Key)}
            <div class="stack">
                <p class="font-semibold">
                    <bdi>{says}</bdi>
                </p>
                <p>
                    <Id id=secret what/>
                </p>
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
