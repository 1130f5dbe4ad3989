//! The auditor: checks every guarantee of recorded decisions through the public API after a run.

mod audit_log;
mod compare;
mod proof;

pub(crate) use self::audit_log::last_seq;

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context as _, Result};
use harness::{Client, Request, Response};
use serde::Deserialize;
use serde_json::Value;
use tokio::task::JoinSet;

use crate::{
    ledger::{Ledger, Listed, Record, Recorded},
    load::Run,
    world::World,
};

/// The number of requests that the auditor sends at the same time.
const CLIENTS: usize = 16;

/// The number of keys that no list shows and that are sent again after a run. Each records a decision.
const RESENT_MAX: usize = 1_000;

/// The number of decisions that are requested as another tenant.
const FOREIGN_READS: usize = 50;

/// The result of an audit.
#[derive(Debug, Default)]
pub(crate) struct Audit {
    /// The number of decisions that were stored although their request was not acknowledged.
    pub(crate) stored_unknown: usize,
    /// Violated guarantees.
    pub(crate) findings: Vec<String>,
}

/// The auditor of one run.
#[derive(Debug)]
pub(crate) struct Auditor<'a> {
    pub(crate) world: &'a World,
    pub(crate) run: &'a Run,
    /// The number of the last audit event before the run.
    pub(crate) after_seq: i64,
}

#[derive(Debug, Deserialize)]
struct Page<T> {
    items: Vec<T>,
    next_cursor: Option<String>,
}

impl Auditor<'_> {
    /// Checks the decisions of a run. Sends every request again, so afterwards each key of the ledger
    /// that was sent has a decision.
    ///
    /// # Errors
    /// Returns an error if the service does not answer as documented, which is a failed run too.
    pub(crate) async fn audit(&self, ledger: &Ledger) -> Result<Audit> {
        let mut findings = ledger.findings.clone();
        let before = self.decisions().await.context("listing the decisions")?;
        findings.extend(compare::list(ledger, &before));
        let stored: HashMap<&str, &str> = before
            .iter()
            .map(|listed| (listed.idempotency_key.as_str(), listed.id.as_str()))
            .collect();
        let stored_unknown = ledger
            .sent
            .iter()
            .filter(|(key, sent)| sent.acknowledged.is_none() && stored.contains_key(key.as_str()))
            .count();

        let mut unlisted = 0;
        let keys = ledger.sent.keys().filter(|key| {
            unlisted += usize::from(!stored.contains_key(key.as_str()));
            stored.contains_key(key.as_str()) || unlisted <= RESENT_MAX
        });
        let requests = keys.map(|key| (key.clone(), self.run.request(&ledger.sent[key]))).collect();
        let mut records = BTreeMap::new();
        for (key, response) in self.send_all(requests).await? {
            let status = response.status();
            let Ok((record, listed, is_new)) = Recorded::parse(&response) else {
                findings.push(format!("{key}: resent, and answered with status {status}"));
                continue;
            };
            let listed_id = stored.get(key.as_str()).copied();
            let sent = &ledger.sent[&key];
            findings.extend(compare::resent(&key, sent, listed_id, &record, &listed, is_new));
            records.insert(key, record);
        }

        let after = self.decisions().await?;
        findings.extend(compare::list(ledger, &after));
        if after.len() != records.len() {
            findings.push(format!("{} decisions for {} keys", after.len(), records.len()));
        }
        let ids: Vec<&str> = records.values().map(|record| record.id.as_str()).collect();
        findings.extend(self.reads(&records).await?);
        findings.extend(self.foreign_reads(&ids).await?);
        findings.extend(audit_log::check(self, &ids).await.context("reading the audit log")?);
        findings.extend(proof::check(self, ledger, &records).await.context("checking proofs")?);
        findings.extend(self.world.service.internal_errors());
        Ok(Audit { stored_unknown, findings })
    }

    /// Returns all decisions of the run.
    async fn decisions(&self) -> Result<Vec<Listed>> {
        let path = format!("/v1/decisions?decision_type={}", self.run.name);
        self.pages(&path, &self.world.tenant.headers(), |_: &Listed| false).await
    }

    /// Returns the items of all pages up to the first item that is `last`.
    async fn pages<T: for<'de> Deserialize<'de>>(
        &self,
        path: &str,
        headers: &str,
        is_last: impl Fn(&T) -> bool,
    ) -> Result<Vec<T>> {
        let mut client = Client::new(self.world.service.address);
        let (mut items, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("{path}&limit=200{cursor}");
            let page = client.send(&Request::new("GET", &path, headers, None)).await?;
            let page: Page<T> = page.json(200)?;
            let is_over = page.items.iter().any(&is_last);
            items.extend(page.items);
            match page.next_cursor {
                Some(next) if !is_over => cursor = format!("&cursor={next}"),
                _ => return Ok(items),
            }
        }
    }

    /// Sends requests on several connections and returns their responses.
    async fn send_all(&self, requests: Vec<(String, Request)>) -> Result<Vec<(String, Response)>> {
        let mut queues = vec![Vec::new(); CLIENTS];
        for (number, request) in requests.into_iter().enumerate() {
            queues[number % CLIENTS].push(request);
        }
        let mut clients = JoinSet::new();
        for queue in queues {
            let mut client = Client::new(self.world.service.address);
            clients.spawn(async move {
                let mut responses = Vec::new();
                for (key, request) in queue {
                    responses.push((key, client.send(&request).await?));
                }
                Ok::<_, anyhow::Error>(responses)
            });
        }
        let mut responses = Vec::new();
        while let Some(client) = clients.join_next().await {
            responses.extend(client??);
        }
        Ok(responses)
    }

    /// Reads every decision by its ID. It must be the record that was acknowledged, except for its
    /// anchor, which is added later.
    async fn reads(&self, records: &BTreeMap<String, Record>) -> Result<Vec<String>> {
        let tenant = &self.world.tenant;
        let requests = records.iter().map(|(key, record)| {
            (key.clone(), tenant.get(&format!("/v1/decisions/{}", record.id)))
        });
        let mut findings = Vec::new();
        for (key, response) in self.send_all(requests.collect()).await? {
            if response.status() != 200 {
                findings.push(format!("{key}: its decision is read with {}", response.status()));
                continue;
            }
            findings.extend(compare::read(&key, &records[&key], response.json::<Value>(200)?)?);
        }
        Ok(findings)
    }

    /// Requests decisions as another tenant.
    async fn foreign_reads(&self, ids: &[&str]) -> Result<Vec<String>> {
        let headers = self.world.stranger.headers();
        let path = format!("/v1/decisions?decision_type={}", self.run.name);
        let listed = self.pages(&path, &headers, |_: &Listed| false).await?;
        let requests = ids
            .iter()
            .take(FOREIGN_READS)
            .map(|id| ((*id).to_owned(), self.world.stranger.get(&format!("/v1/decisions/{id}"))));
        let answered = self.send_all(requests.collect()).await?;
        let visible = answered.iter().filter(|(_, response)| response.status() != 404);
        Ok(listed
            .iter()
            .map(|listed| &listed.id)
            .chain(visible.map(|(id, _)| id))
            .map(|id| format!("{id}: another tenant sees this decision"))
            .collect())
    }
}
