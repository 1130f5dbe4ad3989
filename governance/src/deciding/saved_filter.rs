//! Saved filters of the decision list. Each filter is visible only to its user.

use entity::saved_filter as table;
use sea_orm::PaginatorTrait;

use crate::{
    access::{auth::lock_authority, permission},
    base::prelude::*,
};

/// The maximum length of a name in characters.
pub const NAME_MAX: usize = 60;

/// The maximum length of a query in characters.
pub const QUERY_MAX: usize = 2_000;

/// The maximum number of saved filters per user and tenant.
pub const FILTERS_MAX: u64 = 50;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedFilter {
    pub id: SavedFilterId,
    pub name: String,
    /// The filters as a URL query of the decision list.
    pub query: String,
}

impl From<table::Model> for SavedFilter {
    fn from(row: table::Model) -> Self {
        Self { id: SavedFilterId(row.id), name: row.name, query: row.query }
    }
}

/// Returns the user's saved filters in the tenant, ordered by name.
///
/// # Errors
/// `HUMAN_REQUIRED` for an API key.
pub async fn list(cx: &Cx) -> Result<Vec<SavedFilter>> {
    let tx = cx.tenant(permission::SAVE_FILTERS)?.begin().await?;
    let rows = own_filters(cx, &tx)?.order_by_asc(table::Column::Name).all(tx.connection()).await?;
    tx.finish_read().await?;
    Ok(rows.into_iter().map(SavedFilter::from).collect())
}

/// Saves `query` under `name`. Leading and trailing white space of the name is removed.
///
/// # Errors
/// `VALIDATION_ERROR` for an empty or too long name or query; `CONFLICT` if the user already has a filter
/// with this name or 50 filters; `HUMAN_REQUIRED` for an API key; `FORBIDDEN` for a removed member.
pub async fn save(cx: &Cx, name: &str, query: &str) -> Result<SavedFilterId> {
    let tenant = cx.tenant(permission::SAVE_FILTERS)?;
    let name = name.trim();
    check_length("/name", name, NAME_MAX, "must have 1 to 60 characters")?;
    check_length(
        "/query",
        query,
        QUERY_MAX,
        "must contain at least one filter and at most 2,000 characters",
    )?;
    let mut tx = tenant.begin().await?;
    // The row references the membership of the user, which may have been removed in the meantime.
    lock_authority(&tx, cx, permission::SAVE_FILTERS).await?;
    // The head row is locked before the count, so that concurrent requests cannot exceed the limit.
    tx.lock_head().await?;
    if own_filters(cx, &tx)?.count(tx.connection()).await? >= FILTERS_MAX {
        return Err(conflict("you already have 50 saved filters; remove one first").into());
    }
    let id: SavedFilterId = cx.governance.entropy().id();
    let row = table::ActiveModel {
        tenant_id: Set(tenant.id().0),
        user_id: Set(cx.human()?.user_id.0),
        id: Set(id.0),
        name: Set(name.to_owned()),
        query: Set(query.to_owned()),
        created_at: Set(to_column(cx.now)),
    };
    let insert = table::Entity::insert(row).exec_without_returning(tx.connection());
    insert.await.map_err(|error| {
        map_violation(error, &["saved_filters_unique_name"], || {
            conflict(format!("you already have a saved filter called `{name}`"))
        })
    })?;
    tx.commit(cx, Event::new("saved_filter.create", "saved_filter", id)).await?;
    Ok(id)
}

fn check_length(path: &str, text: &str, max: usize, message: &str) -> Result<()> {
    match text.chars().count() {
        length if (1..=max).contains(&length) => Ok(()),
        _ => Err(invalid_field(path, "length", message).into()),
    }
}

/// Removes a saved filter of the user and returns it. Saving its name and query again undoes the removal.
///
/// # Errors
/// `NOT_FOUND`, also for a filter of another user; `HUMAN_REQUIRED` for an API key.
pub async fn remove(cx: &Cx, id: SavedFilterId) -> Result<SavedFilter> {
    let tx = cx.tenant(permission::SAVE_FILTERS)?.begin().await?;
    let delete = tx
        .delete::<table::Entity>()
        .filter(table::Column::UserId.eq(cx.human()?.user_id.0))
        .filter(table::Column::Id.eq(id.0));
    let removed = delete.exec_with_returning(tx.connection()).await?;
    let removed = removed.into_iter().next().or_not_found(ResourceKind::SavedFilter)?;
    tx.commit(cx, Event::new("saved_filter.delete", "saved_filter", id)).await?;
    Ok(removed.into())
}

fn own_filters(cx: &Cx, tx: &TenantTx) -> Result<Select<table::Entity>> {
    Ok(tx.find::<table::Entity>().filter(table::Column::UserId.eq(cx.human()?.user_id.0)))
}
