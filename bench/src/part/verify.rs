//! The verifier: from the bytes of a bundle to its report.

use std::{path::Path, time::Instant};

use anyhow::{Context as _, Result, ensure};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;
use verify::{Options, Overall, Trust, TrustDocument, verify};

use crate::report::{Figure::Millis, Goal, Line};

/// The worked example of the format.
const EXAMPLE: &str = "receipt/vectors/service_profile_oracle.json";

/// How often a bundle is verified: a hundredth of that is slower than the figure.
const TIMES: usize = 1_000;

/// What 99 in 100 may take, in milliseconds.
const P99_MS: f64 = 5.0;

pub(crate) fn measure() -> Result<Vec<Line>> {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(EXAMPLE);
    let example: Value = serde_json::from_slice(&std::fs::read(example)?)?;
    let document = example.get("trust_document").context("a trust document")?.to_string();
    let trust = Trust::new(TrustDocument::read(document.as_bytes())?)?;
    let line = |(name, what): (&str, &str)| {
        let text = example.get(name).and_then(|bundle| bundle.get("tar_base64")?.as_str());
        let bundle = STANDARD.decode(text.context("a bundle")?)?;
        let p99 = p99_ms(&bundle, &trust)?;
        Ok(Line::new(format!("verifier, a bundle of {what}, p99"), Millis(p99))
            .goal(Goal::AtMost(Millis(P99_MS))))
    };
    [("decision_bundle", "a decision"), ("chain_bundle", "a chain of three")]
        .map(line)
        .into_iter()
        .collect()
}

fn p99_ms(bundle: &[u8], trust: &Trust) -> Result<f64> {
    let mut took = Vec::with_capacity(TIMES);
    for _ in 0..TIMES {
        let since = Instant::now();
        let report = verify(bundle, trust, &Options::default()).to_line();
        took.push(since.elapsed());
        ensure!(report.contains(&format!("\"overall\":\"{}\"", Overall::Verified.as_str())));
    }
    took.sort_unstable();
    let p99 = took.get(TIMES - TIMES / 100).context("a sample")?;
    Ok(p99.as_secs_f64() * 1e3)
}
