//! The evidence of a decision: its manifest, and the stored data.

use entity::decision as table;
use receipt::{bundle::path::BundleScope, statement};

use super::builder::BundleBuilder;
use crate::{base::prelude::*, deciding::decision};

impl BundleBuilder {
    /// Adds the manifest, and the data unless the settings exclude it.
    pub(super) fn evidence(&mut self, scope: BundleScope, row: &table::Model) -> Result<()> {
        let Some(hashed) = context_of(&row.texts.context) else { return Ok(()) };
        let Some(manifest) = statement::evidence_manifest(&hashed) else { return Ok(()) };
        self.add(scope.evidence_manifest(), manifest.text)?;
        if !self.includes_context() {
            return Ok(());
        }
        let record = decision::record_of(&row.texts.record)?;
        for (index, (hashed_item, stored_item)) in
            (0..).zip(items(&hashed).iter().zip(items(&record.context)))
        {
            let Some(data) = stored_item.get("data").map(CanonicalJson::from_value) else {
                continue;
            };
            let digest = hashed_item.get("data_digest").and_then(Value::as_str);
            // Data that does not match its hash is omitted, as if it were erased.
            if digest == Some(&*data.digest.to_string()) {
                self.add(scope.evidence_data(index), data.text)?;
            }
        }
        Ok(())
    }
}

/// Returns the context from the preimage of its digest.
fn context_of(preimage: &str) -> Option<Value> {
    serde_json::from_str::<Value>(preimage).ok()?.get("context").cloned()
}

fn items(context: &Value) -> &[Value] {
    context.get("evidence").and_then(Value::as_array).unwrap_or_default()
}
