//! The comparison of what was acknowledged with what is stored. Pure, so that tests can show that it
//! fails.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use serde_json::Value;

use crate::ledger::{Ledger, Listed, Record, Sent};

/// Compares the list of all decisions of a run with its ledger: each acknowledged decision is in it,
/// each key and each ID at most once, and each key was sent.
pub(super) fn list(ledger: &Ledger, listed: &[Listed]) -> Vec<String> {
    let mut findings = Vec::new();
    let (mut by_key, mut ids) = (BTreeMap::new(), BTreeSet::new());
    for decision in listed {
        let key = decision.idempotency_key.as_str();
        if !ids.insert(&decision.id) || by_key.insert(key, decision).is_some() {
            findings.push(format!("{key}: doubled: {} is not its only decision", decision.id));
        }
        match ledger.sent.get(key) {
            None => findings.push(format!("{key}: stored, but never sent")),
            Some(sent) if sent.verdict != decision.decision => {
                findings.push(format!("{key}: altered: the verdict is {}", decision.decision));
            }
            Some(_) => {}
        }
    }
    for (key, sent) in &ledger.sent {
        let Some(acknowledged) = &sent.acknowledged else { continue };
        match by_key.get(key.as_str()) {
            None => findings.push(format!("{key}: lost: {} is not stored", acknowledged.id)),
            Some(stored) if stored.id != acknowledged.id => {
                findings.push(format!("{key}: lost: {} is stored instead", stored.id));
            }
            Some(_) => {}
        }
    }
    findings
}

/// Compares the answer to a repeated request with the acknowledged record and with the list before it.
pub(super) fn resent(
    key: &str,
    sent: &Sent,
    listed_id: Option<&str>,
    record: &Record,
    listed: &Listed,
    is_new: bool,
) -> Option<String> {
    if listed.idempotency_key != key || listed.decision != sent.verdict {
        return Some(format!("{key}: altered: the answer is {}", record.text));
    }
    if let Some(acknowledged) = &sent.acknowledged {
        if is_new {
            return Some(format!("{key}: doubled: the repeated request recorded {}", record.id));
        }
        return (acknowledged != record)
            .then(|| format!("{key}: altered: {} was {}", record.text, acknowledged.text));
    }
    match listed_id {
        Some(id) if is_new || id != record.id => {
            Some(format!("{key}: doubled: {id} was stored, and now {}", record.id))
        }
        _ => None,
    }
}

/// Compares a decision that was read by its ID with its record.
pub(super) fn read(key: &str, record: &Record, mut read: Value) -> Result<Option<String>> {
    if let Some(result) = read.pointer_mut("/result").and_then(Value::as_object_mut) {
        result.remove("transparency_anchor");
    }
    let expected: Value = serde_json::from_str(&record.text)?;
    Ok((read != expected).then(|| format!("{key}: altered: reading returns {read}")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn listed(number: usize) -> Listed {
        Listed {
            id: format!("id-{number}"),
            idempotency_key: format!("key-{number}"),
            decision: "ALLOW".to_owned(),
        }
    }

    fn record(number: usize) -> Record {
        Record { id: format!("id-{number}"), text: format!(r#"{{"id":"id-{number}"}}"#) }
    }

    fn sent(acknowledged: Option<Record>) -> Sent {
        Sent { body: String::new(), verdict: "ALLOW", chain: None, acknowledged }
    }

    /// Two acknowledged requests and one without an answer.
    fn ledger() -> Ledger {
        let sent = [Some(record(0)), Some(record(1)), None].map(sent);
        let sent = sent.into_iter().enumerate();
        let sent = sent.map(|(number, sent)| (format!("key-{number}"), sent)).collect();
        Ledger { sent, ..Ledger::default() }
    }

    #[test]
    fn complete_list_has_no_findings_with_and_without_the_unanswered_request() {
        assert_eq!(list(&ledger(), &[listed(0), listed(1)]), Vec::<String>::new());
        assert_eq!(list(&ledger(), &[listed(0), listed(1), listed(2)]), Vec::<String>::new());
    }

    #[test]
    fn lost_decision_is_a_finding() {
        assert_eq!(list(&ledger(), &[listed(1)]), ["key-0: lost: id-0 is not stored"]);
        let other = Listed { id: "id-9".to_owned(), ..listed(0) };
        assert_eq!(list(&ledger(), &[other, listed(1)]), ["key-0: lost: id-9 is stored instead"]);
    }

    #[test]
    fn doubled_decision_is_a_finding() {
        let other = Listed { id: "id-9".to_owned(), ..listed(2) };
        let all = [listed(0), listed(1), listed(2), other];
        assert_eq!(list(&ledger(), &all), ["key-2: doubled: id-9 is not its only decision"]);

        let again =
            resent("key-0", &sent(Some(record(0))), Some("id-0"), &record(0), &listed(0), true);
        assert_eq!(again.as_deref(), Some("key-0: doubled: the repeated request recorded id-0"));
        let other = Listed { idempotency_key: "key-2".to_owned(), ..listed(9) };
        let again = resent("key-2", &sent(None), Some("id-2"), &record(9), &other, false);
        assert_eq!(again.as_deref(), Some("key-2: doubled: id-2 was stored, and now id-9"));
    }

    #[test]
    fn altered_decision_is_a_finding() {
        let denied = Listed { decision: "DENY".to_owned(), ..listed(0) };
        let all = [denied.clone(), listed(1)];
        assert_eq!(list(&ledger(), &all), ["key-0: altered: the verdict is DENY"]);

        let acknowledged = sent(Some(record(0)));
        let altered = Record { text: r#"{"id":"id-0" }"#.to_owned(), ..record(0) };
        assert!(resent("key-0", &acknowledged, None, &altered, &listed(0), false).is_some());
        assert!(resent("key-0", &acknowledged, None, &record(0), &denied, false).is_some());
        assert!(resent("key-0", &acknowledged, None, &record(0), &listed(0), false).is_none());

        let anchored = json!({"id": "id-0", "result": {"transparency_anchor": {}}});
        let record = Record { text: r#"{"id":"id-0","result":{}}"#.to_owned(), ..record(0) };
        assert_eq!(read("key-0", &record, anchored.clone()).unwrap(), None);
        let mut other = anchored;
        other["result"]["decision"] = json!("DENY");
        assert!(read("key-0", &record, other).unwrap().is_some());
    }

    #[test]
    fn decision_that_was_never_sent_is_a_finding() {
        let all = [listed(0), listed(1), listed(3)];
        assert_eq!(list(&ledger(), &all), ["key-3: stored, but never sent"]);
    }
}
