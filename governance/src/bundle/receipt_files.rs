//! The files of one receipt: view, statement, preimages, policies and evidence.

use entity::{decision as table, policy_snapshot};
use receipt::{
    bundle::{file, path::BundleScope},
    dsse::Envelope,
    key::PayloadType,
    statement::{self, read_snapshot},
    transparency_log::EntryKind,
};

use super::builder::{BundleBuilder, LogFileNames};
use crate::{
    base::prelude::*,
    deciding::{decision, snapshot},
};

impl BundleBuilder {
    /// Adds all files of a decision except its chain.
    pub(super) async fn receipt(
        &mut self,
        tx: &TenantTx,
        scope: BundleScope,
        row: &table::Model,
    ) -> Result<()> {
        let view =
            decision::public_receipt(tx, row, self.settings.public_receipt_redaction).await?;
        let anchor = view.transparency_anchor.clone();
        let text = serde_json::to_string(&view)?;
        let value: Value = serde_json::from_str(&text)?;
        self.add(scope.receipt(), file(&value))?;
        self.statement(scope, row)?;
        if let Some(integrity) = row.texts.integrity.as_ref().filter(|_| !self.redacts_values()) {
            self.add(scope.integrity(), integrity.as_str())?;
        }
        if self.includes_context() {
            self.add(scope.context(), row.texts.context.as_str())?;
        }
        if let Ok(digest) = stored_digest::read(&row.receipt_digest) {
            let names = LogFileNames {
                entry: scope.entry(),
                anchor: scope.anchor(),
                proof: scope.proof_text(),
                last: scope.final_proof(),
            };
            self.add_log_entry(tx, &names, (EntryKind::Receipt, digest), anchor.as_ref()).await?;
        }
        self.evidence(scope, row)?;
        let snapshot = snapshot::by_id(tx, row.snapshot_id.into()).await?;
        self.policies(tx, scope, &snapshot).await
    }

    /// Adds the statement, plain and in its envelope. Receipts of version 1 have none.
    fn statement(&mut self, scope: BundleScope, row: &table::Model) -> Result<()> {
        let Some(text) = &row.texts.statement else { return Ok(()) };
        self.add(scope.statement(), text.as_str())?;
        let Some(signed) = row.kid.as_deref().zip(row.signature.as_deref()) else { return Ok(()) };
        let envelope =
            Envelope::new(PayloadType::Receipt, CanonicalJson::from_stored(text.clone()), [signed]);
        // A signature that cannot be parsed is omitted; the verifier reports that it is missing.
        match envelope {
            Ok(envelope) => self.add(scope.receipt_envelope(), file(&envelope.to_value())),
            Err(_) => Ok(()),
        }
    }

    /// Adds the policies of the snapshot, their evaluated rules and their approvals.
    async fn policies(
        &mut self,
        tx: &TenantTx,
        scope: BundleScope,
        snapshot: &policy_snapshot::Model,
    ) -> Result<()> {
        let digest: Digest =
            snapshot.digest.parse().map_err(|_| Error::bug("a snapshot without its digest"))?;
        let name = scope.snapshot(digest);
        if self.files.get(&name).is_some() {
            return Ok(());
        }
        self.add(name, snapshot.body.as_str())?;
        let body = serde_json::from_str::<Value>(&snapshot.body);
        let Some(policies) = body.ok().and_then(|body| read_snapshot(&body).ok()) else {
            return Ok(());
        };
        let rules = statement::evaluated_rules(&policies).text;
        self.add(scope.evaluated_rules(digest), rules)?;
        self.add_approvals(tx, &policies).await
    }
}
