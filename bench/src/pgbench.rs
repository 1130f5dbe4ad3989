//! `pgbench` in the database of the service: measures the limit of the database itself.

use anyhow::{Context, Result};
use serde_json::Value;

use crate::{
    Plan,
    database::Database,
    fixture::{BenchFixture, Requests, TENANTS},
};

/// The script that each `pgbench` client repeats.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Script {
    /// Writes the rows of a record in one transaction, spread over several tenants.
    Record { tenants: usize },
    /// Inserts one small row.
    Insert,
}

impl Script {
    fn file(self) -> &'static str {
        match self {
            Self::Record { .. } => concat!(env!("CARGO_MANIFEST_DIR"), "/pgbench/record.sql"),
            Self::Insert => concat!(env!("CARGO_MANIFEST_DIR"), "/pgbench/insert.sql"),
        }
    }
}

/// `pgbench` with separate tenants and the values of a real record.
#[derive(Debug)]
pub(crate) struct Pgbench {
    database: Database,
    /// The arguments `-D name=value` for each column that `record.sql` fills.
    values: Vec<String>,
}

/// Creates separate tenants for `pgbench`, because its audit events are not linked by hashes. They
/// are copies of the first tenant, each with its own head and snapshot.
const CREATE_TENANTS: &str = r"
    CREATE TABLE bench_rows (id uuid PRIMARY KEY, at timestamptz NOT NULL, body text NOT NULL);
    CREATE TABLE bench_tenants AS
        SELECT n, gen_random_uuid() AS tenant, gen_random_uuid() AS snapshot
        FROM generate_series(0, {last}) n;
    ALTER TABLE bench_tenants ADD PRIMARY KEY (n);
    GRANT SELECT ON bench_tenants TO govern_app;
    GRANT INSERT ON bench_rows TO govern_app;
    INSERT INTO tenants
        SELECT (jsonb_populate_record(t, jsonb_build_object('tenant_id', b.tenant))).*
        FROM bench_tenants b, tenants t WHERE t.tenant_id = '{tenant}';
    INSERT INTO tenant_heads
        SELECT (jsonb_populate_record(h, jsonb_build_object(
            'tenant_id', b.tenant, 'audit_seq', 0, 'audit_hash', ''))).*
        FROM bench_tenants b, tenant_heads h WHERE h.tenant_id = '{tenant}';
    INSERT INTO policy_snapshots
        SELECT (jsonb_populate_record(s, jsonb_build_object(
            'tenant_id', b.tenant, 'id', b.snapshot))).*
        FROM bench_tenants b, policy_snapshots s WHERE s.id = '{snapshot}';
";

const SELECT_RECORD: &str = r"
    SELECT jsonb_build_object('decision', to_jsonb(d), 'event', to_jsonb(e), 'personal', to_jsonb(p))
    FROM decisions d
    JOIN audit_events e ON e.tenant_id = d.tenant_id AND e.seq = d.sequence
    JOIN audit_personal p ON p.tenant_id = e.tenant_id AND p.seq = e.seq
    WHERE d.id = '{id}'
";

impl Pgbench {
    /// Records a decision and uses its rows as the pattern.
    pub(crate) fn prepare(fixture: &mut BenchFixture) -> Result<Self> {
        let recorded = fixture.send(&mut fixture.tenant.record(), 201)?;
        let text = |pointer| recorded.pointer(pointer).and_then(Value::as_str).context("no record");
        let database = fixture.database.clone();
        let rows = database.sql(&SELECT_RECORD.replace("{id}", text("/decision/id")?))?;
        let tenants = CREATE_TENANTS
            .replace("{last}", &(TENANTS - 1).to_string())
            .replace("{tenant}", &fixture.tenant.id)
            .replace("{snapshot}", text("/decision/policy_snapshot_id")?);
        database.sql(&tenants)?;
        Ok(Self { database, values: values(&serde_json::from_str(&rows)?) })
    }

    /// Runs a script with this many clients and returns the transactions per second.
    pub(crate) fn run(&self, plan: &Plan, script: Script, clients: usize) -> Result<f64> {
        self.database.checkpoint()?;
        let (seconds, threads) = (plan.time().as_secs().max(1), clients.min(2));
        let mut arguments: Vec<String> = format!(
            "--no-vacuum --protocol prepared --client {clients} --jobs {threads} --time {seconds} --file"
        )
        .split(' ')
        .map(str::to_owned)
        .collect();
        arguments.push(script.file().to_owned());
        if let Script::Record { tenants } = script {
            arguments.extend(["-D".to_owned(), format!("tenants={tenants}")]);
            arguments.extend_from_slice(&self.values);
        }
        let output = self.database.pgbench(&arguments)?;
        rate(&output).with_context(|| format!("pgbench printed no rate: {output}"))
    }
}

/// Parses the transactions per second. Without transactions, `pgbench` prints no rate; the result
/// is 0.
fn rate(output: &str) -> Option<f64> {
    if output.contains("actually processed: 0\n") {
        return Some(0.0);
    }
    let rate = output.lines().find_map(|line| line.strip_prefix("tps = "))?;
    rate.split(' ').next()?.parse().ok()
}

/// Returns the arguments `-D table_column=value` for every column of the rows.
fn values(rows: &Value) -> Vec<String> {
    let mut values = Vec::new();
    for (table, row) in rows.as_object().into_iter().flatten() {
        for (column, value) in row.as_object().into_iter().flatten() {
            let value = match value {
                Value::Null => continue,
                Value::String(text) => text.clone(),
                // The array literal of the database. No value contains a comma or a quote.
                Value::Array(items) => {
                    let items = items.iter().filter_map(Value::as_str).collect::<Vec<_>>();
                    format!("{{{}}}", items.join(","))
                }
                other => other.to_string(),
            };
            values.extend(["-D".to_owned(), format!("{table}_{column}={value}")]);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_is_parsed_and_is_zero_without_transactions() {
        let output = "number of transactions actually processed: 12\ntps = 6.5 (without …)";
        assert_eq!(rate(output), Some(6.5));
        assert_eq!(rate("number of transactions actually processed: 0\n"), Some(0.0));
        assert_eq!(rate("number of transactions actually processed: 12\n"), None);
    }
}
