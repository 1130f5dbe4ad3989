//! The members of one receipt.

use contract::json::{Object, Value};
use receipt::{
    Canonical,
    bundle::{self, Files, path::Place},
    dsse::Envelope,
    key::PayloadType,
    log::{Anchor, EntryKind, entry},
    statement::{self, SnapshotPolicy},
};
use uuid::Uuid;

use super::{Plan, TENANT, key, links::Signed, record::Recorded, value};

impl Plan {
    pub(super) fn receipt(
        &self,
        files: &mut Files,
        place: Place,
        recorded: &Recorded,
        link: Option<&Signed>,
        policies: &(Vec<SnapshotPolicy>, Canonical),
        anchor: Option<&Anchor>,
    ) {
        let signer = self.signer.map(key);
        let mut view = Object::from([
            ("decision_id", recorded.decision_id.to_string().into()),
            ("tenant_id", Uuid::from_u128(TENANT).to_string().into()),
            ("receipt_schema_version", 2.into()),
            ("statement", value(&recorded.statement.text)),
            ("context_digest", recorded.context.digest.into()),
            ("redaction", "none".into()),
        ]);
        let mut result = recorded.result.clone();
        let receipt =
            Signed::new(PayloadType::Receipt, recorded.statement.clone(), signer.as_ref());
        if let (Some(signature), Some(kid)) = (&receipt.signature, &receipt.kid) {
            for members in [&mut view, &mut result] {
                members.insert("signature", signature.as_str());
                members.insert("signature_kid", kid.as_str());
                members.insert("signature_algorithm", "Ed25519");
            }
            view.insert("payload_type", PayloadType::Receipt.as_str());
            let envelope = Envelope::new(
                PayloadType::Receipt,
                receipt.link.clone(),
                [(kid.as_str(), signature.as_str())],
            );
            let envelope = bundle::file(&envelope.unwrap().to_value());
            files.insert(place.receipt_envelope(), envelope).unwrap();
        }
        if let (Some(chain), Some(link)) = (recorded.chain, link) {
            let mut shown = Object::from([
                ("chain_id", chain.chain_id.to_string().into()),
                ("chain_step", chain.step.into()),
                ("chain_integrity_hash", link.link.digest.into()),
            ]);
            if let Some(parent) = chain.parent_decision_id {
                shown.insert("parent_decision_id", parent.to_string());
            }
            if let (Some(signature), Some(kid)) = (&link.signature, &link.kid) {
                shown.insert("chain_signature", signature.as_str());
                shown.insert("chain_signature_kid", kid.as_str());
                shown.insert("chain_signature_algorithm", "Ed25519");
            }
            view.insert("chain", shown);
        }
        view.insert("transparency_anchor", Value::Null);
        if let Some(anchor) = anchor {
            let canonical = anchor.canonical();
            view.insert("transparency_anchor", value(&canonical.text));
            result.insert("transparency_anchor", value(&canonical.text));
            files.insert(place.anchor(), canonical.text).unwrap();
            let entry = entry(EntryKind::Receipt, recorded.statement.digest);
            files.insert(place.entry(), entry.text).unwrap();
        }
        view.insert("result", result);
        let view: Value = view.into();
        files.insert(place.receipt(), bundle::file(&view)).unwrap();
        files.insert(place.statement(), recorded.statement.text.as_str()).unwrap();
        files.insert(place.integrity(), recorded.integrity.text.as_str()).unwrap();
        files.insert(place.context(), recorded.context.text.as_str()).unwrap();
        if let Some(manifest) = &recorded.manifest {
            files.insert(place.evidence_manifest(), manifest.text.as_str()).unwrap();
            files.insert(place.evidence_data(0), r#"{"total":900}"#).unwrap();
        }
        let snapshot = statement::snapshot(&policies.0);
        let rules = statement::evaluated_rules(&policies.0);
        for (name, text) in [
            (place.snapshot(snapshot.digest), snapshot.text),
            (place.evaluated_rules(snapshot.digest), rules.text),
        ] {
            if files.get(&name).is_none() {
                files.insert(name, text).unwrap();
            }
        }
    }
}
