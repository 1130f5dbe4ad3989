//! The strict JSON reader, which rejects input that other readers accept.

use anyhow::{Result, ensure};
use contract::json::{Limits, Value};
use serde_json::json;

use crate::{
    report::{Figure::Micros, Goal, ReportRow},
    sample::Sample,
    stopwatch::median_us,
};

pub(crate) fn measure() -> Result<Vec<ReportRow>> {
    let samples = [("a request", Sample::NARROW), ("40 fields", Sample::WIDE)];
    samples.into_iter().map(|(name, sample)| row(name, sample)).collect()
}

fn row(name: &str, sample: Sample) -> Result<ReportRow> {
    let context = json!({"decision_type": "bench", "fields": sample.fields()});
    let text = json!({"context": context, "idempotency_key": "bench-1"}).to_string();
    let bytes = text.as_bytes();
    let own: Value =
        Value::parse(bytes, &Limits::REQUEST).map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let other: serde_json::Value = serde_json::from_slice(bytes)?;
    ensure!(serde_json::to_value(&own)? == other, "both readers read the same");
    let own = median_us(|| Value::parse(bytes, &Limits::REQUEST));
    let other = median_us(|| serde_json::from_slice::<serde_json::Value>(bytes));
    Ok(ReportRow::new(format!("strict reader, {name}, {} bytes", bytes.len()), Micros(own))
        .with_baseline("serde_json::Value", Micros(other))
        .goal(Goal::TimesAtMost(2.0)))
}
