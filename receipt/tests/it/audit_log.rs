//! Verification of a stored audit log: an intact log and every kind of divergence.

use contract::{
    audit::AuditStatus,
    id::TenantId,
    json::{Number, Object, Value},
};
use receipt::{
    Digest,
    audit::{
        self, AuditEvent, CHECKPOINT_EVERY, EntityRef,
        verify::{Divergence, LogEnd, StoredEvent, Verifier},
    },
};

const TENANT: &str = "5f0c1f1e-7c1b-4a52-9d0e-3b6a3c1d2e01";
const OTHER: &str = "5f0c1f1e-7c1b-4a52-9d0e-3b6a3c1d2e02";
const ID: &str = "ad000000-0000-4000-8000-000000000001";
const TIME: &str = "2026-09-01T10:00:01.000Z";

/// A stored row that tests tamper with. Its texts live as long as the tests.
type Row = StoredEvent<'static>;

fn leak(text: impl Into<String>) -> &'static str {
    text.into().leak()
}

/// Replaces text in the event and recomputes its hash.
fn rewrite(row: &mut Row, from: &str, to: &str) {
    assert!(row.event.contains(from), "{from} in {}", row.event);
    row.event = leak(row.event.replace(from, to));
    row.hash = leak(Digest::compute(row.event.as_bytes()).to_string());
}

/// Returns the first events of a tenant. Every second event has personal data.
fn log(tenant: &str, length: i64) -> Vec<Row> {
    let mut prev = "";
    (1..=length)
        .map(|seq| {
            let email = Value::from(format!("{seq}@example.org"));
            let data = Value::from(Object::from([("email", email)]));
            let salt = seq.to_be_bytes();
            let has_personal_data = seq % 2 == 0;
            let actor = EntityRef { kind: "human", id: "ada" };
            let object = EntityRef { kind: "policy", id: "p" };
            let event = audit::event(&AuditEvent {
                tenant_id: tenant.parse().unwrap(),
                seq: Number::try_from(seq).unwrap(),
                event_id: ID.parse().unwrap(),
                occurred_at: TIME.parse().unwrap(),
                action: "policy.create",
                actor,
                object,
                details: None,
                personal_digest: has_personal_data.then(|| audit::personal_digest(&salt, &data)),
                prev: prev.parse().ok(),
            });
            let hash = leak(event.digest.to_string());
            let personal = format!(r#"{{"data":{data},"salt":"{}"}}"#, hex::encode(salt));
            Row {
                seq,
                event_id: ID,
                occurred_at: TIME,
                action: "policy.create",
                actor,
                object,
                event: leak(event.text),
                hash,
                prev: std::mem::replace(&mut prev, hash),
                personal: has_personal_data.then(|| leak(personal)),
                checkpoint: (seq % CHECKPOINT_EVERY == 0).then_some(hash),
            }
        })
        .collect()
}

fn tenant() -> TenantId {
    TENANT.parse().unwrap()
}

/// Returns the end of `rows` as an unmodified database has it.
fn end(rows: &[Row]) -> LogEnd<'_> {
    let last = rows.last().map_or((0, ""), |row| (row.seq, row.hash));
    let mut checkpoints = rows.iter().filter_map(|row| Some((row.seq, row.checkpoint?)));
    LogEnd {
        head_seq: last.0,
        head_hash: last.1,
        last_event: last.0,
        last_checkpoint: checkpoints.next_back(),
    }
}

fn divergence(rows: &[Row], end: &LogEnd<'_>) -> Option<Divergence> {
    let mut verifier = Verifier::new(tenant());
    let result = verifier.run(rows.iter().copied());
    result.and_then(|()| verifier.finish(end.head_seq, end)).err()
}

/// Returns status, kind and sequence number as text.
fn summary(divergence: Option<&Divergence>) -> String {
    divergence.map_or("intact".to_owned(), |divergence| {
        format!("{} {} {}", divergence.status.as_str(), divergence.kind, divergence.seq)
    })
}

/// Returns the summary for a log of nine events after `tamper`. The end of the log is not modified.
fn after(tamper: impl FnOnce(&mut Vec<Row>)) -> String {
    let mut rows = log(TENANT, 9);
    let original = rows.clone();
    tamper(&mut rows);
    let last_event = rows.iter().map(|row| row.seq).max().unwrap_or(0);
    summary(divergence(&rows, &LogEnd { last_event, ..end(&original) }).as_ref())
}

