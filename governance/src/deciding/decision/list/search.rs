//! The query of decision lists. Every filter is answered by an index, except those that match most decisions:
//! without an outcome, or not changed by shadow mode. The index of a time range has the order of the list, so
//! decisions after the range are passed in it. Of combined filters, one is answered by its index.

use contract::decision::DecisionFilter;
use entity::{
    decision as table, decision_rule as by_rule, decision_texts::DecisionTexts,
    outcome as by_outcome, snapshot_policy as by_policy,
};
use sea_orm::sea_query::{ExprTrait, JoinType, Query, SelectStatement};

use crate::{
    base::{pagination::Start, prelude::*},
    deciding::decision::page_size::{self, STORED_BYTES_MAX},
};

#[derive(Clone, Debug)]
pub(in crate::deciding::decision) struct DecisionSearch {
    pub(in crate::deciding::decision) filter: DecisionFilter,
}

#[derive(Clone, Debug)]
pub(in crate::deciding::decision) struct Row {
    /// The position in the list: the tenant's sequence number, or the step of the chain.
    pub(in crate::deciding::decision) position: i64,
    /// The record, byte for byte.
    pub(in crate::deciding::decision) record: String,
    /// The size of all texts of the decision in bytes.
    size: usize,
}

/// Returns the number of `rows` that fit into a page.
pub(in crate::deciding::decision) fn fitting(rows: &[Row]) -> usize {
    page_size::fitting(rows.iter().map(|row| row.size))
}

/// The aliases of the two columns.
const POSITION: &str = "position";
const TEXTS: &str = "texts";

/// The aliases of a page, and of the sum of the sizes of the stored texts before a decision.
const PAGE: &str = "page";
const BYTES_BEFORE: &str = "bytes_before";

/// The alias of the decisions of one snapshot in the lateral join, and of the positions it selects.
const OF_SNAPSHOT: &str = "of_snapshot";
const POSITIONS: &str = "positions";

/// The alias of the decision of one row of the index of rules in the lateral join.
const OF_RULE: &str = "of_rule";

impl DecisionSearch {
    /// Returns at most `limit` decisions from `start` on. If they are large, it returns fewer: one more than fit into a
    /// page ([`fitting`]).
    pub(in crate::deciding::decision) async fn rows(
        &self,
        tx: &TenantTx,
        start: Start,
        limit: u64,
    ) -> Result<Vec<Row>> {
        let page = self.query(tx, start, limit);
        let rows = tx.connection().query_all(&within_bytes(page, self.order(start))).await?;
        let row = |row: &QueryResult| {
            let texts: DecisionTexts = row.try_get_by_index(1)?;
            let (size, record) = (texts.size(), texts.record);
            Ok(Row { position: row.try_get_by_index(0)?, record, size })
        };
        page_size::read(rows, row, |row| row.size)
    }

    fn query(&self, tx: &TenantTx, start: Start, limit: u64) -> SelectStatement {
        let mut decisions = self.decisions(tx, start, limit);
        let Some(policy_id) = self.filter.policy_id else {
            if !self.is_only_by_time() {
                return decisions;
            }
            // Decisions after the range are passed in the index, without reading their rows.
            let position = Expr::col((table::Entity, table::Column::Sequence));
            decisions.clear_selects().expr_as(position, POSITION);
            return load_by_positions(tx, decisions, self.order(start));
        };
        let mut snapshots =
            tx.find::<by_policy::Entity>().filter(by_policy::Column::PolicyId.eq(policy_id.0));
        if let Some(version) = self.filter.version {
            // A number above the range of the column selects nothing.
            let version = i32::try_from(version).unwrap_or(-1);
            snapshots = snapshots.filter(by_policy::Column::Version.eq(version));
        }
        let mut snapshots = snapshots.select_only().into_query();
        let snapshot = if self.filter.rule_code.is_some() {
            Expr::col((by_rule::Entity, by_rule::Column::SnapshotId))
        } else {
            Expr::col((table::Entity, table::Column::SnapshotId))
        };
        if self.is_selective() {
            // An index yields few decisions; their snapshots are looked up.
            snapshots.column((by_policy::Entity, by_policy::Column::SnapshotId));
            decisions.and_where(snapshot.in_subquery(snapshots));
            return decisions;
        }
        // Selects the first decisions of each snapshot and the first of those, in the order of the page. Even for
        // a rare policy, no decision of another snapshot is read.
        let own = (by_policy::Entity, by_policy::Column::SnapshotId);
        decisions.and_where(snapshot.equals(own)).clear_selects();
        decisions.expr_as(Expr::col((table::Entity, table::Column::Sequence)), POSITION);
        snapshots
            .column((OF_SNAPSHOT, POSITION))
            .join_lateral(JoinType::InnerJoin, decisions, OF_SNAPSHOT, Expr::cust("true"))
            .order_by((OF_SNAPSHOT, POSITION), self.order(start))
            .limit(limit);
        load_by_positions(tx, snapshots, self.order(start))
    }

