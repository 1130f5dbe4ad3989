//! The verifier: from the bytes of a bundle to its report.

use std::{path::Path, time::Instant};

use anyhow::{Context as _, Result, ensure};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;
use verify::{Options, Overall, Trust, TrustDocument, verify};

use crate::report::{Figure::Millis, Goal, ReportRow};

/// The worked example of the format.
const EXAMPLE: &str = "receipt/vectors/service_profile_oracle.json";

/// The number of verifications. The reported figure is the 99th percentile.
const RUNS: usize = 1_000;

/// The target for the 99th percentile in milliseconds.
const P99_MS: f64 = 5.0;

pub(crate) fn measure() -> Result<Vec<ReportRow>> {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(EXAMPLE);
    let example: Value = serde_json::from_slice(&std::fs::read(example)?)?;
    let document = example.get("trust_document").context("a trust document")?.to_string();
    let trust = Trust::new(TrustDocument::read(document.as_bytes())?)?;
    let row = |(name, subject): (&str, &str)| {
        let text = example.get(name).and_then(|bundle| bundle.get("tar_base64")?.as_str());
        let bundle = STANDARD.decode(text.context("a bundle")?)?;
        let p99 = p99_ms(&bundle, &trust)?;
        Ok(ReportRow::new(format!("verifier, a bundle of {subject}, p99"), Millis(p99))
            .goal(Goal::AtMost(Millis(P99_MS))))
    };
    [("decision_bundle", "a decision"), ("chain_bundle", "a chain of three")]
        .map(row)
        .into_iter()
        .collect()
}

fn p99_ms(bundle: &[u8], trust: &Trust) -> Result<f64> {
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let since = Instant::now();
        let report = verify(bundle, trust, &Options::default()).to_line();
        times.push(since.elapsed());
        ensure!(report.contains(&format!("\"overall\":\"{}\"", Overall::Verified.as_str())));
    }
    times.sort_unstable();
    let p99 = times.get(RUNS - RUNS / 100).context("a sample")?;
    Ok(p99.as_secs_f64() * 1e3)
}
