//! Tenant isolation: rows of a tenant are accessible only through a [`Tenant`].

mod hierarchy;

use contract::{
    id::{TenantId, UserId},
    time::Timestamp,
};
use entity::tenant::{HasId, TenantOwned};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DeleteMany, EntityTrait,
    ExecResult, FromQueryResult, QueryFilter, QueryResult, QuerySelect, RelationDef, Select,
    Statement, TryGetableMany, UpdateMany, Value,
};
use uuid::Uuid;

pub(crate) use self::hierarchy::{Ancestor, ChangeScope, ancestors_for_child, lock_ancestors};
use crate::base::{
    audit_event::{Event, Head, PendingEvent},
    cx::Cx,
    database,
    error::{OrBug, OrNotFound, ResourceKind, Result},
    sql::{self, statement},
    stored_digest,
};

/// A tenant that the caller is authorized to access.
#[derive(Clone, Copy, Debug)]
pub struct Tenant<'a> {
    cx: &'a Cx,
    id: TenantId,
    activations: i64,
}

impl<'a> Tenant<'a> {
    pub(crate) fn new(cx: &'a Cx, id: TenantId, activations: i64) -> Self {
        Self { cx, id, activations }
    }

    pub fn id(&self) -> TenantId {
        self.id
    }

    /// Returns the activation counter as authentication read it.
    pub(crate) fn activation_counter(&self) -> i64 {
        self.activations
    }

    /// Returns the same authorization with a newer activation counter.
    pub(crate) fn with_activation_counter(self, activations: i64) -> Self {
        Self { activations, ..self }
    }

    /// Returns the request context that was authorized.
    pub(crate) fn cx(&self) -> &'a Cx {
        self.cx
    }

    /// Begins a transaction that sees only this tenant's rows.
    pub(crate) async fn begin(&self) -> Result<TenantTx> {
        TenantTx::begin(self.cx.governance.database(), self.id).await
    }

    /// Returns the row with an ID, in a transaction of its own.
    pub(crate) async fn get<E: HasId>(
        &self,
        id: impl Into<Uuid>,
        kind: ResourceKind,
    ) -> Result<E::Model> {
        let tx = self.begin().await?;
        let row = tx.get::<E>(id, kind).await?;
        tx.finish_read().await?;
        Ok(row)
    }

    /// Like [`sql::tuples`], in a transaction of its own. `$1` is the tenant.
    pub(crate) async fn tuples<T: TryGetableMany>(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<T>> {
        let tx = self.begin().await?;
        let rows = tx.tuples(sql, values).await?;
        tx.finish_read().await?;
        Ok(rows)
    }

    /// Begins a read-only transaction on one consistent snapshot of the tenant's rows.
    pub(crate) async fn begin_snapshot(&self) -> Result<TenantTx> {
        let tx = database::begin_snapshot(self.cx.governance.database()).await?;
        TenantTx::enter(tx, self.id).await
    }
}

// SQL: row-level security reads these settings, and only a function can set them for one transaction.
const SET_TENANT: &str = "SELECT set_config('app.tenant', $1, true)";
const SET_USER: &str = "SELECT set_config('app.user', $1, true)";

/// Restricts a transaction to the rows of one tenant.
pub(crate) async fn see_tenant(tx: &DatabaseTransaction, tenant: TenantId) -> Result<()> {
    tx.query_one_raw(statement(SET_TENANT, [tenant.to_string().into()])).await?;
    Ok(())
}

/// Allows a transaction to see the memberships of a user in all tenants.
pub(crate) async fn see_memberships_of(tx: &DatabaseTransaction, user: UserId) -> Result<()> {
    tx.query_one_raw(statement(SET_USER, [user.to_string().into()])).await?;
    Ok(())
}

/// A transaction within one tenant. Dropping it rolls it back.
#[derive(Debug)]
pub(crate) struct TenantTx {
    tx: DatabaseTransaction,
    tenant_id: TenantId,
    head: Option<Head>,
    events: Vec<Event>,
}

// SQL: runs for every change, while other changes of the tenant wait for the head.
const LOCK_HEAD: &str = "SELECT audit_seq, audit_hash, activation_counter FROM tenant_heads \
                         WHERE tenant_id = $1 FOR UPDATE";

const ADVANCE_HEAD: &str = "UPDATE tenant_heads SET audit_seq = $2, audit_hash = $3, \
                         activation_counter = $4 WHERE tenant_id = $1";

// SQL, like the next statement: runs for every event while the tenant head is locked.
const INSERT_EVENT: &str = "INSERT INTO audit_events (tenant_id, seq, event_id, occurred_at, action, \
     actor_type, actor_id, object_type, object_id, event, hash, prev) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";

