//! Data of the form of an export.

use governance::{Cx, access::permission};

use super::view::{ExportPage, ExportQuery};
use crate::{decision::load::suggestions, problem::Problem, request::into_problem};

/// Returns the form of an export, with its error if it was submitted.
pub(crate) async fn read(cx: &Cx, query: ExportQuery) -> Result<ExportPage, Problem> {
    into_problem(cx.tenant(permission::EXPORT_DECISIONS))?;
    let query = query.with_defaults(cx.now);
    let error = query.is_submitted.then(|| query.select().err()).flatten().map(str::to_owned);
    Ok(ExportPage { query, error, suggestions: suggestions(cx).await? })
}
