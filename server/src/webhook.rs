//! Webhook deliveries over HTTP.

use std::{convert::Infallible, time::Duration};

use contract::webhook::FailureReason;
use governance::{
    Governance,
    notify::webhook::{
        DeliveryResult, DeliveryWorker, ReceiverResponse, SignedRequest, WebhookTransport,
    },
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use reqwest::Url;
use tokio::task::{JoinError, JoinSet};

use crate::outbound::Outbound;

/// The time between two polls for due deliveries.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Creates the delivery worker of this process. A call takes at most `timeout`.
///
/// # Errors
/// Returns an error if the certificates of the machine cannot be read.
pub fn delivery_worker(
    governance: &Governance,
    timeout: Duration,
) -> anyhow::Result<DeliveryWorker> {
    let outbound = Outbound::new(governance.outbound_policy().clone(), timeout)?;
    Ok(DeliveryWorker::new(HttpWebhookTransport { outbound }))
}

/// The delivery loop of this process. Each delivery runs in its own task, so an unresponsive receiver does
/// not block others. Dropping the loop aborts running deliveries, and other processes can claim them when
/// their leases expire.
#[derive(Debug)]
pub struct DeliveryLoop {
    worker: DeliveryWorker,
    running: JoinSet<governance::Result<DeliveryResult>>,
}

impl DeliveryLoop {
    pub fn new(worker: DeliveryWorker) -> Self {
        Self { worker, running: JoinSet::new() }
    }

    /// Delivers due deliveries, as long as the future is polled.
    pub async fn run(&mut self, governance: &Governance) -> Infallible {
        loop {
            match self.worker.claim(governance, governance.clock().now()).await {
                Ok(deliveries) => {
                    for delivery in deliveries {
                        let (governance, worker) = (governance.clone(), self.worker.clone());
                        self.running
                            .spawn(async move { worker.deliver(&governance, delivery).await });
                    }
                }
                Err(error) => tracing::warn!(%error, "due webhook deliveries were not claimed"),
            }
            tokio::time::sleep(POLL_INTERVAL).await;
            while let Some(result) = self.running.try_join_next() {
                log_result(result);
            }
        }
    }

    /// Finishes running deliveries, so that their results are stored and they are not sent again. Each takes
    /// at most the time limit of a call.
    pub async fn finish(mut self) {
        while let Some(result) = self.running.join_next().await {
            log_result(result);
        }
    }
}

fn log_result(result: Result<governance::Result<DeliveryResult>, JoinError>) {
    match result {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => tracing::warn!(%error, "the result of a delivery was not stored"),
        Err(error) => tracing::error!(%error, "a delivery task failed"),
    }
}

#[derive(Clone, Debug)]
struct HttpWebhookTransport {
    outbound: Outbound,
}

#[async_trait::async_trait]
impl WebhookTransport for HttpWebhookTransport {
    async fn send(&self, request: SignedRequest) -> Result<ReceiverResponse, FailureReason> {
        let url: Url = request.url.parse().map_err(|_| FailureReason::Blocked)?;
        let headers = request.headers.into_iter().filter_map(|(name, value)| {
            Some((HeaderName::from_static(name), HeaderValue::from_str(&value).ok()?))
        });
        let headers: HeaderMap = headers.collect();
        let result = self.outbound.post(&url, headers, request.body.into_bytes()).await;
        let response = |(status, headers): (StatusCode, HeaderMap)| {
            let retry_after = headers.get(header::RETRY_AFTER).and_then(|text| text.to_str().ok());
            ReceiverResponse {
                status: status.as_u16(),
                retry_after: retry_after.map(str::to_owned),
            }
        };
        result
            .map(response)
            .map_err(|error| error.reason().parse().unwrap_or(FailureReason::ConnectionReset))
    }
}
