//! The metrics endpoint for operators.

use std::time::Duration;

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use governance::{Error, base::error::unauthorized, notify::queues, proof::transparency_log};
use http::{HeaderMap, header};
use tokio::time::timeout;

use crate::{
    edge::{ApiError, ApiResult, access::bearer, query::NoQuery},
    metrics::{Format, openmetrics},
    state::Service,
};

/// The time limit of the database queries.
const DATABASE_TIMEOUT: Duration = Duration::from_millis(500);

/// Returns the metrics of the process in the text format of Prometheus, or in `OpenMetrics` if the caller asks for it.
pub async fn metrics(
    State(service): State<Service>,
    headers: HeaderMap,
    query: Result<NoQuery, ApiError>,
) -> ApiResult<Response> {
    if !service.edge.metrics_access.allows(bearer(&headers)) {
        return Err(unauthorized().into());
    }
    query?;
    // Without the database the other metrics matter even more. The metrics of log and queues keep their last values.
    let queues = async {
        service.metrics.set_backlog(transparency_log::backlog(&service.governance).await?);
        service.metrics.set_queues(queues::queues(&service.governance).await?);
        Ok::<_, Error>(())
    };
    let _ = timeout(DATABASE_TIMEOUT, queues).await;
    let (format, content_type) = if openmetrics::is_accepted(&headers) {
        (Format::OpenMetrics, openmetrics::CONTENT_TYPE)
    } else {
        (Format::Text, prometheus::TEXT_FORMAT)
    };
    let in_flight = service.edge.concurrent_store_requests();
    let text = service.metrics.text(&service.governance, in_flight, format);
    let text = text.map_err(|error| ApiError(Error::Bug(error.into())))?;
    Ok(([(header::CONTENT_TYPE, content_type)], text).into_response())
}
