//! `govern evaluate`, `record` and `decision`.

mod request;

use std::time::Duration;

use clap::{Args, Subcommand};
use contract::{
    decision::{
        DecisionEvent, DecisionRecord, EvaluateRequest, EvaluateResponse, RecordRequest,
        RecordResponse,
    },
    evaluation::{Verdict, Violation},
    id::DecisionId,
};
use futures_util::StreamExt as _;
use http::{HeaderName, HeaderValue, header};
use sse_stream::SseStream;

use self::request::RequestArgs;
use crate::{
    client::{self, Client, Reply},
    exit::{Error, Exit, HELP},
    output::{self, DIM, one_line, styled, table},
    profile::ConnectionArgs,
};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The delay before a stream that ended is opened again. The service sends the same value.
const RECONNECT_DELAY: Duration = Duration::from_secs(3);

/// The arguments of `govern evaluate`.
#[derive(Debug, Args)]
pub struct EvaluateArgs {
    #[command(flatten)]
    request: RequestArgs,
    #[command(flatten)]
    options: DecideOptions,
}

/// The arguments of `govern record`.
#[derive(Debug, Args)]
pub struct RecordArgs {
    #[command(flatten)]
    request: RequestArgs,
    /// The idempotency key [default: the key in the file]
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
    #[command(flatten)]
    options: DecideOptions,
}

/// The arguments that `evaluate` and `record` share.
#[derive(Debug, Args)]
struct DecideOptions {
    /// Exit with 1 if the verdict is at least this strict: ALERT, REVIEW or DENY
    #[arg(long, value_name = "VERDICT", value_parser = verdict)]
    fail_on: Option<Verdict>,
    /// Print the response as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    connection: ConnectionArgs,
}

/// `govern decision`.
#[derive(Debug, Subcommand)]
pub enum DecisionCommand {
    /// Show a recorded decision.
    #[command(after_help = HELP)]
    Show {
        /// The ID of the decision
        #[arg(value_parser = decision_id)]
        id: DecisionId,
        /// Print the decision as JSON
        #[arg(long)]
        json: bool,
        /// The service to call
        #[command(flatten)]
        connection: ConnectionArgs,
    },
    /// Print decisions as they are recorded, until the command is interrupted.
    #[command(after_help = HELP)]
    Tail(TailArgs),
}

/// The arguments of `govern decision tail`.
#[derive(Debug, Args)]
pub struct TailArgs {
    /// Only decisions of this type
    #[arg(long = "type", value_name = "TYPE")]
    decision_type: Option<String>,
    /// Only decisions with this verdict
    #[arg(long, value_parser = verdict)]
    decision: Option<Verdict>,
    /// Stop after this number of decisions
    #[arg(long, value_name = "NUMBER")]
    count: Option<u64>,
    /// Print each event as JSON, one per line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    connection: ConnectionArgs,
}

/// Parses the ID of a decision. Another text could be the name of a list.
pub(crate) fn decision_id(text: &str) -> Result<DecisionId, &'static str> {
    text.parse().map_err(|_| "must be a UUID")
}

/// Parses a verdict.
pub(crate) fn verdict(text: &str) -> Result<Verdict, String> {
    let names = || format!("must be one of {}", Verdict::NAMES.join(", "));
    text.to_ascii_uppercase().parse().map_err(|()| names())
}

pub(crate) async fn evaluate(args: EvaluateArgs) -> Result<Exit, Error> {
    let request = args.request.read::<EvaluateRequest>(|_| ())?;
    let client = Client::new(&args.options.connection.connection()?)?;
    let call = client.post(["decisions", "evaluate"]).json(&request).idempotent();
    let reply = call.send().await?;
    let response: EvaluateResponse = reply.read()?;
    let state = styled("not recorded", DIM);
    args.options.finish(&reply, &state, response.result.decision, &response.result.violations)
}

pub(crate) async fn record(args: RecordArgs) -> Result<Exit, Error> {
    let request = args.request.read::<RecordRequest>(|request| {
        if let Some(key) = &args.idempotency_key {
            request.insert("idempotency_key", key.as_str());
        }
    })?;
    let client = Client::new(&args.options.connection.connection()?)?;
    let call = client.post(["decisions", "record"]).json(&request).idempotent();
    let reply = call.send().await?;
    let response: RecordResponse = reply.read()?;
    let decision = &response.decision;
    let state = if response.is_new { "recorded" } else { "recorded by an earlier request" };
    let state = format!("{state} as {}", decision.id);
    args.options.finish(&reply, &state, decision.decision, &decision.result.violations)
}

