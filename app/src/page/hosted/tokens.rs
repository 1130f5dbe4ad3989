//! The tokens of a form, and the form of a new one.

use contract::id::{FormId, FormTokenId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::hosted::{MakeFormToken, RevokeFormToken},
    page::keys::instant,
    text::words::{self, hosted as say},
    ui::{empty::Empty, field::TextField, time::Second},
    view::hosted::TokenRow,
};

#[component]
pub(super) fn Tokens(
    tenant: TenantId,
    id: FormId,
    tokens: Vec<TokenRow>,
    may_write: bool,
) -> impl IntoView {
    let make = may_write.then(|| view! { <MakeCard tenant id/> });
    let list = if tokens.is_empty() {
        view! { <Empty title=say::NO_TOKENS text=say::NO_TOKENS_NEXT/> }.into_any()
    } else {
        let row = move |token| view! { <Row tenant id token may_write/> };
        let rows = tokens.into_iter().map(row);
        view! {
            <table class="list">
                <caption class="sr-only">{say::TABS[1].1}</caption>
                <thead>
                    <tr>{say::TOKENS_HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        }
        .into_any()
    };
    view! {
        {make}
        {list}
    }
}

#[component]
fn MakeCard(tenant: TenantId, id: FormId) -> impl IntoView {
    view! {
        <form method="post" action=MakeFormToken::url() class="card filters" data-once="">
            <input type="hidden" name="tenant" value=tenant.to_string()/>
            <input type="hidden" name="id" value=id.to_string()/>
            <TextField label=say::USES name="uses"/>
            <TextField label=say::EXPIRES name="expires" kind="datetime-local"/>
            <button class="primary">{say::MAKE_TOKEN}</button>
        </form>
    }
}

#[component]
fn Row(tenant: TenantId, id: FormId, token: TokenRow, may_write: bool) -> impl IntoView {
    use say::TOKENS_HEAD as HEAD;
    let end = if token.revoked_at.is_none() && may_write {
        view! { <Revoke tenant id token=token.id/> }.into_any()
    } else {
        instant(token.revoked_at, say::NOT_REVOKED)
    };
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <span class="font-mono">{token.id.to_string()}</span>
            </th>
            <td data-label=HEAD[1] class="tabular-nums">
                {say::uses(token.uses)}
            </td>
            <td data-label=HEAD[2]>{instant(token.expires_at, words::keys::NEVER)}</td>
            <td data-label=HEAD[3]>
                <Second at=token.created_at/>
            </td>
            <td data-label=HEAD[4]>{end}</td>
        </tr>
    }
}

/// What follows, and one press.
#[component]
fn Revoke(tenant: TenantId, id: FormId, token: FormTokenId) -> impl IntoView {
    view! {
        <details class="disclosure">
            <summary aria-label=say::revoke(token)>{say::REVOKE}</summary>
            <form method="post" action=RevokeFormToken::url() class="stack">
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="id" value=id.to_string()/>
                <input type="hidden" name="token" value=token.to_string()/>
                <p>{say::REVOKE_FINAL}</p>
                <div class="row">
                    <button class="danger">{say::REVOKE}</button>
                </div>
            </form>
        </details>
    }
}
