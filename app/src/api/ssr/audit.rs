//! What the page of the audit log is made of.

use contract::page::Page;
use governance::{Cx, audit, member, permission};

use super::{answer, page_at, refuse};
use crate::{
    problem::Problem,
    view::audit::{AuditPage, AuditQuery, AuditRow, Checked, beyond},
};

/// One page of events, and the check when it is asked for. Filters that cannot be read show no rows,
/// and say so.
pub(in crate::api) async fn page(cx: &Cx, query: AuditQuery) -> Result<AuditPage, Problem> {
    answer(cx.tenant(permission::READ_AUDIT).map(drop))?;
    let mut page =
        AuditPage { rows: Page { items: Vec::new(), next_cursor: None }, fault: None, check: None };
    if !query.check.is_empty() {
        page.check = Some(check(cx, &query).await?);
    }
    match query.filter() {
        Ok(filter) => {
            let rows = answer(audit::list(cx, filter, &page_at(query.cursor)).await)?;
            let names = answer(member::names(cx).await)?;
            page.rows = rows.map(|item| AuditRow::new(item, &names));
        }
        Err(fault) => page.fault = Some(fault.to_owned()),
    }
    Ok(page)
}

/// What a check finds; a range that cannot be checked is told beside its fields.
async fn check(cx: &Cx, query: &AuditQuery) -> Result<Result<Checked, String>, Problem> {
    let range = match query.range() {
        Ok(range) => range,
        Err(fault) => return Ok(Err(fault.to_owned())),
    };
    match audit::verify(cx, range).await {
        Ok(report) => Ok(Ok(Checked::new(report, range))),
        Err(error) if error.problem().code == "VALIDATION_ERROR" => Ok(Err(beyond().to_owned())),
        Err(error) => Err(refuse(&error)),
    }
}
