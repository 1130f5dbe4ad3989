//! The first wall: no row of a tenant is in reach but through a [`Tenant`].

mod line;

use contract::{
    id::{TenantId, UserId},
    time::Timestamp,
};
use entity::tenant::TenantOwned;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, DeleteMany, ExecResult,
    QueryFilter, QueryResult, Select, Statement, UpdateMany, Value,
};

pub(crate) use self::line::{Ancestor, Reach, hold_line, line_below};
use crate::{
    audit::{self, Event},
    cx::Cx,
    database,
    error::{Error, Result},
    recorder::Recorded,
};

/// A tenant, as proof that the caller may do something in it.
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

    /// The tenant's id.
    pub fn id(&self) -> TenantId {
        self.id
    }

    /// The activation counter as the door saw it.
    pub(crate) fn activations(&self) -> i64 {
        self.activations
    }

    /// The same proof at a newer count of activations.
    pub(crate) fn at(self, activations: i64) -> Self {
        Self { activations, ..self }
    }

    /// The operation for which the proof was given.
    pub(crate) fn cx(&self) -> &'a Cx {
        self.cx
    }

    /// Begins a transaction that sees this tenant's rows and no others.
    pub(crate) async fn begin(&self) -> Result<TenantTx> {
        self.enter(database::begin(self.cx.governance.database()).await?).await
    }

    /// Begins a transaction that only reads, and sees the tenant's rows as they are at one moment.
    pub(crate) async fn begin_snapshot(&self) -> Result<TenantTx> {
        self.enter(database::begin_snapshot(self.cx.governance.database()).await?).await
    }

    /// Sets the tenant of a transaction.
    async fn enter(&self, tx: DatabaseTransaction) -> Result<TenantTx> {
        see_tenant(&tx, self.id).await?;
        Ok(TenantTx { tx, tenant_id: self.id, head: None, events: Vec::new() })
    }
}

// SQL: only a function sets what row-level security reads, for one transaction.
const SET_TENANT: &str = "SELECT set_config('app.tenant', $1, true)";
const SET_PERSON: &str = "SELECT set_config('app.user', $1, true)";

/// Lets a transaction see the rows of one tenant.
pub(crate) async fn see_tenant(tx: &DatabaseTransaction, tenant: TenantId) -> Result<()> {
    tx.query_one_raw(statement(SET_TENANT, [tenant.to_string().into()])).await?;
    Ok(())
}

/// Lets a transaction see where a person belongs, in all tenants.
pub(crate) async fn see_places_of(tx: &DatabaseTransaction, person: UserId) -> Result<()> {
    tx.query_one_raw(statement(SET_PERSON, [person.to_string().into()])).await?;
    Ok(())
}

/// A transaction within one tenant. Dropped, it rolls back.
#[derive(Debug)]
pub(crate) struct TenantTx {
    tx: DatabaseTransaction,
    tenant_id: TenantId,
    head: Option<Head>,
    events: Vec<Event>,
}

/// A tenant's head row: it gives out the tenant's sequence and turns its events into one line.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    /// The last sequence number given out; 0 before the first.
    pub(crate) seq: i64,
    /// The hash of the last event; empty before the first.
    pub(crate) hash: String,
    /// How often the set of active policies has changed.
    pub(crate) activations: i64,
}

// SQL: run by every act, while other acts of the tenant wait for the head.
const LOCK_HEAD: &str = "SELECT audit_seq, audit_hash, activation_counter FROM tenant_heads \
                         WHERE tenant_id = $1 FOR UPDATE";

const MOVE_HEAD: &str = "UPDATE tenant_heads SET audit_seq = $2, audit_hash = $3, \
                         activation_counter = $4 WHERE tenant_id = $1";

impl TenantTx {
    /// The tenant.
    pub(crate) fn tenant_id(&self) -> TenantId {
        self.tenant_id
    }

    /// The tenant's id as a value to bind.
    pub(crate) fn tenant_value(&self) -> Value {
        self.tenant_id.0.into()
    }

    /// The connection, for statements that an entity builds.
    pub(crate) fn connection(&self) -> &DatabaseTransaction {
        &self.tx
    }

    /// The tenant's rows of a table.
    #[expect(clippy::disallowed_methods, reason = "this is where the tenant is added")]
    pub(crate) fn find<E: TenantOwned>(&self) -> Select<E> {
        E::find().filter(E::TENANT_ID.eq(self.tenant_id.0))
    }

    /// An update of the tenant's rows of a table.
    #[expect(clippy::disallowed_methods, reason = "this is where the tenant is added")]
    pub(crate) fn update<E: TenantOwned>(&self) -> UpdateMany<E> {
        E::update_many().filter(E::TENANT_ID.eq(self.tenant_id.0))
    }

