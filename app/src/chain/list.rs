//! The list of chains.

use contract::{chain::Chain, id::TenantId};
use leptos::prelude::*;

use super::{
    act::list_chains,
    list_view::{ChainList, ChainQuery},
    markup::ChainBadge,
};
use crate::{
    text::{messages, url},
    ui::{
        empty::FirstChain,
        field::TextField,
        filter_menu::{self, ChoiceMenu, FieldMenu, FilterBar, choices, label_of, others},
        heading::Heading,
        list::{Paged, table},
        load::load,
        params,
        time::Ago,
    },
};

/// `/t/{tenant}/chains`
#[component]
pub(crate) fn ChainsPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = params::filters(ChainQuery::read);
    load(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let tenant = tenant?;
            let list = list_chains(tenant, &query).await?;
            Ok((tenant, query, list))
        },
        |(tenant, query, list)| view! { <ChainsContent tenant query list /> }.into_any(),
    )
}

#[component]
fn ChainsContent(tenant: TenantId, query: ChainQuery, list: ChainList) -> impl IntoView {
    use super::list_words as strings;
    let path = url::chains(tenant);
    let ChainList { page, error } = list;
    let count = messages::shown(page.items.len(), "chain", "chains");
    let row = move |chain| view! { <Row tenant chain /> };
    let rows = |items| table(strings::TITLE, strings::HEAD, items, row);
    let none = || view! { <FirstChain tenant /> }.into_any();
    let list = Paged { page, error, query: &query, path: &path, count }.render(rows, none);
    view! {
        <div class="page-head">
            <Heading title=strings::TITLE />
        </div>
        <p class="intro">{strings::INTRO}</p>
        <Filters path query />
        {list}
    }
}

#[component]
fn Filters(path: String, query: ChainQuery) -> impl IntoView {
    use super::list_words as strings;
    let active = filter_menu::active(&query, &path, |name, value| match name {
        "status" => (strings::STATUS, label_of(&strings::STATUSES, value)),
        _ => (strings::HEAD[0], None),
    });
    let statuses = choices(&query, &path, "status", &strings::STATUSES);
    view! {
        <FilterBar path=path.clone() active>
            <ChoiceMenu label=strings::STATUS choices=statuses />
            <FieldMenu label=strings::HEAD[0] path others=others(&query, &["chain"])>
                <TextField label=strings::HEAD[0] name="chain" value=query.chain />
            </FieldMenu>
        </FilterBar>
    }
}

#[component]
fn Row(tenant: TenantId, chain: Chain) -> impl IntoView {
    use super::list_words::HEAD;
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <a href=url::chain(tenant, chain.chain_id) data-row="">
                    <code class="breaks">{chain.chain_id.to_string()}</code>
                </a>
            </th>
            <td data-label=HEAD[1]>
                <ChainBadge status=chain.status />
            </td>
            <td data-label=HEAD[2] class="tabular-nums">
                {chain.steps}
            </td>
            <td data-label=HEAD[3] class="tabular-nums">
                {chain.highest_step}
            </td>
            <td data-label=HEAD[4]>
                <Ago at=chain.last_recorded_at />
            </td>
        </tr>
    }
}
