//! Filters of the log that a person keeps under a name. Nobody else sees them.

use contract::id::SavedFilterId;
use entity::{column::at, saved_filter as table};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    Select,
};

use crate::{
    audit::Event,
    cx::Cx,
    error::{Error, Noun, Result, conflict, constraint, invalid_field, not_found},
    permission,
    tenancy::TenantTx,
};

/// How many characters a name may have.
pub const NAME_MAX: usize = 60;

/// How many characters the filters may have, as they stand in an address.
pub const QUERY_MAX: usize = 2_000;

/// How many filters a person keeps in a tenant.
pub const FILTERS_MAX: u64 = 50;

/// A filter that its person keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedFilter {
    /// The filter.
    pub id: SavedFilterId,
    /// What its person calls it.
    pub name: String,
    /// The filters, as they stand in the address of the log.
    pub query: String,
}

/// The filters that the person keeps in the tenant, by name.
///
/// # Errors
/// `HUMAN_REQUIRED` for a key.
pub async fn list(cx: &Cx) -> Result<Vec<SavedFilter>> {
    let tx = cx.tenant(permission::SAVE_FILTERS)?.begin().await?;
    let rows = own(cx, &tx)?.order_by_asc(table::Column::Name).all(tx.connection()).await?;
    tx.end().await?;
    let filter = |row: table::Model| SavedFilter {
        id: SavedFilterId(row.id),
        name: row.name,
        query: row.query,
    };
    Ok(rows.into_iter().map(filter).collect())
}

/// Keeps `query` under `name`. White space around the name does not count.
///
/// # Errors
/// `VALIDATION_ERROR` for a name or a query that is empty or too long; `CONFLICT` for a name that
/// the person has used already, and beyond 50 filters; `HUMAN_REQUIRED` for a key.
pub async fn save(cx: &Cx, name: &str, query: &str) -> Result<SavedFilterId> {
    let tenant = cx.tenant(permission::SAVE_FILTERS)?;
    let name = name.trim();
    bounded("/name", name, NAME_MAX, "give the filter a name of 1 to 60 characters")?;
    bounded("/query", query, QUERY_MAX, "choose at least one filter, in at most 2,000 characters")?;
    let mut tx = tenant.begin().await?;
    // The head row is locked before the count, so that two presses cannot pass the limit together.
    tx.head().await?;
    if own(cx, &tx)?.count(tx.connection()).await? >= FILTERS_MAX {
        return Err(conflict("you keep 50 filters already; remove one first").into());
    }
    let id: SavedFilterId = cx.governance.chance().id();
    let row = table::ActiveModel {
        tenant_id: Set(tenant.id().0),
        user_id: Set(cx.human()?.user_id.0),
        id: Set(id.0),
        name: Set(name.to_owned()),
        query: Set(query.to_owned()),
        created_at: Set(at(cx.now)),
    };
    let insert = table::Entity::insert(row).exec_without_returning(tx.connection());
    insert.await.map_err(|error| taken(name, error))?;
    tx.commit(cx, Event::new("saved_filter.create", "saved_filter", id)).await?;
    Ok(id)
}

fn bounded(path: &str, text: &str, max: usize, message: &str) -> Result<()> {
    match text.chars().count() {
        length if (1..=max).contains(&length) => Ok(()),
        _ => Err(invalid_field(path, "length", message).into()),
    }
}

fn taken(name: &str, error: DbErr) -> Error {
    match constraint(&error) {
        Some("saved_filters_unique_name") => {
            conflict(format!("you keep a filter called `{name}` already")).into()
        }
        _ => error.into(),
    }
}

/// Removes a filter of the person's own.
///
/// # Errors
/// `NOT_FOUND`, for another person's too; `HUMAN_REQUIRED` for a key.
pub async fn remove(cx: &Cx, id: SavedFilterId) -> Result<()> {
    let tx = cx.tenant(permission::SAVE_FILTERS)?.begin().await?;
    let delete = tx
        .delete::<table::Entity>()
        .filter(table::Column::UserId.eq(cx.human()?.user_id.0))
        .filter(table::Column::Id.eq(id.0));
    if delete.exec(tx.connection()).await?.rows_affected == 0 {
        return Err(not_found(Noun::SavedFilter).into());
    }
    tx.commit(cx, Event::new("saved_filter.delete", "saved_filter", id)).await
}

fn own(cx: &Cx, tx: &TenantTx) -> Result<Select<table::Entity>> {
    Ok(tx.find::<table::Entity>().filter(table::Column::UserId.eq(cx.human()?.user_id.0)))
}
