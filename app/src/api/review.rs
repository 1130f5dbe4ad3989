//! Reviews: the page, marks and remarks that are kept for later, and the record.

use contract::id::{PolicyId, TenantId};
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

/// Records what the person found, or keeps marks and remarks for later when no verdict was pressed.
#[server(prefix = "/console", endpoint = "record-review", output = Answer)]
pub(crate) async fn record_review(
    place: ReviewPlace,
    #[server(default)] form: ReviewForm,
) -> Result<(), Problem> {
    use super::ssr::{self, review as sources};
    let cx = ssr::human(place.tenant).await?;
    sources::record(&cx, place, form).await
}