    /// Returns the order of the rows of a page: newest first, or by step for a chain. A page that ends before a
    /// position is read in reverse.
    fn order(&self, start: Start) -> Order {
        let is_ascending = self.filter.chain_id.is_some() != start.is_reverse();
        if is_ascending { Order::Asc } else { Order::Desc }
    }

    /// Returns whether an index other than the policy's yields few decisions.
    fn is_selective(&self) -> bool {
        let filter = &self.filter;
        filter.decision_type.is_some()
            || filter.rule_code.is_some()
            || filter.correlation_id.is_some()
            || filter.chain_id.is_some()
            || filter.idempotency_key.is_some()
            || filter.actor_id.is_some()
            || filter.outcome.is_some_and(|outcome| outcome.status().is_some())
            || filter.shadow_converted == Some(true)
    }

    /// Returns whether the index of rules leads to the decisions that violate a rule. A plain join could read all decisions
    /// in order until enough of them violate it. Filters that match fewer decisions than a rule use their own index.
    fn is_led_by_rule(&self) -> bool {
        let filter = &self.filter;
        filter.correlation_id.is_none()
            && filter.chain_id.is_none()
            && filter.idempotency_key.is_none()
            && filter.actor_id.is_none()
            && filter.outcome.is_none_or(|outcome| outcome.status().is_none())
    }

    /// Returns whether the filter contains only a time range.
    fn is_only_by_time(&self) -> bool {
        let DecisionFilter { recorded_from, recorded_to, .. } = self.filter;
        let range = DecisionFilter { recorded_from, recorded_to, ..DecisionFilter::default() };
        recorded_from.or(recorded_to).is_some() && self.filter == range
    }

    /// Selects the decisions by every filter except the policy.
    fn decisions(&self, tx: &TenantTx, start: Start, limit: u64) -> SelectStatement {
        let mut query =
            filtered(tx.find::<table::Entity>(), &self.filter).select_only().into_query();
        let mut position = Expr::col((table::Entity, table::Column::Sequence));
        let order = self.order(start);
        let own_tenant = (table::Entity, table::Column::TenantId);
        if let Some(outcome) = self.filter.outcome {
            let tenant = Expr::col((by_outcome::Entity, by_outcome::Column::TenantId));
            if let Some(status) = outcome.status() {
                let sequence = std::mem::replace(
                    &mut position,
                    Expr::col((by_outcome::Entity, by_outcome::Column::Sequence)),
                );
                query
                    .inner_join(by_outcome::Entity, position.clone().eq(sequence))
                    .and_where(tenant.equals(own_tenant))
                    .and_where(by_outcome::Column::Status.eq(status.as_str()));
            } else {
                let decision = Expr::col((by_outcome::Entity, by_outcome::Column::DecisionId));
                let mut outcomes = tx.find::<by_outcome::Entity>().select_only().into_query();
                outcomes
                    .expr(Expr::val(1))
                    .and_where(decision.equals((table::Entity, table::Column::Id)));
                query.and_where(Expr::exists(outcomes).not());
            }
        }
        let mut texts = Expr::col((table::Entity, table::Column::Texts));
        if let Some(rule_code) = &self.filter.rule_code {
            let sequence = std::mem::replace(
                &mut position,
                Expr::col((by_rule::Entity, by_rule::Column::Sequence)),
            );
            if self.is_led_by_rule() {
                query.expr_as(texts, TEXTS).and_where(position.clone().eq(sequence)).limit(1);
                let mut rules = tx.find::<by_rule::Entity>().select_only().into_query();
                rules.join_lateral(JoinType::InnerJoin, query, OF_RULE, Expr::cust("true"));
                query = rules;
                texts = Expr::col((OF_RULE, TEXTS));
            } else {
                let tenant = Expr::col((by_rule::Entity, by_rule::Column::TenantId));
                query
                    .inner_join(by_rule::Entity, position.clone().eq(sequence))
                    .and_where(tenant.equals(own_tenant));
            }
            query.and_where(by_rule::Column::RuleCode.eq(rule_code.as_str()));
        }
        if self.filter.chain_id.is_some() {
            position = Expr::col((table::Entity, table::Column::ChainStep));
        }
        if let Some(bound) = start.position() {
            query.and_where(match order {
                Order::Asc => position.clone().gt(bound),
                _ => position.clone().lt(bound),
            });
        }
        query
            .expr_as(position.clone().cast_as("bigint"), POSITION)
            .expr_as(texts, TEXTS)
            .order_by_expr(position, order)
            .limit(limit);
        query
    }
}

