//! The evidence of a decision: its manifest, and the data that the record holds.

use contract::json::Value;
use entity::decision as table;
use receipt::{bundle::path::Place, canon::Canonical, statement};

use super::making::Making;
use crate::{decision, error::Result};

impl Making {
    /// Adds the manifest, and the data unless they are withheld.
    pub(super) fn evidence(&mut self, place: Place, row: &table::Model) -> Result<()> {
        let Some(hashed) = context_of(&row.context) else { return Ok(()) };
        let Some(manifest) = statement::evidence_manifest(&hashed) else { return Ok(()) };
        self.put(place.evidence_manifest(), manifest.text)?;
        if !self.shows_context() {
            return Ok(());
        }
        let record = decision::record_of(&row.record)?;
        for (index, (named, kept)) in (0..).zip(items(&hashed).iter().zip(items(&record.context))) {
            let Some(data) = kept.get("data").map(Canonical::of) else { continue };
            let digest = named.get("data_digest").and_then(Value::as_str);
            // What is not what was hashed is no evidence: it stays away, as if it were erased.
            if digest == Some(&*data.digest.to_string()) {
                self.put(place.evidence_data(index), data.text)?;
            }
        }
        Ok(())
    }
}

/// The context in the preimage of its digest.
fn context_of(preimage: &str) -> Option<Value> {
    serde_json::from_str::<Value>(preimage).ok()?.get("context").cloned()
}

fn items(context: &Value) -> &[Value] {
    context.get("evidence").and_then(Value::as_array).unwrap_or_default()
}
