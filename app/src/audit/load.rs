//! Data of the audit log page.

use contract::pagination::Page;
use governance::{Cx, access::permission, proof::audit};

use super::view::{AuditPage, AuditQuery, AuditRow, Checked, beyond};
use crate::{
    problem::Problem,
    request::{directory, into_problem, page_at, to_problem},
};

/// Returns one page of events, and the result of the check if it is requested. With invalid filters, it
/// returns no rows and an error message.
pub(crate) async fn page(cx: &Cx, query: AuditQuery) -> Result<AuditPage, Problem> {
    into_problem(cx.tenant(permission::READ_AUDIT).map(drop))?;
    let mut page =
        AuditPage { rows: Page { items: Vec::new(), next_cursor: None }, error: None, check: None };
    if !query.check.is_empty() {
        page.check = Some(check(cx, &query).await?);
    }
    match query.filter() {
        Ok(filter) => {
            let rows = into_problem(audit::list(cx, filter, &page_at(query.cursor)).await)?;
            let mut names = directory(cx).await?.names.clone();
            names.extend(into_problem(audit::object_names(cx, &rows.items).await)?);
            page.rows = rows.map(|item| AuditRow::new(item, &names));
        }
        Err(error) => page.error = Some(error.to_owned()),
    }
    Ok(page)
}

/// Verifies the log. An invalid range returns a message that the page shows next to the range fields.
async fn check(cx: &Cx, query: &AuditQuery) -> Result<Result<Checked, String>, Problem> {
    let range = match query.range() {
        Ok(range) => range,
        Err(error) => return Ok(Err(error.to_owned())),
    };
    match audit::verify(cx, range).await {
        Ok(report) => Ok(Ok(Checked::new(report, range))),
        Err(error) if error.code() == contract::error::ErrorCode::ValidationError => {
            Ok(Err(beyond().to_owned()))
        }
        Err(error) => Err(to_problem(&error)),
    }
}
