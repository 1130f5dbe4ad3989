//! The address on the loopback interface to which the console redirects the browser (RFC 8252, section 7.3).

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    extract::State,
    response::{Html, IntoResponse, Response},
    routing::get,
};
use http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use subtle::ConstantTimeEq as _;
use tokio::{
    net::TcpListener,
    sync::{mpsc, oneshot},
    task::JoinHandle,
};
use url::form_urlencoded;

/// The time for which the command waits until the pages were sent.
const STOP_MAX: Duration = Duration::from_secs(2);

/// The result that the page shows. The page contains no text from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    SignedIn,
    Cancelled,
    Failed,
    /// The address does not belong to the sign-in that this process waits for.
    Unknown,
}

impl Outcome {
    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::SignedIn => ("Signed in", "You can close this page and return to the terminal."),
            Self::Cancelled => ("Cancelled", "No access was allowed. You can close this page."),
            Self::Failed => ("Not signed in", "The terminal shows the reason."),
            Self::Unknown => {
                ("Unknown sign-in", "Open the address that govern login has printed last.")
            }
        }
    }
}

/// The headers of the page: it loads nothing, and its address, which contains the code, is sent nowhere.
const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ),
    ),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    // The listener ends as soon as the page is sent.
    (header::CONNECTION, HeaderValue::from_static("close")),
];

impl IntoResponse for Outcome {
    fn into_response(self) -> Response {
        let (title, text) = self.texts();
        let status = match self {
            Self::SignedIn | Self::Cancelled => StatusCode::OK,
            Self::Failed | Self::Unknown => StatusCode::BAD_REQUEST,
        };
        let page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title} · Govern</title>\n\
             <style>:root{{color-scheme:light dark}}body{{font:1rem/1.5 system-ui,sans-serif;\
             max-width:32rem;margin:20vh auto;padding:0 1rem}}</style>\n\
             <main><h1>{title}</h1><p>{text}</p></main>\n</html>\n"
        );
        (status, HEADERS, Html(page)).into_response()
    }
}

/// The parameters of the redirect with the expected state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Code(String),
    /// The user has allowed nothing (RFC 6749, section 4.1.2.1).
    Denied,
}

impl Answer {
    /// Parses the query of the redirect. `None` if it does not contain `state` and an answer.
    fn parse(query: &str, state: &str) -> Option<Self> {
        let parameter = |name: &str| {
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
        };
        let is_expected = parameter("state")
            .is_some_and(|given| bool::from(given.as_bytes().ct_eq(state.as_bytes())));
        if !is_expected {
            return None;
        }
        let denied = parameter("error").map(|_| Self::Denied);
        denied.or_else(|| parameter("code").map(Self::Code))
    }
}

/// An answer, and the sender of what its page shows.
pub(super) type Received = (Answer, oneshot::Sender<Outcome>);

#[derive(Clone)]
struct Waiting {
    state: Arc<str>,
    answers: mpsc::Sender<Received>,
}

/// A listener that waits for the redirect.
pub(super) struct Listener {
    pub(super) port: u16,
    answers: mpsc::Receiver<Received>,
    stop: oneshot::Sender<()>,
    server: JoinHandle<io::Result<()>>,
}

impl Listener {
    /// Starts to listen on a free port.
    pub(super) async fn start(state: &str) -> io::Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let listener = TcpListener::bind(address).await?;
        let port = listener.local_addr()?.port();
        let (sender, answers) = mpsc::channel(1);
        let waiting = Waiting { state: state.into(), answers: sender };
        let router = Router::new().route("/callback", get(receive)).with_state(waiting);
        let (stop, stopped) = oneshot::channel::<()>();
        let server = axum::serve(listener, router).with_graceful_shutdown(async move {
            let _ = stopped.await;
        });
        let server = tokio::spawn(server.into_future());
        Ok(Self { port, answers, stop, server })
    }

    /// Waits for the redirect with the expected state.
    pub(super) async fn next(&mut self) -> Option<Received> {
        self.answers.recv().await
    }

    /// Stops to listen, after the pages were sent. A browser may hold a connection open without a request.
    pub(super) async fn stop(mut self) {
        let _ = self.stop.send(());
        if tokio::time::timeout(STOP_MAX, &mut self.server).await.is_err() {
            self.server.abort();
        }
    }
}

/// Handles the redirect. The page shows the result of the exchange.
async fn receive(State(waiting): State<Waiting>, uri: Uri) -> Outcome {
    let answer = Answer::parse(uri.query().unwrap_or_default(), &waiting.state);
    let Some(answer) = answer else { return Outcome::Unknown };
    let (sender, outcome) = oneshot::channel();
    if waiting.answers.send((answer, sender)).await.is_err() {
        return Outcome::Unknown;
    }
    outcome.await.unwrap_or(Outcome::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_answer_with_the_expected_state_is_accepted() {
        let code = Some(Answer::Code("a b".to_owned()));
        assert_eq!(Answer::parse("code=a+b&state=s", "s"), code);
        assert_eq!(Answer::parse("error=access_denied&state=s", "s"), Some(Answer::Denied));
        for query in ["", "code=a", "code=a&state=", "code=a&state=t", "state=s", "code=a&state=ss"]
        {
            assert_eq!(Answer::parse(query, "s"), None, "{query}");
        }
    }
}
