//! Cost of checking one stored audit event.

use std::hint::black_box;

use contract::{
    id::TenantId,
    json::{Number, Object, Value},
    time::Timestamp,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use receipt::audit::{
    self, AuditEvent, EntityRef,
    verify::{StoredEvent, Verifier},
};

const NIL: &str = "00000000-0000-0000-0000-000000000000";
const AT: &str = "2026-09-01T10:00:01.000Z";
const EVENTS: u32 = 1_000;

/// A stored event of a recorded decision, by a named key.
struct Stored {
    seq: i64,
    event: String,
    hash: String,
    prev: String,
    personal: String,
}

impl Stored {
    fn row(&self) -> StoredEvent<'_> {
        StoredEvent {
            seq: self.seq,
            event_id: NIL,
            occurred_at: AT,
            action: "decision.record",
            actor: EntityRef { kind: "api_key", id: NIL },
            object: EntityRef { kind: "decision", id: NIL },
            event: &self.event,
            hash: &self.hash,
            prev: &self.prev,
            personal: Some(&self.personal),
            checkpoint: (self.seq % audit::CHECKPOINT_EVERY == 0).then_some(&self.hash),
        }
    }
}

fn log(tenant_id: TenantId) -> Vec<Stored> {
    let details = Value::from(Object::from([
        ("decision", Value::from("ALLOW")),
        ("receipt_digest", Value::from("0".repeat(64))),
    ]));
    let data = Value::from(Object::from([("key_name", Value::from("payments in production"))]));
    let occurred_at: Timestamp = AT.parse().expect("a timestamp");
    let mut prev = String::new();
    let mut stored = Vec::new();
    for seq in 1..=EVENTS {
        let event = audit::event(&AuditEvent {
            tenant_id,
            seq: Number::from(seq),
            event_id: NIL.parse().expect("an id"),
            occurred_at,
            action: "decision.record",
            actor: EntityRef { kind: "api_key", id: NIL },
            object: EntityRef { kind: "decision", id: NIL },
            details: Some(&details),
            personal_digest: Some(audit::personal_digest(&[7; 16], &data)),
            prev: prev.parse().ok(),
        });
        let hash = event.digest.to_string();
        stored.push(Stored {
            seq: seq.into(),
            event: event.text,
            hash: hash.clone(),
            prev: std::mem::replace(&mut prev, hash),
            personal: format!(r#"{{"data":{data},"salt":"{}"}}"#, "07".repeat(16)),
        });
    }
    stored
}

fn verify(c: &mut Criterion) {
    let tenant_id: TenantId = NIL.parse().expect("an id");
    let stored = log(tenant_id);
    let mut group = c.benchmark_group("audit");
    group.throughput(Throughput::Elements(EVENTS.into()));
    group.bench_function("verify", |b| {
        b.iter(|| {
            let mut verifier = Verifier::new(tenant_id);
            verifier.run(black_box(&stored).iter().map(Stored::row)).expect("the log is intact");
            verifier.checked()
        });
    });
    group.finish();
}

criterion_group!(benches, verify);
criterion_main!(benches);
