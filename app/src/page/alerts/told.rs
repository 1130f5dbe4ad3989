//! What became of several alerts that were acknowledged together.

use contract::id::TenantId;
use leptos::prelude::*;

use crate::{
    page::keys::Who,
    text::{url, words},
    ui::icon::{Icon, icon},
    view::alert::{AlertRow, Told as Outcome},
};

/// How many were acknowledged; and each that was not, with who was first.
#[component]
pub(super) fn Told(tenant: TenantId, told: Outcome<AlertRow>) -> impl IntoView {
    use words::alerts as say;
    let Outcome { done, failed, missing } = told;
    let is_whole = failed.is_empty() && missing == 0;
    let (tone, drawing) = if is_whole { ("allow", Icon::Allow) } else { ("warn", Icon::Warn) };
    let failures = (!failed.is_empty()).then(|| {
        let said = say::failed(failed.len());
        let row = move |row: AlertRow| view! { <Failure tenant row/> };
        view! {
            <p>{said}</p>
            <ul>{failed.into_iter().map(row).collect_view()}</ul>
        }
    });
    let missing = (missing > 0).then(|| view! { <p>{say::missing(missing)}</p> });
    view! {
        <div class=format!("note {tone}") role="status">
            {icon(drawing)}
            <div>
                <p class="font-semibold">{say::done(done)}</p>
                {failures}
                {missing}
            </div>
        </div>
    }
}

#[component]
fn Failure(tenant: TenantId, row: AlertRow) -> impl IntoView {
    let first = row.acknowledged.map(|(by, at)| view! { <Who by at/> });
    view! {
        <li>
            <a href=url::alert(tenant, row.id)>
                <bdi class="breaks">{row.message}</bdi>
            </a>
            " "
            {first}
        </li>
    }
}