const INSERT_PERSONAL: &str =
    "INSERT INTO audit_personal (tenant_id, seq, personal) VALUES ($1, $2, $3)";

impl TenantTx {
    /// Begins a transaction that sees only the rows of `tenant`. Use [`Tenant::begin`], except for queued
    /// records, whose callers were authorized before.
    pub(crate) async fn begin(database: &DatabaseConnection, tenant: TenantId) -> Result<Self> {
        Self::enter(database::begin(database).await?, tenant).await
    }

    async fn enter(tx: DatabaseTransaction, tenant_id: TenantId) -> Result<Self> {
        see_tenant(&tx, tenant_id).await?;
        Ok(Self { tx, tenant_id, head: None, events: Vec::new() })
    }

    pub(crate) fn tenant_id(&self) -> TenantId {
        self.tenant_id
    }

    /// Returns the tenant's ID as a value to bind.
    pub(crate) fn tenant_value(&self) -> Value {
        self.tenant_id.0.into()
    }

    /// Returns the connection, for statements built by an entity.
    pub(crate) fn connection(&self) -> &DatabaseTransaction {
        &self.tx
    }

    /// Starts a query on the tenant's rows of a table.
    #[expect(clippy::disallowed_methods, reason = "this is where the tenant is added")]
    pub(crate) fn find<E: TenantOwned>(&self) -> Select<E> {
        E::find().filter(E::TENANT_ID.eq(self.tenant_id.0))
    }

    pub(crate) fn find_by_id<E: HasId>(&self, id: impl Into<Uuid>) -> Select<E> {
        self.find::<E>().filter(E::ID.eq(id.into()))
    }

    /// Returns the row with an ID.
    pub(crate) async fn get<E: HasId>(
        &self,
        id: impl Into<Uuid>,
        kind: ResourceKind,
    ) -> Result<E::Model> {
        let row = self.find_by_id::<E>(id).one(self.connection()).await?;
        Ok(row.or_not_found(kind)?)
    }

    /// Locks the row with an ID and returns it.
    pub(crate) async fn lock<E: HasId>(
        &self,
        id: impl Into<Uuid>,
        kind: ResourceKind,
    ) -> Result<E::Model> {
        let row = self.find_by_id::<E>(id).lock_exclusive().one(self.connection()).await?;
        Ok(row.or_not_found(kind)?)
    }

    /// Starts an update of the tenant's rows of a table.
    #[expect(clippy::disallowed_methods, reason = "this is where the tenant is added")]
    pub(crate) fn update<E: TenantOwned>(&self) -> UpdateMany<E> {
        E::update_many().filter(E::TENANT_ID.eq(self.tenant_id.0))
    }

    /// Starts a deletion of the tenant's rows of a table.
    #[expect(clippy::disallowed_methods, reason = "this is where the tenant is added")]
    pub(crate) fn delete<E: TenantOwned>(&self) -> DeleteMany<E> {
        E::delete_many().filter(E::TENANT_ID.eq(self.tenant_id.0))
    }

