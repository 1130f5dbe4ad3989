//! The trust registry of the bundles, and the trust that pins it.

use receipt::{
    dsse::Envelope,
    key::PayloadType,
    registry::{
        KeyStatus, RegistryKey, RegistryLog, RegistryWitness, SignedRegistry, TrustRegistry,
    },
};
use verify::{Trust, TrustDocument};

use super::{
    id, instant, key,
    log::{ORIGIN, log_key, witness},
};

fn entry(name: &str, purposes: &[PayloadType]) -> RegistryKey {
    RegistryKey {
        key: key(name).public().clone(),
        purposes: purposes.iter().map(|purpose| purpose.purpose().to_owned()).collect(),
        tenant_ids: None,
        legacy_kids: Vec::new(),
        status: KeyStatus::Active,
        valid_from: instant("2026-01-01T00:00:00.000Z"),
        valid_until: None,
    }
}

/// The first version, changed by `change`, signed by its root.
pub(crate) fn registry(change: fn(&mut TrustRegistry)) -> SignedRegistry {
    let mut registry = TrustRegistry {
        registry_id: id(0xee),
        version: 1,
        issued_at: instant("2026-01-01T00:00:00.000Z"),
        expires_at: instant("2027-01-01T00:00:00.000Z"),
        prev_digest: None,
        root_keys: vec![key("root").kid().to_owned()],
        root_threshold: 1,
        keys: vec![
            entry("root", &[PayloadType::TrustRegistry]),
            entry(
                "service",
                &[
                    PayloadType::Receipt,
                    PayloadType::ChainLink,
                    PayloadType::ChainSeal,
                    PayloadType::BundleManifest,
                ],
            ),
            entry("approver", &[PayloadType::PolicyApproval]),
        ],
        logs: vec![RegistryLog {
            vkey: log_key(ORIGIN, "log").vkey().clone(),
            operator: "example".into(),
            url: None,
            valid_from: instant("2026-01-01T00:00:00.000Z"),
            valid_until: None,
            final_checkpoint: None,
        }],
        witnesses: vec![RegistryWitness {
            vkey: witness().vkey().clone(),
            operator: "example".into(),
        }],
        witness_quorum: 1,
    };
    change(&mut registry);
    signed(&registry, "root")
}

pub(crate) fn signed(registry: &TrustRegistry, root: &str) -> SignedRegistry {
    let envelope =
        Envelope::sign(PayloadType::TrustRegistry, registry.canonical(), [&key(root)]).unwrap();
    SignedRegistry::read(&envelope.to_value()).unwrap()
}

/// Trust in a version, by its root.
pub(crate) fn trust(registry: &SignedRegistry) -> Trust {
    Trust::new(TrustDocument {
        registry: Some(registry.clone()),
        root_keys: vec![key("root").kid().to_owned()],
        ..TrustDocument::default()
    })
    .unwrap()
}
