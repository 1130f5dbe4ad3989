//! Reviews: the page, the review draft, and the review record.

use contract::id::{PolicyId, TenantId};
#[cfg(feature = "ssr")]
use contract::policy::ReviewVerdict;
use leptos::prelude::server;

use super::{
    tab::ReviewTab,
    view::{ChangeScope, ReviewForm, ReviewPage, ReviewTarget},
};
use crate::{codec::JsonCodec, problem::Problem};

#[server(prefix = "/console", endpoint = "review", output = JsonCodec)]
pub(crate) async fn read_review(
    tenant: TenantId,
    policy: PolicyId,
    version: u32,
    scope: ChangeScope,
    tab: ReviewTab,
) -> Result<ReviewPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::page(&cx, (tenant, policy, version), scope, tab).await
}

/// Returns the page that confirms and records a review.
#[cfg(feature = "ssr")]
pub(crate) async fn read_sheet(
    at: (TenantId, PolicyId, u32),
    verdict: ReviewVerdict,
) -> Result<ReviewPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(at.0).await?;
    sources::record_page(&cx, at, verdict).await
}

/// Records the review after the user has confirmed it on the page of its verdict. Without a verdict, saves
/// marks and comments for later.
#[server(prefix = "/console", endpoint = "record-review", output = JsonCodec)]
pub(crate) async fn record_review(
    place: ReviewTarget,
    #[server(default)] form: ReviewForm,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(place.tenant).await?;
    sources::record(&cx, place, form).await
}

/// Saves marks and comments while the user types.
#[server(prefix = "/console", endpoint = "save-review-draft", output = JsonCodec)]
pub(crate) async fn save_review_draft(
    place: ReviewTarget,
    #[server(default)] form: ReviewForm,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(place.tenant).await?;
    sources::save(&cx, &place, &form).await
}