    /// Returns the only row of a handwritten query. `$1` is the tenant.
    pub(crate) async fn one(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Option<QueryResult>> {
        Ok(self.tx.query_one_raw(self.statement(sql, values)).await?)
    }

    /// Returns the rows of a handwritten query. `$1` is the tenant.
    pub(crate) async fn all(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<QueryResult>> {
        Ok(self.tx.query_all_raw(self.statement(sql, values)).await?)
    }

    /// Returns the rows of a handwritten query, whose columns have the names of the fields of `T`. `$1` is the tenant.
    pub(crate) async fn rows<T: FromQueryResult>(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<T>> {
        let rows = self.all(sql, values).await?;
        Ok(rows.iter().map(|row| T::from_query_result(row, "")).collect::<Result<_, _>>()?)
    }

    /// Like [`sql::tuples`]. `$1` is the tenant.
    pub(crate) async fn tuples<T: TryGetableMany>(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<T>> {
        sql::tuples(&self.tx, sql, self.values(values)).await
    }

    /// Like [`sql::optional`]. `$1` is the tenant.
    pub(crate) async fn optional<T: TryGetableMany>(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Option<T>> {
        sql::optional(&self.tx, sql, self.values(values)).await
    }

    /// Like [`sql::only`]. `$1` is the tenant.
    pub(crate) async fn only<T: TryGetableMany>(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<T> {
        sql::only(&self.tx, sql, self.values(values)).await
    }

    /// Runs a handwritten statement. `$1` is the tenant.
    pub(crate) async fn execute(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<ExecResult, sea_orm::DbErr> {
        self.tx.execute_raw(self.statement(sql, values)).await
    }

    fn statement(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Statement {
        statement(sql, self.values(values))
    }

    fn values(&self, values: impl IntoIterator<Item = Value>) -> impl Iterator<Item = Value> {
        std::iter::once(self.tenant_value()).chain(values)
    }

    /// Locks the head row and returns it. The order of locks is: object rows, chain head, tenant head.
    pub(crate) async fn lock_head(&mut self) -> Result<&mut Head> {
        if self.head.is_none() {
            let (seq, hash, activations) = self.only::<(i64, Vec<u8>, i64)>(LOCK_HEAD, []).await?;
            let hash = stored_digest::read_optional(&hash)?;
            self.head = Some(Head { seq, hash, activations });
        }
        self.head.as_mut().or_bug("the head row was just read")
    }

    /// Returns the sequence number of the first event of this transaction.
    pub(crate) async fn next_sequence(&mut self) -> Result<i64> {
        Ok(self.lock_head().await?.seq.saturating_add(1))
    }

    /// Increments the activation counter, which invalidates cached snapshots. With
    /// [`ChangeScope::Descendants`], also increments the counters of all descendants. Call it before
    /// the head is locked.
    pub(crate) async fn bump_activation_counter(&mut self, scope: ChangeScope) -> Result<()> {
        if scope == ChangeScope::Descendants {
            self.bump_descendants().await?;
        }
        let head = self.lock_head().await?;
        head.activations = head.activations.saturating_add(1);
        Ok(())
    }

    pub(crate) fn add_event(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Writes the collected events into this tenant's audit log and continues in another tenant, whose
    /// ID must be greater. Every transaction that locks several heads locks them in the order of their
    /// IDs.
    pub(crate) async fn continue_in(mut self, cx: &Cx, tenant: TenantId) -> Result<Self> {
        debug_assert!(self.tenant_id < tenant, "heads are locked in the order of their ids");
        self.write_events(cx).await?;
        Self::enter(self.tx, tenant).await
    }

    /// Adds `event` to the audit log and commits.
    pub(crate) async fn commit(mut self, cx: &Cx, event: Event) -> Result<()> {
        self.events.push(event);
        self.write_events(cx).await?;
        Ok(self.tx.commit().await?)
    }

    /// Writes the collected events and advances the head to the last of them.
    pub(crate) async fn write_events(&mut self, cx: &Cx) -> Result<Head> {
        let mut head = self.lock_head().await?.clone();
        for event in std::mem::take(&mut self.events) {
            self.append(PendingEvent::new(cx, self.tenant_id, event), &mut head).await?;
        }
        let hash = stored_digest::to_column(head.hash);
        let values = [head.seq.into(), hash.into(), head.activations.into()];
        self.execute(ADVANCE_HEAD, values).await?;
        self.head = Some(head.clone());
        Ok(head)
    }

    /// Appends `event` after `head` and advances `head`.
    async fn append(&self, event: PendingEvent, head: &mut Head) -> Result<()> {
        let chained = event.link(head)?;
        self.execute(INSERT_EVENT, event.row(chained)).await?;
        if let Some(personal) = event.personal_row() {
            self.execute(INSERT_PERSONAL, [head.seq.into(), personal.into()]).await?;
        }
        Ok(())
    }

    /// Commits without a further audit event. Only for writes that follow from earlier ones, such as a
    /// checkpoint of the audit log itself, for a record, which is written together with its event, for a review
    /// draft, which only its author sees, and for a login code, whose exchange has an event.
    pub(crate) async fn commit_without_event(self) -> Result<()> {
        Ok(self.tx.commit().await?)
    }

    /// Ends a read-only transaction.
    pub(crate) async fn finish_read(self) -> Result<()> {
        Ok(self.tx.rollback().await?)
    }
}

/// Relates the rows of two tables of one tenant by a column of each.
pub(crate) fn related<From, To>(from: From, to: To) -> RelationDef
where
    From: ColumnTrait<EntityName: TenantOwned<Column = From>>,
    To: ColumnTrait<EntityName: TenantOwned<Column = To>>,
{
    From::EntityName::belongs_to(To::EntityName::default())
        .from((From::EntityName::TENANT_ID, from))
        .to((To::EntityName::TENANT_ID, to))
        .into()
}

/// Converts a timestamp to its column value.
pub(crate) fn timestamp_value(timestamp: Timestamp) -> Value {
    entity::column::to_column(timestamp).into()
}