impl DecideOptions {
    /// Prints the response, and returns whether its verdict is too strict.
    fn finish(
        &self,
        reply: &Reply,
        state: &str,
        verdict: Verdict,
        violations: &[Violation],
    ) -> Result<Exit, Error> {
        let heading = format!("{}  {state}", output::verdict(verdict));
        output::print_as(self.json, &reply.text(), &with_violations(&heading, violations))?;
        Ok(Exit::negative_if(self.fail_on.is_some_and(|strictness| verdict >= strictness)))
    }
}

pub(crate) async fn run(command: DecisionCommand) -> Result<Exit, Error> {
    match command {
        DecisionCommand::Show { id, json, connection } => show(id, json, &connection).await,
        DecisionCommand::Tail(args) => tail(args).await,
    }
}

async fn show(id: DecisionId, json: bool, connection: &ConnectionArgs) -> Result<Exit, Error> {
    let client = Client::new(&connection.connection()?)?;
    let reply = client.get(["decisions", &id.to_string()]).send().await?;
    if json {
        output::print_json(&reply.text())?;
        return Ok(Exit::Success);
    }
    let decision: DecisionRecord = reply.read()?;
    let policy = &decision.policy;
    let actor = decision.actor.and_then(|actor| actor.id).unwrap_or_default();
    let outcome = decision.outcome.map(|outcome| outcome.status.to_string()).unwrap_or_default();
    let rows = table(&[
        ("decision", decision.id.to_string()),
        ("verdict", output::verdict(decision.decision)),
        ("type", decision.decision_type),
        ("policy", format!("{} version {}", policy.code, policy.version)),
        ("recorded", decision.recorded_at.to_string()),
        ("actor", actor),
        ("outcome", outcome),
        ("idempotency key", decision.idempotency_key),
        ("correlation ID", decision.correlation_id),
        ("context", decision.context.to_string()),
    ]);
    output::print(&with_violations(&rows, &decision.result.violations))?;
    Ok(Exit::Success)
}

async fn tail(args: TailArgs) -> Result<Exit, Error> {
    let client = Client::new(&args.connection.connection()?)?;
    let mut remaining = args.count.unwrap_or(u64::MAX);
    let mut last_id: Option<String> = None;
    while remaining > 0 {
        let mut call = client
            .get(["decisions", "stream"])
            .query_if("decision_type", args.decision_type.as_deref())
            .query_if("decision", args.decision);
        if let Some(id) = last_id.as_deref().and_then(|id| HeaderValue::try_from(id).ok()) {
            call = call.header(LAST_EVENT_ID, id);
        }
        call = call.header(header::ACCEPT, HeaderValue::from_static("text/event-stream"));
        let response = match call.stream().await {
            Ok(response) => response,
            // After the first connection, an interruption may be longer than the retries of the client.
            Err(client::Error::Unreachable { .. }) if last_id.is_some() => {
                tokio::time::sleep(RECONNECT_DELAY).await;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let mut events = SseStream::new(http::Response::from(response).into_body());
        // An error ends the connection, and the stream is opened again.
        while let Some(Ok(event)) = events.next().await {
            last_id = event.id.or(last_id);
            let Some(data) = event.data else { continue };
            if args.json {
                output::print_json(&data)?;
            } else {
                output::print(&event_line(&data)?)?;
            }
            remaining -= 1;
            if remaining == 0 {
                return Ok(Exit::Success);
            }
        }
        tokio::time::sleep(RECONNECT_DELAY).await;
    }
    Ok(Exit::Success)
}

/// Returns an event in one line.
fn event_line(data: &str) -> Result<String, Error> {
    let event: DecisionEvent =
        serde_json::from_str(data).map_err(|error| client::Error::Body(error.to_string()))?;
    let verdict = format!("{:<6}", event.decision.as_str());
    let verdict = output::verdict(event.decision).replace(event.decision.as_str(), &verdict);
    let violations = event.violations.join(", ");
    let line = format!(
        "{}  {}  {}  {}",
        styled(event.recorded_at, DIM),
        event.id,
        verdict,
        one_line(&event.decision_type)
    );
    Ok(if violations.is_empty() { line } else { format!("{line}  {violations}") })
}

/// Returns a heading with one line per violation.
fn with_violations(heading: &str, violations: &[Violation]) -> String {
    let width = violations.iter().map(|violation| violation.rule_code.len()).max().unwrap_or(0);
    let line = |violation: &Violation| {
        let Violation { rule_code, severity, reason, .. } = violation;
        format!("\n  {rule_code:<width$}  {:<8}  {}", severity.as_str(), one_line(reason))
    };
    std::iter::once(heading.to_owned()).chain(violations.iter().map(line)).collect()
}
