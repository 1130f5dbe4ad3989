//! Decision chains: the list; `detail` is the page of one chain.

mod detail;

use contract::chain::{Chain, ChainFilter, ChainStatus};
use governance::deciding::chain;
use page_kit::prelude::*;

pub use self::detail::chain;

pub(crate) const TITLE: &str = "Chains";

/// `/t/{tenant}/chains`
pub async fn chains() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let filters = vec![
        Filter::choice(ChainFilter::STATUS, "Status", [("open", "Open"), ("sealed", "Sealed")])
            .invalid("Status: select a value from the list."),
        Filter::text(ChainFilter::CHAIN_ID, "Chain ID")
            .invalid("Chain ID: enter all 36 characters of the ID."),
    ];
    let query = ListQuery::read(url::chains(tenant), filters);
    let window = match query.filter() {
        Ok(filter) => Ok(chain::window(&cx, filter, &query.page()).await?),
        // The permission is checked also if nothing is listed.
        Err(message) => cx.tenant(permission::READ_DECISIONS).map(|_| Err(message))?,
    };
    let table = Table::new(TITLE)
        .column("Chain ID", |chain: &Chain| {
            view! {
                <a href=url::chain(tenant, chain.chain_id) data-row="">
                    <code class="breaks">{chain.chain_id.to_string()}</code>
                </a>
            }
        })
        .column("Status", |chain| status_badge(chain.status))
        .numbers("Steps", |chain| chain.steps)
        .numbers("Last step", |chain| chain.highest_step)
        .column("Last recorded", |chain| ago(chain.last_recorded_at));
    Ok(any_view! {
        <div class="page-head">
            <Heading title=TITLE />
        </div>
        <p class="intro">
            "A chain links decisions that belong together, such as the steps of one case. Sealing a chain closes it."
        </p>
        {query.bar(())}
        {list(&query, window, ["chain", "chains"], |chains| table.of(chains), || no_chains(tenant))}
    })
}

/// Renders the state before the first chain, with a request that starts one.
fn no_chains(tenant: TenantId) -> AnyView {
    any_view! {
        {empty_state(
            "No chains yet",
            "Record a decision with a chain ID of your choice. Later decisions with the same ID become the next steps of the chain. GOVERN_KEY is one of your API keys.",
        )}
        {code_block(curl::record_in_chain(tenant), "First step of a chain")}
    }
}

/// Renders the badge of the status of a chain.
pub fn status_badge(status: ChainStatus) -> AnyView {
    let (tone, drawing, label) = match status {
        ChainStatus::Open => ("na", Icon::Wait, "Open"),
        ChainStatus::Sealed => ("blue", Icon::Seal, "Sealed"),
    };
    badge(tone, drawing, label)
}
