//! Data of the form of an export.

use governance::{Cx, access::permission};

use super::{decision::suggestions, into_problem};
use crate::{
    problem::Problem,
    view::export::{ExportPage, ExportQuery},
};

/// Returns the form of an export, with its error if it was submitted.
pub(in crate::api) async fn read(cx: &Cx, query: ExportQuery) -> Result<ExportPage, Problem> {
    into_problem(cx.tenant(permission::EXPORT_DECISIONS))?;
    let query = query.with_defaults(cx.now);
    let error = query.is_submitted.then(|| query.select().err()).flatten().map(str::to_owned);
    Ok(ExportPage { query, error, suggestions: suggestions(cx).await? })
}
