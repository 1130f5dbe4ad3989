//! Handwritten statements.

use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement, TryGetableMany, Value};

use crate::base::error::{OrBug, Result};

/// Returns a statement with each `{name}` replaced by its fragment. All statements that are assembled use this function, and
/// only with fragments of the source code: values are parameters.
pub(crate) fn assemble(statement: &str, fragments: &[(&str, &str)]) -> String {
    fragments.iter().fold(statement.to_owned(), |statement, (name, fragment)| {
        statement.replace(&format!("{{{name}}}"), fragment)
    })
}

pub(crate) fn statement(sql: &'static str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, sql, values)
}

/// Returns the columns of the rows of a query, in their order.
pub(crate) async fn tuples<T: TryGetableMany>(
    db: &impl ConnectionTrait,
    sql: &'static str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<T>> {
    let rows = db.query_all_raw(statement(sql, values)).await?;
    Ok(rows.iter().map(QueryResult::try_get_many_by_index).collect::<Result<_, _>>()?)
}

/// Returns the columns of the row of a query, if it has one.
pub(crate) async fn optional<T: TryGetableMany>(
    db: &impl ConnectionTrait,
    sql: &'static str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Option<T>> {
    let row = db.query_one_raw(statement(sql, values)).await?;
    Ok(row.as_ref().map(QueryResult::try_get_many_by_index).transpose()?)
}

/// Returns the columns of the row of a query that always has one.
pub(crate) async fn only<T: TryGetableMany>(
    db: &impl ConnectionTrait,
    sql: &'static str,
    values: impl IntoIterator<Item = Value>,
) -> Result<T> {
    optional(db, sql, values).await?.or_bug("a query without a row")
}