/// Selects the first decisions of a page: those before which the stored texts have at most `STORED_BYTES_MAX` bytes. The
/// texts of the others are not read.
fn within_bytes(page: SelectStatement, order: Order) -> SelectStatement {
    let direction = if order == Order::Asc { "ASC" } else { "DESC" };
    let before = page_size::bytes_before(direction);
    let mut sums = Query::select();
    sums.column(POSITION).column(TEXTS).expr_as(Expr::cust(before), BYTES_BEFORE);
    sums.from_subquery(page, PAGE);
    let mut query = Query::select();
    query
        .column(POSITION)
        .column(TEXTS)
        .from_subquery(sums, PAGE)
        .and_where(Expr::col(BYTES_BEFORE).lte(STORED_BYTES_MAX))
        .order_by(POSITION, order);
    query
}

/// Loads the decisions at the positions that `positions` selects.
fn load_by_positions(tx: &TenantTx, positions: SelectStatement, order: Order) -> SelectStatement {
    let mut query = tx.find::<table::Entity>().select_only().into_query();
    let position = Expr::col((POSITIONS, POSITION));
    query
        .expr_as(position.clone(), POSITION)
        .expr_as(Expr::col((table::Entity, table::Column::Texts)), TEXTS)
        .join_subquery(
            JoinType::InnerJoin,
            positions,
            POSITIONS,
            position.equals((table::Entity, table::Column::Sequence)),
        )
        .order_by((POSITIONS, POSITION), order);
    query
}

fn filtered(query: Select<table::Entity>, filter: &DecisionFilter) -> Select<table::Entity> {
    use table::Column;
    // Without a parameter, so that the condition matches that of the index.
    let converted = Expr::col((table::Entity, Column::ShadowConverted));
    let converted = |is_converted| if is_converted { converted } else { converted.not() };
    let text = |column: Column, text: Option<&str>| text.map(|text| column.eq(text));
    let conditions = [
        text(Column::DecisionType, filter.decision_type.as_deref()),
        text(Column::Decision, filter.decision.map(Verdict::as_str)),
        text(Column::CorrelationId, filter.correlation_id.as_deref()),
        filter.chain_id.map(|chain| Column::ChainId.eq(chain.0)),
        text(Column::IdempotencyKey, filter.idempotency_key.as_deref()),
        text(Column::ActorId, filter.actor_id.as_deref()),
        text(Column::Severity, filter.severity.map(Severity::as_str)),
        filter.shadow_converted.map(converted),
        filter.recorded_from.map(|from| Column::RecordedAt.gte(to_column(from))),
        filter.recorded_to.map(|to| Column::RecordedAt.lte(to_column(to))),
    ];
    conditions.into_iter().flatten().fold(query, QueryFilter::filter)
}
