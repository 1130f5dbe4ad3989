//! What clients sent and what was acknowledged to them: the memory of the auditor.

use std::collections::BTreeMap;

use anyhow::Result;
use harness::Response;
use serde::Deserialize;
use serde_json::value::RawValue;

/// A request to record a decision, as one client sent it.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) body: String,
    /// The verdict that the policy prescribes.
    pub(crate) verdict: &'static str,
    pub(crate) chain: Option<String>,
    /// The acknowledged record, byte for byte.
    pub(crate) acknowledged: Option<Record>,
}

/// A stored decision record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) id: String,
    pub(crate) text: String,
}

/// The body of a successful response.
#[derive(Debug, Deserialize)]
pub(crate) struct Recorded<'a> {
    #[serde(borrow)]
    decision: &'a RawValue,
    pub(crate) is_new: bool,
}

/// The members of a decision record that the auditor compares.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Listed {
    pub(crate) id: String,
    pub(crate) idempotency_key: String,
    pub(crate) decision: String,
}

impl Recorded<'_> {
    /// Parses the body of a response. Returns the record, its main members and whether it is new.
    pub(crate) fn parse(response: &Response) -> Result<(Record, Listed, bool)> {
        let body = response.decoded_body()?;
        let recorded: Recorded<'_> = serde_json::from_slice(&body)?;
        let text = recorded.decision.get();
        let listed: Listed = serde_json::from_str(text)?;
        let record = Record { id: listed.id.clone(), text: text.to_owned() };
        Ok((record, listed, recorded.is_new))
    }
}

/// All requests of a run by idempotency key, and how they were answered.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) sent: BTreeMap<String, Sent>,
    /// The number of responses with status 503.
    pub(crate) refused: usize,
    /// The number of requests without a response.
    pub(crate) unanswered: usize,
    /// Responses that no fault excuses.
    pub(crate) findings: Vec<String>,
}

impl Ledger {
    pub(crate) fn acknowledged(&self) -> usize {
        self.sent.values().filter(|sent| sent.acknowledged.is_some()).count()
    }

    /// Returns the number of keys whose decision may or may not be stored.
    pub(crate) fn unknown(&self) -> usize {
        self.sent.len() - self.acknowledged()
    }

    /// Notes an acknowledged record. A key that was acknowledged before must have the same record.
    pub(crate) fn acknowledge(&mut self, key: &str, record: Record, listed: &Listed) {
        let Some(sent) = self.sent.get_mut(key) else { return };
        if listed.idempotency_key != key || listed.decision != sent.verdict {
            self.findings.push(format!("{key}: the answer is another decision: {}", record.text));
        }
        match &sent.acknowledged {
            Some(first) if *first != record => {
                self.findings.push(format!("{key}: acknowledged twice with different records"));
            }
            _ => sent.acknowledged = Some(record),
        }
    }

    /// Adds the requests of another client.
    pub(crate) fn merge(&mut self, other: Self) {
        self.refused += other.refused;
        self.unanswered += other.unanswered;
        self.findings.extend(other.findings);
        self.sent.extend(other.sent);
    }
}