#[test]
fn unmodified_log_is_intact() {
    for length in [0, 1, 2, 255, 256, 257, 700] {
        let rows = log(TENANT, length);
        assert_eq!(divergence(&rows, &end(&rows)), None, "{length}");
    }
    let mut verifier = Verifier::new(tenant());
    verifier.run(log(TENANT, 9)).unwrap();
    assert_eq!((verifier.checked(), verifier.next()), (9, 10));
}

#[test]
fn log_with_erased_personal_data_is_intact() {
    assert_eq!(after(|rows| rows.iter_mut().for_each(|row| row.personal = None)), "intact");
}

#[test]
fn changed_bytes_are_detected_by_their_hash() {
    let bytes =
        |change: fn(&str) -> String| after(|rows| rows[3].event = leak(change(rows[3].event)));
    assert_eq!(bytes(|event| event.replace("create", "delete")), "tampered hash 4");
    assert_eq!(bytes(|event| event.replace('4', "5")), "tampered hash 4");
    assert_eq!(bytes(|event| format!(" {event}")), "tampered canonical 4");
    assert_eq!(bytes(|event| event.replace("human", "\\u0068uman")), "tampered canonical 4");
    assert_eq!(bytes(|event| event[..40].to_owned()), "unreadable JSON_SYNTAX 4");
    assert_eq!(bytes(|_| String::new()), "unreadable JSON_SYNTAX 4");
    assert_eq!(bytes(|event| event.replace("event_id", "action")), "unreadable DUPLICATE_KEY 4");
    assert_eq!(after(|rows| rows[3].hash = leak("0".repeat(64))), "tampered hash 4");
    assert_eq!(after(|rows| rows[3].hash = leak(rows[3].hash.to_uppercase())), "tampered hash 4");
    assert_eq!(
        after(|rows| rewrite(&mut rows[3], "{\"action\"", "{ \"action\"")),
        "tampered canonical 4"
    );
}

#[test]
fn changed_event_with_matching_hash_is_detected_by_the_next_event() {
    let forge = |row: &mut Row| {
        rewrite(row, "policy.create", "policy.delete");
        row.action = "policy.delete";
    };
    assert_eq!(after(|rows| forge(&mut rows[3])), "tampered prev 5");
    assert_eq!(
        after(|rows| forge(&mut rows[8])),
        "tampered hash 9",
        "the head row contains the last hash"
    );
}

#[test]
fn changed_column_is_detected() {
    type Column = fn(&mut Row) -> &mut &'static str;
    let columns: [(&str, Column); 8] = [
        ("event_id", |row| &mut row.event_id),
        ("occurred_at", |row| &mut row.occurred_at),
        ("action", |row| &mut row.action),
        ("actor.type", |row| &mut row.actor.kind),
        ("actor.id", |row| &mut row.actor.id),
        ("object.type", |row| &mut row.object.kind),
        ("object.id", |row| &mut row.object.id),
        ("prev", |row| &mut row.prev),
    ];
    for (name, column) in columns {
        let mut rows = log(TENANT, 9);
        let value = column(&mut rows[3]);
        *value = leak(format!("{value}0"));
        let difference = divergence(&rows, &end(&rows)).unwrap();
        assert_eq!(summary(Some(&difference)), "tampered columns 4", "{name}");
        assert!(difference.expected.starts_with(&format!("{name} ")), "{difference:?}");
        assert_ne!(difference.expected, difference.actual);
    }
}

#[test]
fn events_of_another_tenant_or_position_are_detected() {
    let other_log = log(OTHER, 9);
    assert_eq!(after(|rows| rows[3] = other_log[3]), "tampered columns 4");
    assert_eq!(after(|rows| rows[0] = other_log[0]), "tampered columns 1");
    let swapped = after(|rows| {
        rows.swap(3, 6);
        (rows[3].seq, rows[6].seq) = (4, 7);
    });
    assert_eq!(swapped, "tampered columns 4");
    let renumbered = after(|rows| {
        rows.remove(3);
        for row in &mut rows[3..] {
            let [from, to] = [row.seq, row.seq - 1].map(|seq| format!("\"seq\":{seq}"));
            rewrite(row, &from, &to);
            row.seq -= 1;
        }
    });
    assert_eq!(renumbered, "tampered prev 4");
}

