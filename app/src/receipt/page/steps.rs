//! The steps of a decision, as far as they are public.

use leptos::prelude::*;

use crate::{
    decision::words as decision_words,
    receipt::view::{Ratified, ReceiptPage as Receipt},
    ui::time::{Exact, Minute},
};

/// The receipt is public: it shows approvals, but not the names of users.
#[component]
pub(super) fn Steps(receipt: Receipt) -> impl IntoView {
    use crate::receipt::public_words as strings;
    let ratified = |Ratified { policy, version, at, .. }: Ratified| {
        let when = view! {
            <bdi>{policy}</bdi>
            " v"
            {version}
            ", "
            <Minute at />
        };
        step(strings::RATIFIED, when)
    };
    let unratified =
        receipt.ratified.is_empty().then(|| step(strings::RATIFIED, strings::NO_APPROVAL));
    let signed = match receipt.signature {
        Some((_, kid)) => {
            let kid = kid.chars().take(8).collect::<String>();
            step(
                strings::SIGNED,
                view! {
                    {decision_words::KEY}
                    " "
                    <code>{kid}</code>
                },
            )
        }
        None => step(strings::SIGNED, strings::NOT_SIGNED),
    };
    let anchored = match receipt.logged_at {
        Some(at) => step(strings::ANCHORED, view! { <Exact at /> }),
        None => step(strings::ANCHORED, strings::PENDING),
    };
    view! {
        <section aria-labelledby="history">
            <h2 id="history">{strings::HISTORY}</h2>
            <ol class="steps">
                {receipt.ratified.into_iter().map(ratified).collect_view()} {unratified}
                {step(strings::DECIDED, view! { <Exact at=receipt.decided_at /> })} {signed}
                {anchored}
            </ol>
            <p class="text-xs text-muted">{strings::EXCLUDED_NOTE}</p>
        </section>
    }
}

fn step(title: &'static str, text: impl IntoView + 'static) -> AnyView {
    view! {
        <li>
            <b>{title}</b>
            " "
            <span>{text}</span>
        </li>
    }
    .into_any()
}
