//! The form of an export.

use contract::id::TenantId;

use super::{
    load as sources,
    view::{ExportPage, ExportQuery},
};
use crate::{problem::Problem, request};

/// Returns the form of an export with its default values, and its errors if it was submitted.
pub(crate) async fn read_export(
    tenant: TenantId,
    query: ExportQuery,
) -> Result<ExportPage, Problem> {
    let cx = request::human(tenant).await?;
    sources::read(&cx, query).await
}