#[test]
fn missing_and_surplus_events_are_detected() {
    assert_eq!(after(|rows| _ = rows.remove(3)), "tampered seq 4");
    assert_eq!(after(|rows| _ = rows.remove(0)), "tampered seq 1");
    assert_eq!(after(|rows| _ = rows.pop()), "tampered seq 9");
    assert_eq!(after(Vec::clear), "tampered seq 1");
    assert_eq!(after(|rows| rows.push(log(TENANT, 10)[9])), "tampered seq 10");
    assert_eq!(after(|rows| rows.insert(4, rows[3])), "forked seq 4");
}

#[test]
fn event_with_wrong_predecessor_may_be_a_fork() {
    let mut rows = log(TENANT, 9);
    let shared = rows[3].prev;
    let own = std::mem::replace(&mut rows[6].prev, shared);
    rewrite(&mut rows[6], own, shared);
    let difference = divergence(&rows, &end(&rows)).unwrap();
    assert_eq!(summary(Some(&difference)), "tampered prev 7");
    assert_eq!(
        difference.shared_predecessor(),
        Some(shared),
        "the fourth event has the same predecessor"
    );
    let forked = difference.forked();
    assert_eq!((forked.status, forked.shared_predecessor()), (AuditStatus::Forked, None));
}

#[test]
fn personal_data_must_match_the_digest_in_the_event() {
    let swapped = after(|rows| {
        let (left, right) = rows.split_at_mut(4);
        std::mem::swap(&mut left[3].personal, &mut right[1].personal);
    });
    assert_eq!(swapped, "tampered columns 4");
    for personal in ["", "}", "{}", "{\"data\":{\"email\":\"eve@example.org\"},\"salt\":\"00\"}"] {
        let with_personal = |index: usize| after(|rows| rows[index].personal = Some(personal));
        assert_eq!(with_personal(3), "tampered columns 4", "{personal}");
        assert_eq!(
            with_personal(4),
            "tampered columns 5",
            "{personal}: the event has no personal data"
        );
    }
}

#[test]
fn missing_or_changed_checkpoints_are_detected() {
    let rows = log(TENANT, 600);
    let original_end = end(&rows);
    let tampered = |tamper: &dyn Fn(&mut Vec<Row>)| {
        let mut rows = rows.clone();
        tamper(&mut rows);
        summary(divergence(&rows, &original_end).as_ref())
    };
    let changed = |rows: &mut Vec<Row>| rows[255].checkpoint = Some(leak("0".repeat(64)));
    assert_eq!(tampered(&changed), "tampered checkpoint 256");
    assert_eq!(tampered(&|rows| rows[511].checkpoint = None), "tampered checkpoint 512");
    assert_eq!(tampered(&|rows| rows[10].checkpoint = Some(rows[10].hash)), "intact");

    let truncated = |length: usize| {
        let rows = &rows[..length];
        let last_checkpoint = original_end.last_checkpoint;
        summary(divergence(rows, &LogEnd { last_checkpoint, ..end(rows) }).as_ref())
    };
    assert_eq!(truncated(511), "truncated checkpoint 512");
    assert_eq!(truncated(0), "truncated checkpoint 512");
    assert_eq!(
        truncated(512),
        "intact",
        "events after the last checkpoint can be removed undetected"
    );
}

#[test]
fn range_is_checked_from_the_event_before_it() {
    let mut rows = log(TENANT, 9);
    let range = |rows: &[Row], from: usize, to: usize| {
        let previous = &rows[from - 2];
        let mut verifier = Verifier::resume_after(tenant(), previous.seq, previous.event);
        let result = verifier.run(rows[from - 1..to].iter().copied());
        let to = i64::try_from(to).unwrap();
        let finished = result.and_then(|()| verifier.finish(to, &end(rows)));
        (verifier.checked(), summary(finished.err().as_ref()))
    };
    assert_eq!(range(&rows, 4, 6), (3, "intact".to_owned()));
    assert_eq!(range(&rows, 4, 9), (6, "intact".to_owned()));
    rows[2].event = leak(format!("{} ", rows[2].event));
    assert_eq!(range(&rows, 5, 6), (2, "intact".to_owned()));
    assert_eq!(range(&rows, 4, 6), (1, "tampered prev 4".to_owned()));
    rows.remove(5);
    assert_eq!(range(&rows, 5, 5), (1, "intact".to_owned()));
    assert_eq!(range(&rows, 5, 6).1, "tampered seq 6");
}
