//! Identity providers: the list with the addresses to register, and the test of a provider.

mod form;

use contract::id::{IdentityProviderId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

pub(crate) use self::form::{EditIdentityProviderPage, NewIdentityProviderPage};
use super::{
    act::{DeleteProvider, EnableProvider, list_providers},
    view::{ProviderRow, ProvidersPage as ProviderList},
    words,
};
use crate::{
    settings::words as settings_words,
    text::url,
    ui::{
        empty::Empty,
        heading::Heading,
        list::table,
        load::load,
        note::{Tone, note},
        panel::Crumb,
        params,
        problem::ProblemNote,
    },
};

/// `/t/{tenant}/settings/identity-providers`
#[component]
pub(crate) fn IdentityProvidersPage() -> impl IntoView {
    let (tenant, tested) = (params::tenant(), params::query("test"));
    load(
        move || (tenant(), tested()),
        async |(tenant, tested)| list_providers(tenant?, tested).await,
        |page| view! { <ProvidersContent page /> }.into_any(),
    )
}

#[component]
fn ProvidersContent(page: ProviderList) -> impl IntoView {
    let tenant = page.tenant;
    let list = if page.rows.is_empty() {
        view! { <Empty title=words::EMPTY text=words::EMPTY_NEXT /> }.into_any()
    } else {
        let shown = page.sign_in.clone();
        view! {
            {table(words::TITLE, words::HEAD, page.rows, move |row| view! { <Row tenant row /> })}
            <p class="text-muted">
                {words::ADDRESS} ": " <a href=page.sign_in class="breaks">
                    {shown}
                </a>
            </p>
        }
        .into_any()
    };
    let test = page.test.map(|(name, test)| {
        let tone = if test.is_usable { Tone::Allow } else { Tone::Deny };
        note(tone, Some("status"), words::test_result(&name, &test))
    });
    view! {
        <Crumb href=url::settings(tenant) label=settings_words::TITLE />
        <div class="page-head">
            <Heading title=words::TITLE />
            <a class="button primary push" href=url::new_identity_provider(tenant) data-key="n">
                {words::NEW}
            </a>
        </div>
        <p class="intro">{words::INTRO}</p>
        {page.refused.map(|problem| view! { <ProblemNote problem /> })}
        {test}
        {list}
    }
}

#[component]
fn Row(tenant: TenantId, row: ProviderRow) -> impl IntoView {
    let status = if row.is_enabled { words::ENABLED } else { words::DISABLED };
    let addresses = row.addresses.into_iter().map(|(label, address)| {
        view! {
            <dt>{label}</dt>
            <dd>
                <code class="breaks">{address}</code>
            </dd>
        }
    });
    let addresses = addresses.collect_view();
    view! {
        <tr>
            <th scope="row" data-label=words::HEAD[0]>
                <bdi class="breaks">{row.name.clone()}</bdi>
                <span class="text-muted text-xs breaks">{row.issuer}</span>
                <details class="disclosure">
                    <summary aria-label=words::act(
                        words::REGISTER,
                        &row.name,
                    )>{words::REGISTER}</summary>
                    <dl class="facts">{addresses}</dl>
                </details>
            </th>
            <td data-label=words::HEAD[1]>
                <bdi class="breaks">{row.roles}</bdi>
            </td>
            <td data-label=words::HEAD[2]>{status}</td>
            <td data-label=words::HEAD[3]>
                <RowActions tenant id=row.id name=row.name is_enabled=row.is_enabled />
            </td>
        </tr>
    }
}

/// The actions for a provider. Deletion needs a confirmation.
#[component]
fn RowActions(
    tenant: TenantId,
    id: IdentityProviderId,
    name: String,
    is_enabled: bool,
) -> impl IntoView {
    let hidden_fields = move || {
        view! {
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="id" value=id.to_string() />
        }
    };
    let switch = if is_enabled { words::DISABLE } else { words::ENABLE };
    view! {
        <div class="row">
            <a
                class="button"
                href=url::test_identity_provider(tenant, id)
                aria-label=words::act(words::TEST, &name)
            >
                {words::TEST}
            </a>
            <a
                class="button"
                href=url::edit_identity_provider(tenant, id)
                aria-label=words::act(words::EDIT, &name)
            >
                {words::EDIT}
            </a>
            <form method="post" action=EnableProvider::url()>
                {hidden_fields()}
                <input type="hidden" name="is_enabled" value=(!is_enabled).to_string() />
                <button aria-label=words::act(switch, &name)>{switch}</button>
            </form>
            <details class="disclosure">
                <summary aria-label=words::act(words::DELETE, &name)>{words::DELETE}</summary>
                <form method="post" action=DeleteProvider::url() class="stack">
                    {hidden_fields()}
                    <p>{words::DELETE_HELP}</p>
                    <div class="row">
                        <button class="danger" aria-label=words::act(words::DELETE, &name)>
                            {words::DELETE}
                        </button>
                    </div>
                </form>
            </details>
        </div>
    }
}
