//! The members of one receipt: view, statement, preimages, policies, evidence.

use contract::json::Value;
use entity::{decision as table, policy_snapshot};
use receipt::{
    bundle::{file, path::Place},
    canon::Canonical,
    digest::Digest,
    dsse::Envelope,
    key::PayloadType,
    log::EntryKind,
    statement::{self, read_snapshot},
};

use super::making::{Logged, Making};
use crate::{
    decision,
    error::{Error, Result},
    snapshot,
    tenancy::TenantTx,
};

impl Making {
    /// Adds everything about one decision but its chain.
    pub(super) async fn receipt(
        &mut self,
        tx: &TenantTx,
        place: Place,
        row: &table::Model,
    ) -> Result<()> {
        let view = decision::shown(tx, row, self.settings.public_receipt_redaction).await?;
        let anchor = view.transparency_anchor.clone();
        let text = serde_json::to_string(&view).map_err(|error| Error::Bug(error.into()))?;
        let value: Value = serde_json::from_str(&text).map_err(|error| Error::Bug(error.into()))?;
        self.put(place.receipt(), file(&value))?;
        self.statement(place, row)?;
        if let Some(integrity) = row.integrity.as_ref().filter(|_| !self.hides_values()) {
            self.put(place.integrity(), integrity.as_str())?;
        }
        if self.shows_context() {
            self.put(place.context(), row.context.as_str())?;
        }
        if let Ok(digest) = row.receipt_digest.parse::<Digest>() {
            let names = Logged {
                entry: place.entry(),
                anchor: place.anchor(),
                proof: place.proof_text(),
                last: place.final_proof(),
            };
            self.logged(tx, &names, (EntryKind::Receipt, digest), anchor.as_ref()).await?;
        }
        self.evidence(place, row)?;
        let snapshot = snapshot::by_id(tx, row.snapshot_id.into()).await?;
        self.policies(tx, place, &snapshot).await
    }

    /// The statement, alone and in its envelope. Receipts of version 1 have none.
    fn statement(&mut self, place: Place, row: &table::Model) -> Result<()> {
        let Some(text) = &row.statement else { return Ok(()) };
        self.put(place.statement(), text.as_str())?;
        let Some(signed) = row.kid.as_deref().zip(row.signature.as_deref()) else { return Ok(()) };
        let envelope = Envelope::new(PayloadType::Receipt, Canonical::kept(text.clone()), [signed]);
        // A signature that cannot be read any more is missed by the verifier.
        match envelope {
            Ok(envelope) => self.put(place.receipt_envelope(), file(&envelope.to_value())),
            Err(_) => Ok(()),
        }
    }

    /// The policies that were in force, what of their rules decides, and who approved them.
    async fn policies(
        &mut self,
        tx: &TenantTx,
        place: Place,
        snapshot: &policy_snapshot::Model,
    ) -> Result<()> {
        let digest: Digest =
            snapshot.digest.parse().map_err(|_| Error::bug("a snapshot without its digest"))?;
        let name = place.snapshot(digest);
        if self.files.get(&name).is_some() {
            return Ok(());
        }
        self.put(name, snapshot.body.as_str())?;
        let body = serde_json::from_str::<Value>(&snapshot.body);
        let Some(policies) = body.ok().and_then(|body| read_snapshot(&body).ok()) else {
            return Ok(());
        };
        let rules = statement::evaluated_rules(&policies).text;
        self.put(place.evaluated_rules(digest), rules)?;
        self.approved(tx, &policies).await
    }
}
