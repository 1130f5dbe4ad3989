//! The steps of a decision, as far as they are public.

use leptos::prelude::*;

use crate::{
    text::messages,
    ui::{
        code::Digest,
        facts::fact,
        time::{Exact, Minute},
    },
    view::receipt::{Ratified, ReceiptPage as Receipt},
};

/// The receipt is public: it shows approvals, but not the names of users.
#[component]
pub(super) fn Steps(receipt: Receipt) -> impl IntoView {
    let ratified = |Ratified { policy, version, at, digest }: Ratified| {
        view! {
            <dt>{messages::receipt::RATIFIED}</dt>
            <dd>
                <p>
                    <bdi>{policy}</bdi>
                    " v"
                    {version}
                    ", "
                    <Minute at />
                </p>
                <Digest digest what=messages::provenance::APPROVAL />
            </dd>
        }
    };
    let unratified = receipt.ratified.is_empty().then(|| {
        view! {
            <dt>{messages::receipt::RATIFIED}</dt>
            <dd class="text-muted">{messages::receipt::NO_APPROVAL}</dd>
        }
    });
    view! {
        <h2>{messages::receipt::HISTORY}</h2>
        <dl class="facts">
            {receipt.ratified.into_iter().map(ratified).collect_view()} {unratified}
            <dt>{messages::receipt::DECIDED}</dt> <dd>
                <Exact at=receipt.decided_at />
            </dd>
            {receipt
                .logged_at
                .map(|at| fact(messages::receipt::ANCHORED_AT, view! { <Exact at /> }))}
        </dl>
        <p class="text-xs text-muted">{messages::receipt::EXCLUDED_NOTE}</p>
    }
}
