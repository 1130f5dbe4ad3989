//! The query behind a list of decisions, made so that an index answers each filter.

use contract::decision::DecisionFilter;
use entity::{
    column::at, decision as table, decision_rule as by_rule, snapshot_policy as by_policy,
};
use sea_orm::{
    ColumnTrait, ConnectionTrait, Order, QueryFilter, QuerySelect, QueryTrait, Select,
    sea_query::{Expr, ExprTrait, JoinType, SelectStatement},
};

use crate::{error::Result, tenancy::TenantTx};

/// What is looked for.
#[derive(Clone, Debug)]
pub(in crate::decision) struct Search {
    pub(in crate::decision) filter: DecisionFilter,
    /// The version of the filter's policy; any when absent.
    pub(in crate::decision) version: Option<i32>,
}

/// One decision of a list.
#[derive(Clone, Debug)]
pub(in crate::decision) struct Row {
    /// Its place in the order of the list: the tenant's sequence, or the step of the chain.
    pub(in crate::decision) place: i64,
    /// The record, byte for byte.
    pub(in crate::decision) record: String,
}

/// The names of the two columns.
const PLACE: &str = "place";
const RECORD: &str = "record";

/// The decisions of one snapshot within the lateral join, and the places that it finds.
const OF_SNAPSHOT: &str = "of_snapshot";
const PLACES: &str = "places";

impl Search {
    /// At most `limit` decisions, from the one after `after` on.
    pub(in crate::decision) async fn rows(
        &self,
        tx: &TenantTx,
        after: Option<i64>,
        limit: u64,
    ) -> Result<Vec<Row>> {
        let rows = tx.connection().query_all(&self.query(tx, after, limit)).await?;
        let row = |row: &sea_orm::QueryResult| {
            Ok(Row { place: row.try_get_by_index(0)?, record: row.try_get_by_index(1)? })
        };
        rows.iter().map(row).collect()
    }

    fn query(&self, tx: &TenantTx, after: Option<i64>, limit: u64) -> SelectStatement {
        let mut decisions = self.decisions(tx, after, limit);
        let Some(policy_id) = self.filter.policy_id else { return decisions };
        let mut snapshots =
            tx.find::<by_policy::Entity>().filter(by_policy::Column::PolicyId.eq(policy_id.0));
        if let Some(version) = self.version {
            snapshots = snapshots.filter(by_policy::Column::Version.eq(version));
        }
        let mut snapshots = snapshots.select_only().into_query();
        let snapshot = if self.filter.rule_code.is_some() {
            Expr::col((by_rule::Entity, by_rule::Column::SnapshotId))
        } else {
            Expr::col((table::Entity, table::Column::SnapshotId))
        };
        if self.is_narrow() {
            // An index leads to few decisions; their snapshots are looked up.
            snapshots.column((by_policy::Entity, by_policy::Column::SnapshotId));
            decisions.and_where(snapshot.in_subquery(snapshots));
            return decisions;
        }
        // The newest of each snapshot, and the newest of those: however rare the policy, no decision
        // is read that did not look at it.
        let own = (by_policy::Entity, by_policy::Column::SnapshotId);
        decisions.and_where(snapshot.equals(own)).clear_selects();
        decisions.expr_as(Expr::col((table::Entity, table::Column::Sequence)), PLACE);
        snapshots
            .column((OF_SNAPSHOT, PLACE))
            .join_lateral(JoinType::InnerJoin, decisions, OF_SNAPSHOT, Expr::cust("true"))
            .order_by((OF_SNAPSHOT, PLACE), Order::Desc)
            .limit(limit);
        at_places(tx, snapshots)
    }

    /// Whether an index on something else than the policy leads to few decisions.
    fn is_narrow(&self) -> bool {
        let filter = &self.filter;
        filter.decision_type.is_some()
            || filter.rule_code.is_some()
            || filter.correlation_id.is_some()
            || filter.chain_id.is_some()
            || filter.idempotency_key.is_some()
            || filter.actor_id.is_some()
    }

    /// The decisions by every filter but the policy.
    fn decisions(&self, tx: &TenantTx, after: Option<i64>, limit: u64) -> SelectStatement {
        let mut query =
            filtered(tx.find::<table::Entity>(), &self.filter).select_only().into_query();
        let mut place = Expr::col((table::Entity, table::Column::Sequence));
        let mut order = Order::Desc;
        if let Some(rule_code) = &self.filter.rule_code {
            let sequence = std::mem::replace(
                &mut place,
                Expr::col((by_rule::Entity, by_rule::Column::Sequence)),
            );
            let tenant = Expr::col((by_rule::Entity, by_rule::Column::TenantId));
            query
                .inner_join(by_rule::Entity, place.clone().eq(sequence))
                .and_where(tenant.equals((table::Entity, table::Column::TenantId)))
                .and_where(by_rule::Column::RuleCode.eq(rule_code.as_str()));
        }
        if self.filter.chain_id.is_some() {
            place = Expr::col((table::Entity, table::Column::ChainStep));
            order = Order::Asc;
        }
        if let Some(after) = after {
            query.and_where(match order {
                Order::Asc => place.clone().gt(after),
                _ => place.clone().lt(after),
            });
        }
        query
            .expr_as(place.clone().cast_as("bigint"), PLACE)
            .expr_as(Expr::col((table::Entity, table::Column::Record)), RECORD)
            .order_by_expr(place, order)
            .limit(limit);
        query
    }
}

/// The decisions at the places that `places` finds, newest first.
fn at_places(tx: &TenantTx, places: SelectStatement) -> SelectStatement {
    let mut query = tx.find::<table::Entity>().select_only().into_query();
    let place = Expr::col((PLACES, PLACE));
    query
        .expr_as(place.clone(), PLACE)
        .expr_as(Expr::col((table::Entity, table::Column::Record)), RECORD)
        .join_subquery(
            JoinType::InnerJoin,
            places,
            PLACES,
            place.equals((table::Entity, table::Column::Sequence)),
        )
        .order_by((PLACES, PLACE), Order::Desc);
    query
}

fn filtered(mut query: Select<table::Entity>, filter: &DecisionFilter) -> Select<table::Entity> {
    use table::Column;
    if let Some(decision_type) = &filter.decision_type {
        query = query.filter(Column::DecisionType.eq(decision_type.as_str()));
    }
    if let Some(decision) = filter.decision {
        query = query.filter(Column::Decision.eq(decision.as_str()));
    }
    if let Some(correlation_id) = &filter.correlation_id {
        query = query.filter(Column::CorrelationId.eq(correlation_id.as_str()));
    }
    if let Some(chain_id) = filter.chain_id {
        query = query.filter(Column::ChainId.eq(chain_id.0));
    }
    if let Some(idempotency_key) = &filter.idempotency_key {
        query = query.filter(Column::IdempotencyKey.eq(idempotency_key.as_str()));
    }
    if let Some(actor_id) = &filter.actor_id {
        query = query.filter(Column::ActorId.eq(actor_id.as_str()));
    }
    if let Some(from) = filter.recorded_from {
        query = query.filter(Column::RecordedAt.gte(at(from)));
    }
    if let Some(to) = filter.recorded_to {
        query = query.filter(Column::RecordedAt.lte(at(to)));
    }
    query
}
