//! The way to those who subscribed to alerts.

use std::{convert::Infallible, time::Duration};

use contract::webhook::FailureReason;
use governance::{
    Governance,
    webhook::{Mailer, Parcel, Postman, Sent},
};
use http::{HeaderMap, HeaderName, HeaderValue};
use reqwest::Url;
use tokio::task::{JoinError, JoinSet};

use crate::outbound::Outbound;

/// How long lies between two looks for what is to be delivered.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// What delivers for this process, and gives a call up after `patience`.
///
/// # Errors
/// When the machine's certificates cannot be read.
pub fn mailer(governance: &Governance, patience: Duration) -> anyhow::Result<Mailer> {
    let outbound = Outbound::new(governance.destinations().clone(), patience)?;
    Ok(Mailer::new(HttpPostman { outbound }))
}

/// What this process delivers. Each delivery goes its own way, so that a receiver which does not answer
/// holds up nobody else. Dropped, it breaks off those under way, whose leases then run out.
#[derive(Debug)]
pub struct Deliveries {
    mailer: Mailer,
    under_way: JoinSet<governance::Result<Sent>>,
}

impl Deliveries {
    /// Those of `mailer`.
    pub fn of(mailer: Mailer) -> Self {
        Self { mailer, under_way: JoinSet::new() }
    }

    /// Delivers what is due, for as long as it is awaited.
    pub async fn run(&mut self, governance: &Governance) -> Infallible {
        loop {
            match self.mailer.claim(governance, governance.clock().now()).await {
                Ok(claimed) => {
                    for one in claimed {
                        let (governance, mailer) = (governance.clone(), self.mailer.clone());
                        self.under_way.spawn(async move { mailer.deliver(&governance, one).await });
                    }
                }
                Err(error) => tracing::warn!(%error, "nothing was claimed for webhooks"),
            }
            tokio::time::sleep(LOOK_EVERY).await;
            while let Some(ended) = self.under_way.try_join_next() {
                tell(ended);
            }
        }
    }

    /// Lets those under way come to their end, which no receiver puts off beyond what a call may take: what
    /// was taken is written down, and nobody sends it again.
    pub async fn finish(mut self) {
        while let Some(ended) = self.under_way.join_next().await {
            tell(ended);
        }
    }
}

fn tell(ended: Result<governance::Result<Sent>, JoinError>) {
    match ended {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => tracing::warn!(%error, "a delivery was not settled"),
        Err(error) => tracing::error!(%error, "a delivery broke down"),
    }
}

/// Carries parcels over HTTP.
#[derive(Clone, Debug)]
struct HttpPostman {
    outbound: Outbound,
}

#[async_trait::async_trait]
impl Postman for HttpPostman {
    async fn carry(&self, parcel: Parcel) -> Result<u16, FailureReason> {
        let url: Url = parcel.url.parse().map_err(|_| FailureReason::Blocked)?;
        let headers = parcel.headers.into_iter().filter_map(|(name, value)| {
            Some((HeaderName::from_static(name), HeaderValue::from_str(&value).ok()?))
        });
        let headers: HeaderMap = headers.collect();
        let answered = self.outbound.post(&url, headers, parcel.body.into_bytes()).await;
        let silent = |reason: &str| reason.parse().unwrap_or(FailureReason::ConnectionReset);
        answered.map(|status| status.as_u16()).map_err(|silence| silent(silence.reason()))
    }
}
