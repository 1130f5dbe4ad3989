//! The audit log: no gap, one event for each decision, and a valid hash chain.

use std::collections::BTreeMap;

use anyhow::Result;
use harness::Client;
use serde::Deserialize;
use serde_json::json;

use super::Auditor;
use crate::world::World;

/// An audit event, as the log lists it.
#[derive(Debug, Deserialize)]
struct Event {
    seq: i64,
    action: String,
    object: Object,
    hash: String,
    prev_hash: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Object {
    id: String,
}

#[derive(Debug, Deserialize)]
struct Verification {
    status: String,
    checked: i64,
    head: Head,
}

#[derive(Debug, Deserialize)]
struct Head {
    seq: i64,
}

/// Returns the number of the last audit event.
pub(crate) async fn last_seq(world: &World) -> Result<i64> {
    Ok(verify(world).await?.head.seq)
}

async fn verify(world: &World) -> Result<Verification> {
    let request = world.tenant.post("/v1/audit-log/verify", &json!({}));
    Client::new(world.service.address).send(&request).await?.json(200)
}

/// Reads all events of the run, and lets the service verify the whole log.
pub(super) async fn check(auditor: &Auditor<'_>, ids: &[&str]) -> Result<Vec<String>> {
    let (path, headers) = ("/v1/audit-log?", auditor.world.tenant.headers());
    let after_seq = auditor.after_seq;
    let mut events = auditor.pages(path, &headers, |event: &Event| event.seq <= after_seq).await?;
    events.retain(|event| event.seq > after_seq);
    let mut findings = sequence(&events, after_seq);
    findings.extend(coverage(&events, ids));
    let verified = verify(auditor.world).await?;
    if verified.status != "intact" || verified.checked != verified.head.seq {
        findings.push(format!("the audit log is not intact: {verified:?}"));
    }
    Ok(findings)
}

/// Checks that the events, newest first, are numbered without gaps and linked.
fn sequence(events: &[Event], after_seq: i64) -> Vec<String> {
    let mut findings = Vec::new();
    for pair in events.windows(2) {
        let [event, previous] = pair else { continue };
        if event.seq != previous.seq + 1 || event.prev_hash.as_ref() != Some(&previous.hash) {
            findings.push(format!("audit event {} does not follow {}", event.seq, previous.seq));
        }
    }
    if events.last().is_some_and(|first| first.seq != after_seq + 1) {
        findings.push(format!("audit event {} is missing", after_seq + 1));
    }
    findings
}

/// Checks that each decision has exactly one event.
fn coverage(events: &[Event], ids: &[&str]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for event in events.iter().filter(|event| event.action == "decision.record") {
        *counts.entry(&event.object.id).or_default() += 1;
    }
    let count = |id: &str| counts.get(id).copied().unwrap_or_default();
    ids.iter()
        .filter(|id| count(id) != 1)
        .map(|id| format!("{id}: the decision has {} audit events", count(id)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(seq: i64) -> Event {
        Event {
            seq,
            action: "decision.record".to_owned(),
            object: Object { id: format!("id-{seq}") },
            hash: format!("hash-{seq}"),
            prev_hash: Some(format!("hash-{}", seq - 1)),
        }
    }

    #[test]
    fn gap_and_fork_are_findings() {
        assert_eq!(sequence(&[event(3), event(2)], 1), Vec::<String>::new());
        assert_eq!(sequence(&[event(4), event(2)], 1), ["audit event 4 does not follow 2"]);
        assert_eq!(sequence(&[event(3)], 1), ["audit event 2 is missing"]);
        let forked = Event { prev_hash: Some("hash-9".to_owned()), ..event(3) };
        assert_eq!(sequence(&[forked, event(2)], 1), ["audit event 3 does not follow 2"]);
    }

    #[test]
    fn missing_and_doubled_events_are_findings() {
        assert_eq!(coverage(&[event(2)], &["id-2"]), Vec::<String>::new());
        let finding = |count| [format!("id-2: the decision has {count} audit events")];
        assert_eq!(coverage(&[event(1)], &["id-2"]), finding(0));
        assert_eq!(coverage(&[event(2), event(2)], &["id-2"]), finding(2));
    }
}
