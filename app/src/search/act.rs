//! Search.

use contract::id::TenantId;
use leptos::prelude::server;

use super::view::{PaletteResults, SearchPage};
use crate::{codec::JsonCodec, problem::Problem};

/// Returns the results for `text`. The ID of an object redirects to its page.
#[server(prefix = "/console", endpoint = "search", output = JsonCodec)]
pub(crate) async fn search(tenant: TenantId, text: String) -> Result<SearchPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    let page = sources::page(&cx, tenant, text).await?;
    if let [decision] = page.decisions.as_slice()
        && decision.id.to_string() == page.text.to_lowercase()
    {
        request::redirect(&crate::text::url::decision(tenant, decision.id));
    } else if let Some(object) = page.object() {
        request::redirect(&object.href);
    }
    Ok(page)
}

/// Returns the results for `text` as the options of the command palette. It executes no action.
#[server(prefix = "/console", endpoint = "palette", output = JsonCodec)]
pub(crate) async fn find_in_palette(
    tenant: TenantId,
    #[server(default)] text: String,
) -> Result<PaletteResults, Problem> {
    use leptos::tachys::view::RenderHtml;

    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    let page = sources::results(&cx, tenant, text).await?;
    let status = crate::search::words::found(&page.text, page.total());
    let options = (!page.is_empty()).then(|| crate::search::palette::options(&page).to_html());
    let html = options.unwrap_or_default();
    Ok(PaletteResults { html, status })
}
