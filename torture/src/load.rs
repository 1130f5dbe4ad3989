//! Recording clients: each sends records one after another and notes what was acknowledged.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use harness::{Client, Request, Response, Tenant};
use serde_json::json;
use tokio::{task::JoinSet, time::sleep};

use crate::{
    ledger::{Ledger, Recorded, Sent},
    world::AMOUNT_MAX,
};

/// The number of recording clients of most runs.
pub(crate) const CLIENTS: usize = 8;

/// The pause of a client before its next request, so that a run has thousands of records and not
/// millions.
pub(crate) const PAUSE: Duration = Duration::from_millis(10);

/// The number of records after which a client begins a new chain. A bundle has a limited number of links.
const RECORDS_PER_CHAIN: usize = 1_000;

/// The pause of a client after a request that was not acknowledged.
const BACKOFF: Duration = Duration::from_millis(50);

/// The time in which at least one request must be acknowledged outside an outage.
const PROGRESS_TIMEOUT: Duration = Duration::from_mins(1);

/// The members of a record request that depend on the run.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// The name of the run, which is the decision type of its records.
    pub(crate) name: String,
    pub(crate) tenant: Tenant,
}

impl Run {
    /// Returns the request with this number of a client. It repeats with the same key and the same
    /// chain.
    pub(crate) fn sent(&self, key: &str, number: usize, chain: Option<&str>) -> Sent {
        // Every third amount is denied.
        let amount = if number.is_multiple_of(3) { AMOUNT_MAX + 1 } else { AMOUNT_MAX };
        let mut body = json!({
            "context": {"decision_type": self.name, "fields": {"amount": amount, "number": number}},
            "idempotency_key": key,
        });
        if let Some(chain) = chain {
            body["chain"] = json!({"chain_id": chain});
        }
        let verdict = if amount > AMOUNT_MAX { "DENY" } else { "ALLOW" };
        Sent {
            body: body.to_string(),
            verdict,
            chain: chain.map(str::to_owned),
            acknowledged: None,
        }
    }

    /// Returns the bytes of a record request.
    pub(crate) fn request(&self, sent: &Sent) -> Request {
        let headers = self.tenant.headers();
        Request::new("POST", "/v1/decisions/record", &headers, Some(&sent.body))
    }
}

/// Running clients.
#[derive(Debug)]
pub(crate) struct Load {
    clients: JoinSet<Ledger>,
    stop: Arc<AtomicBool>,
    acknowledged: Arc<AtomicUsize>,
}

impl Load {
    /// Starts this many clients. Each sends every request to all addresses at the same time, and pauses
    /// after an acknowledged one.
    pub(crate) fn start(
        run: &Run,
        addresses: &[SocketAddr],
        clients: usize,
        pause: Duration,
    ) -> Result<Self> {
        let mut load =
            Self { clients: JoinSet::new(), stop: Arc::default(), acknowledged: Arc::default() };
        for number in 0..clients {
            let client = RecordingClient {
                run: run.clone(),
                http: addresses.iter().copied().map(Client::new).collect(),
                name: format!("{}-{number}", run.name),
                chains: uuid()?,
                // Half of the clients give up on a request; the auditor repeats it later.
                retries: number.is_multiple_of(2),
                pause,
                ledger: Ledger::default(),
                acknowledged: Arc::clone(&load.acknowledged),
            };
            load.clients.spawn(client.run_until(Arc::clone(&load.stop)));
        }
        Ok(load)
    }

    /// Waits until `count` more requests are acknowledged.
    ///
    /// # Errors
    /// Returns an error if no request is acknowledged for [`PROGRESS_TIMEOUT`].
    pub(crate) async fn progress(&self, count: usize) -> Result<()> {
        let acknowledged = || self.acknowledged.load(Ordering::Relaxed);
        let (mut last, mut since) = (acknowledged(), Instant::now());
        let target = last + count;
        while last < target {
            sleep(Duration::from_millis(1)).await;
            let now = acknowledged();
            if now > last {
                (last, since) = (now, Instant::now());
            }
            ensure!(since.elapsed() < PROGRESS_TIMEOUT, "the clients make no progress");
        }
        Ok(())
    }

    /// Stops the clients after their current request and returns what they noted.
    pub(crate) async fn finish(mut self) -> Result<Ledger> {
        self.stop.store(true, Ordering::Relaxed);
        let mut ledger = Ledger::default();
        while let Some(client) = self.clients.join_next().await {
            ledger.merge(client?);
        }
        Ok(ledger)
    }
}

#[derive(Debug)]
struct RecordingClient {
    run: Run,
    /// The connection to each server.
    http: Vec<Client>,
    name: String,
    /// A UUID whose last group is replaced with the number of a chain.
    chains: String,
    retries: bool,
    pause: Duration,
    ledger: Ledger,
    acknowledged: Arc<AtomicUsize>,
}

impl RecordingClient {
    async fn run_until(mut self, stop: Arc<AtomicBool>) -> Ledger {
        let mut number: usize = 0;
        while !stop.load(Ordering::Relaxed) {
            let key = format!("{}-{number}", self.name);
            // Every fourth record is a step of a chain.
            let chain = number.is_multiple_of(4).then(|| self.chain(number / RECORDS_PER_CHAIN));
            let sent = self.run.sent(&key, number, chain.as_deref());
            let request = self.run.request(&sent);
            self.ledger.sent.insert(key.clone(), sent);
            let mut is_acknowledged = true;
            for response in self.send(request).await {
                is_acknowledged &= note(&mut self.ledger, &key, response);
            }
            if is_acknowledged {
                self.acknowledged.fetch_add(1, Ordering::Relaxed);
                sleep(self.pause).await;
            } else {
                sleep(BACKOFF).await;
                if self.retries {
                    continue;
                }
            }
            number += 1;
        }
        self.ledger
    }

    /// Returns the ID of the chain with this number.
    fn chain(&self, number: usize) -> String {
        let (prefix, _) = self.chains.rsplit_once('-').unwrap_or_default();
        format!("{prefix}-{number:012x}")
    }

    /// Sends a request to all servers at the same time.
    async fn send(&mut self, request: Request) -> Vec<Result<Response>> {
        let mut sending = JoinSet::new();
        for mut client in self.http.drain(..) {
            let request = request.clone();
            sending.spawn(async move {
                let response = client.send(&request).await;
                (client, response)
            });
        }
        let (clients, responses) = sending.join_all().await.into_iter().unzip();
        self.http = clients;
        responses
    }
}

/// Notes how a record request was answered. Returns whether it was acknowledged.
pub(crate) fn note(ledger: &mut Ledger, key: &str, response: Result<Response>) -> bool {
    let Ok(response) = response else {
        ledger.unanswered += 1;
        return false;
    };
    match response.status() {
        200 | 201 => match Recorded::parse(&response) {
            Ok((record, listed, _)) => {
                ledger.acknowledge(key, record, &listed);
                return true;
            }
            Err(error) => ledger.findings.push(format!("{key}: unreadable answer: {error}")),
        },
        503 if response.header("retry-after").is_some() => ledger.refused += 1,
        status => {
            let body = String::from_utf8_lossy(response.body());
            ledger.findings.push(format!("{key}: status {status}: {body}"));
        }
    }
    false
}

/// Returns a random UUID.
pub(crate) fn uuid() -> Result<String> {
    Ok(std::fs::read_to_string("/proc/sys/kernel/random/uuid")?.trim().to_owned())
}
