//! A local webhook receiver. The path selects its behavior.

use std::time::Duration;

use crate::fake_server::{FakeServer, Reaction};

/// The delay of a slow receiver.
const DELAY: Duration = Duration::from_secs(2);

/// Starts a receiver with a path for each behavior: `ok`, `500`, `410`, `503/RETRY_AFTER`, `redirect`, `slow`,
/// `slow-500` and `hang`.
pub(crate) async fn start() -> FakeServer {
    FakeServer::start(|request| {
        let behavior = request.path.trim_start_matches('/');
        let (name, wait) = behavior.split_once('/').unwrap_or((behavior, ""));
        let response = match name {
            "hang" => Reaction::Stall(""),
            "410" => Reaction::response("410 Gone", ""),
            "503" => {
                Reaction::response(format!("503 Service Unavailable\r\nretry-after: {wait}"), "")
            }
            "redirect" => Reaction::response("307 Temporary Redirect\r\nlocation: /ok", ""),
            "500" | "slow-500" => Reaction::response("500 Internal Server Error", "no"),
            _ => Reaction::response("204 No Content", ""),
        };
        match response {
            Reaction::Respond(bytes) if name.starts_with("slow") => {
                Reaction::RespondAfter(DELAY, bytes)
            }
            response => response,
        }
    })
    .await
}
