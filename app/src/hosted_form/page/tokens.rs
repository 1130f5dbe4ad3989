//! The tokens of a form, and the form to create one.

use contract::id::{FormId, FormTokenId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    hosted_form::{
        act::{MakeFormToken, RevokeFormToken},
        view::TokenRow,
        words as strings,
    },
    key::time_or,
    text::time,
    ui::{empty::Empty, field::TextField, list::table, panel::submit, time::Second},
};

#[component]
pub(super) fn Tokens(
    tenant: TenantId,
    id: FormId,
    tokens: Vec<TokenRow>,
    may_write: bool,
) -> impl IntoView {
    let create_card = may_write.then(|| view! { <CreateCard tenant id /> });
    let list = if tokens.is_empty() {
        view! { <Empty title=strings::NO_TOKENS text=strings::NO_TOKENS_NEXT /> }.into_any()
    } else {
        let row = move |token| view! { <Row tenant id token may_write /> };
        table(strings::TOKENS, strings::TOKENS_HEAD, tokens, row)
    };
    view! {
        <section class="stack" aria-labelledby="tokens">
            <h2 id="tokens">{strings::TOKENS}</h2>
            {create_card}
            {list}
        </section>
    }
}

#[component]
fn CreateCard(tenant: TenantId, id: FormId) -> impl IntoView {
    view! {
        <form method="post" action=MakeFormToken::url() class="card filters" data-once="">
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="id" value=id.to_string() />
            <TextField label=strings::USES name="uses" />
            <TextField label=strings::EXPIRES name="expires" kind="datetime-local" />
            <button class="primary">{strings::CREATE_TOKEN}</button>
        </form>
    }
}

#[component]
fn Row(tenant: TenantId, id: FormId, token: TokenRow, may_write: bool) -> impl IntoView {
    use crate::hosted_form::words::TOKENS_HEAD as HEAD;
    let last_cell = if token.revoked_at.is_none() && may_write {
        view! { <RevokeCard tenant id token=token.id /> }.into_any()
    } else {
        time_or(token.revoked_at, strings::NOT_REVOKED)
    };
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <span class="font-mono">{token.id.to_string()}</span>
            </th>
            <td data-label=HEAD[1] class="tabular-nums">
                {strings::uses(token.uses)}
            </td>
            <td data-label=time::head(HEAD[2])>{time_or(token.expires_at, "Never")}</td>
            <td data-label=time::head(HEAD[3])>
                <Second at=token.created_at />
            </td>
            <td data-label=time::head(HEAD[4])>{last_cell}</td>
        </tr>
    }
}

/// The form to revoke a token, collapsed under its title.
#[component]
fn RevokeCard(tenant: TenantId, id: FormId, token: FormTokenId) -> impl IntoView {
    view! {
        <details class="disclosure">
            <summary aria-label=strings::revoke(token)>{strings::REVOKE}</summary>
            <form method="post" action=RevokeFormToken::url() class="stack">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=id.to_string() />
                <input type="hidden" name="token" value=token.to_string() />
                <p>{strings::REVOKE_FINAL}</p>
                {submit("danger", strings::REVOKE)}
            </form>
        </details>
    }
}