    /// A deletion of the tenant's rows of a table.
    #[expect(clippy::disallowed_methods, reason = "this is where the tenant is added")]
    pub(crate) fn delete<E: TenantOwned>(&self) -> DeleteMany<E> {
        E::delete_many().filter(E::TENANT_ID.eq(self.tenant_id.0))
    }

    /// The one row of a hand-written query, whose `$1` is the tenant.
    pub(crate) async fn one(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Option<QueryResult>> {
        Ok(self.tx.query_one_raw(self.statement(sql, values)).await?)
    }

    /// The rows of a hand-written query, whose `$1` is the tenant.
    pub(crate) async fn all(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<QueryResult>> {
        Ok(self.tx.query_all_raw(self.statement(sql, values)).await?)
    }

    /// Runs a hand-written statement, whose `$1` is the tenant.
    pub(crate) async fn execute(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<ExecResult, sea_orm::DbErr> {
        self.tx.execute_raw(self.statement(sql, values)).await
    }

    fn statement(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Statement {
        statement(sql, std::iter::once(self.tenant_value()).chain(values))
    }

    /// Locks the head row. Last in the order of locks: object rows, chain head, tenant head.
    pub(crate) async fn head(&mut self) -> Result<&mut Head> {
        if self.head.is_none() {
            let row = self.one(LOCK_HEAD, []).await?;
            let row = row.ok_or_else(|| Error::bug("a tenant without its head row"))?;
            self.head = Some(Head {
                seq: row.try_get_by_index(0)?,
                hash: row.try_get_by_index(1)?,
                activations: row.try_get_by_index(2)?,
            });
        }
        self.head.as_mut().ok_or_else(|| Error::bug("the head row was just read"))
    }

    /// The sequence number that the first event of this transaction will have.
    pub(crate) async fn next_sequence(&mut self) -> Result<i64> {
        Ok(self.head().await?.seq.saturating_add(1))
    }

    /// Notes that the set of active policies has changed: every cached snapshot is out of date, and
    /// those of the tenants below too when the change reaches them. To be called before anything else
    /// has locked the head.
    pub(crate) async fn activations_changed(&mut self, reach: Reach) -> Result<()> {
        if reach == Reach::Below {
            self.activations_changed_below().await?;
        }
        let head = self.head().await?;
        head.activations = head.activations.saturating_add(1);
        Ok(())
    }

    /// A further event of the same transaction.
    pub(crate) fn also(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Writes the events so far into this tenant's log, and goes on in another one, whose id comes
    /// later: heads are locked in the order of their ids by everybody who holds several.
    pub(crate) async fn go_on_in(mut self, cx: &Cx, tenant: TenantId) -> Result<Self> {
        debug_assert!(self.tenant_id < tenant, "heads are locked in the order of their ids");
        self.write_events(cx).await?;
        cx.tenant_unchecked(tenant).enter(self.tx).await
    }

    /// Writes the event of the act into the audit log and commits both.
    pub(crate) async fn commit(mut self, cx: &Cx, event: Event) -> Result<()> {
        self.events.push(event);
        self.write_events(cx).await?;
        Ok(self.tx.commit().await?)
    }

    /// Writes the events so far, and moves the head to the last of them.
    pub(crate) async fn write_events(&mut self, cx: &Cx) -> Result<Head> {
        let mut head = self.head().await?.clone();
        for event in std::mem::take(&mut self.events) {
            audit::append(self, cx, &mut head, event).await?;
        }
        let moved = [head.seq.into(), head.hash.as_str().into(), head.activations.into()];
        self.execute(MOVE_HEAD, moved).await?;
        self.head = Some(head.clone());
        Ok(head)
    }

    /// Commits a record, which the database has written together with its event.
    pub(crate) async fn commit_recorded(self, _: Recorded) -> Result<()> {
        Ok(self.tx.commit().await?)
    }

    /// Commits what is no act of anybody and follows from what was written before, such as a
    /// checkpoint of the log itself. It has no event.
    pub(crate) async fn settle(self) -> Result<()> {
        Ok(self.tx.commit().await?)
    }

    /// Ends a transaction that only read.
    pub(crate) async fn end(self) -> Result<()> {
        Ok(self.tx.rollback().await?)
    }
}

/// A statement for `PostgreSQL` with its values.
pub(crate) fn statement(sql: &'static str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, sql, values)
}

/// An instant as the database keeps it.
pub(crate) fn instant(at: Timestamp) -> Value {
    entity::column::at(at).into()
}
