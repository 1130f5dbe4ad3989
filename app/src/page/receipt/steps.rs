//! How a decision came about, as far as its public receipt tells.

use leptos::prelude::*;

use crate::{
    text::words,
    ui::{
        code::Digest,
        time::{Exact, Minute},
    },
    view::receipt::{Ratified, ReceiptPage as Receipt},
};

/// Who is behind it is for the tenant alone: the receipt names approvals, and nobody.
#[component]
pub(super) fn Steps(receipt: Receipt) -> impl IntoView {
    let ratified = |Ratified { policy, version, at, digest }: Ratified| {
        view! {
            <dt>{words::receipt::RATIFIED}</dt>
            <dd>
                <p>
                    <bdi>{policy}</bdi>
                    " v"
                    {version}
                    ", "
                    <Minute at/>
                </p>
                <Digest digest what=words::lineage::APPROVAL/>
            </dd>
        }
    };
    let unratified = receipt.ratified.is_empty().then(|| {
        view! {
            <dt>{words::receipt::RATIFIED}</dt>
            <dd class="text-muted">{words::receipt::NO_APPROVAL}</dd>
        }
    });
    view! {
        <h2>{words::receipt::CAME_ABOUT}</h2>
        <dl class="facts">
            {receipt.ratified.into_iter().map(ratified).collect_view()}
            {unratified}
            <dt>{words::receipt::DECIDED}</dt>
            <dd>
                <Exact at=receipt.decided_at/>
            </dd>
            {receipt
                .logged_at
                .map(|at| {
                    view! {
                        <dt>{words::receipt::LOGGED}</dt>
                        <dd>
                            <Exact at/>
                        </dd>
                    }
                })}
        </dl>
        <p class="text-xs text-muted">{words::receipt::NOT_TOLD}</p>
    }
}
