//! Reviews: the page, marks and remarks that are kept for later, and the record.

use contract::id::{PolicyId, TenantId};
#[cfg(feature = "ssr")]
use contract::policy::ReviewVerdict;
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::review::{ReviewForm, ReviewPage, ReviewPlace},
};

/// The page of a review.
#[server(prefix = "/console", endpoint = "review", output = Answer)]
pub(crate) async fn read_review(
    tenant: TenantId,
    policy: PolicyId,
    version: u32,
) -> Result<ReviewPage, Problem> {
    use super::ssr::{self, review as sources};
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, (tenant, policy, version)).await
}

/// The page that records what a review found.
#[cfg(feature = "ssr")]
pub(crate) async fn read_sheet(
    at: (TenantId, PolicyId, u32),
    verdict: ReviewVerdict,
) -> Result<ReviewPage, Problem> {
    use super::ssr::{self, review as sources};
    let cx = ssr::human(at.0).await?;
    sources::sheet(&cx, at, verdict).await
}

/// Records what the person found, once the page of its verdict has repeated it. Without a verdict marks and
/// remarks are kept for later.
#[server(prefix = "/console", endpoint = "record-review", output = Answer)]
pub(crate) async fn record_review(
    place: ReviewPlace,
    #[server(default)] form: ReviewForm,
) -> Result<(), Problem> {
    use super::ssr::{self, review as sources};
    let cx = ssr::human(place.tenant).await?;
    sources::record(&cx, place, form).await
}
