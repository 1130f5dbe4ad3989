//! The audit log, with a check of its integrity.

mod sentence;

use contract::audit::{
    AuditDivergence, AuditFilter, AuditItem, AuditRange, AuditReport, AuditStatus,
};
use governance::proof::audit as service;
use page_kit::{list::older, prelude::*, text::json::indented, ui::code::dotted};

use self::sentence::{Part, fact as fact_text, sentence};

const TITLE: &str = "Audit log";

/// `/t/{tenant}/audit`. The parameter `check` requests a verification of the log.
pub async fn audit() -> PageResult {
    let (tenant, cx) = page::member().await?;
    cx.tenant(permission::READ_AUDIT)?;
    let [from, to] = Filter::range("Time range", "From (UTC)", "To (UTC)");
    let filters = vec![
        Filter::text(AuditFilter::ACTION, "Action, for example policy_version.ratify")
            .in_menu("Action")
            .chip("Action"),
        Filter::text(AuditFilter::ACTOR_EMAIL, "Actor email").in_menu("Actor"),
        Filter::text(AuditFilter::ACTOR_ID, "Actor ID").in_menu("Actor"),
        Filter::text(AuditFilter::OBJECT_TYPE, "Object type, for example api_key")
            .in_menu("Object")
            .chip("Object type"),
        Filter::text(AuditFilter::OBJECT_ID, "Object ID").in_menu("Object"),
        from.chip("From"),
        to.chip("To"),
    ];
    let query = ListQuery::read(url::audit(tenant), filters);
    let check = check(&cx, query.path().to_owned()).await?;
    let (list, next) = match query.filter() {
        Ok(filter) => {
            let events = service::list(&cx, filter, &query.page()).await?;
            let mut names = directory(&cx).await?.names.clone();
            names.extend(service::object_names(&cx, &events.items).await?);
            (list(&query, &events.items, &names), events.next_cursor)
        }
        Err(message) => (note(Tone::Deny, Some("alert"), message), None),
    };
    Ok(any_view! {
        <Heading title=TITLE />
        {check}
        {query.bar(())}
        {list}
        {older(next.map(|cursor| query.at(&cursor)))}
    })
}

fn list(query: &ListQuery, events: &[AuditItem], names: &Names) -> AnyView {
    if events.is_empty() && query.is_filtered() {
        return nothing_matches(query);
    }
    Table::new(TITLE)
        .numbers("Number", |item: &AuditItem| whole(item.seq))
        .column("Time (UTC)", |item| second(item.occurred_at))
        .column("Event", |item| event(item, names))
        .or_empty(events, ["No events yet", "Every change is recorded here."])
}

/// Renders an event: its sentence, which opens the details. The sentence has the names that the tenant has now.
fn event(item: &AuditItem, names: &Names) -> AnyView {
    let part = |part: Part| match part {
        Part::Words(words) => words.into_any(),
        Part::Name(name) => any_view! { <bdi class="breaks font-semibold">{name}</bdi> },
    };
    let sentence = sentence(item, Part::Name(actor_name(item, names)), names);
    any_view! {
        <details class="disclosure event">
            <summary>{sentence.into_iter().map(part).collect_view()}</summary>
            {details(item, names)}
        </details>
    }
}

/// Returns the actor as the subject of a sentence.
pub(crate) fn actor_name(item: &AuditItem, names: &Names) -> String {
    let actor = &item.actor;
    let name = || names.get(&actor.id).cloned();
    let short_id = || actor.id.chars().take(8).collect::<String>();
    match actor.kind.as_str() {
        "human" => name().or_else(|| actor.email.clone()).unwrap_or_else(short_id),
        "api_key" => {
            let name = actor.key_name.clone().or_else(name).unwrap_or_else(short_id);
            format!("API key {name}")
        }
        "capability" => format!("Capability {}", short_id()),
        _ => match &*actor.id {
            "operator" => "The operator".to_owned(),
            "service" => "The service".to_owned(),
            "public" => "An anonymous caller".to_owned(),
            other => other.to_owned(),
        },
    }
}

/// Renders the details of an event. The actor is the email address or key name of the event, else the name that the
/// tenant has for the ID, else the ID. The correlation ID is absent if it was not recorded or was erased.
fn details(item: &AuditItem, names: &Names) -> AnyView {
    let actor = &item.actor;
    let own_name = actor.email.clone().or_else(|| actor.key_name.clone());
    let name = own_name.or_else(|| names.get(&actor.id).cloned());
    let name = name.unwrap_or_else(|| actor.id.clone());
    let kind = match &*actor.kind {
        "human" => "Person",
        "api_key" => "API key",
        "capability" => "Capability",
        "system" => "System",
        other => other,
    }
    .to_owned();
    let correlation_id = item.personal.as_ref().and_then(|personal| {
        Some(personal.get("data")?.get("correlation_id")?.as_str()?.to_owned())
    });
    let correlation_id = match correlation_id {
        Some(id) => id_code(id, messages::CORRELATION_ID),
        None => any_view! { <span class="text-muted">"Not recorded"</span> },
    };
    let line = |(name, value): (&str, &Value)| {
        view! {
            <li>
                <span class="text-muted">{name.replace('_', " ")}</span>
                " "
                <bdi class="breaks">{fact_text(value)}</bdi>
            </li>
        }
    };
    let facts = item.details.as_object().into_iter().flat_map(Object::iter);
    let lines: Vec<_> = facts.map(|(name, value)| line((name, value))).collect();
    let change =
        (!lines.is_empty()).then(|| fact("Change", view! { <ul class="plain-list">{lines}</ul> }));
    let event = match &item.event {
        Value::String(text) => text.clone(),
        event => indented(event),
    };
    any_view! {
        <dl class="facts">
            <dt>"Action"</dt>
            <dd>
                <span class="font-mono">{dotted(&item.action)}</span>
            </dd>
            <dt>"Actor"</dt>
            <dd>
                <span class="text-muted">{kind}</span>
                " "
                <bdi class="breaks">{name}</bdi>
            </dd>
            <dt>"Object"</dt>
            <dd>
                <span class="text-muted">{dotted(&item.object.kind)}</span>
                " "
                {id_code(item.object.id.clone(), "Object ID")}
            </dd>
            {fact(messages::CORRELATION_ID, correlation_id)}
            {change}
            {digest_fact("Hash", item.hash.clone())}
            {item.prev_hash.clone().map(|hash| digest_fact("Previous hash", hash))}
        </dl>
        {code_block(event, "Hashed event")}
    }
}

const BAD_RANGE: &str = "Range: enter whole numbers from 1, the first not greater than the last.";

/// Renders the form that verifies the whole log or a range, with the result if it is requested. The request is
/// read-only, so its address can be bookmarked.
async fn check(cx: &Cx, path: String) -> PageResult {
    let [first, last] = ["first", "last"].map(page::query);
    let is_requested = !page::query("check").is_empty();
    let result = if is_requested { Some(verify(cx, &first, &last).await?) } else { None };
    let label = "Verify the log";
    Ok(any_view! {
        <details class="card disclosure" open=is_requested>
            <summary>{label}</summary>
            <div class="stack">
                <p class="text-muted">
                    "Recomputes every hash and compares it with the stored events, columns and checkpoints. Leave the range empty to verify the whole log."
                </p>
                <form method="get" action=path class="filters" aria-label=label>
                    <input type="hidden" name="check" value="1" />
                    <TextField label="First number" name="first" kind="number" value=first />
                    <TextField label="Last number" name="last" kind="number" value=last />
                    <button>"Verify"</button>
                </form>
                {result}
            </div>
        </details>
    })
}

/// Verifies the log. An invalid range gives a note next to the range fields.
async fn verify(cx: &Cx, first: &str, last: &str) -> Result<AnyView, Problem> {
    let invalid = |message: &'static str| Ok(note(Tone::Deny, Some("alert"), message));
    let range = match range(first, last) {
        Ok(range) => range,
        Err(message) => return invalid(message),
    };
    match service::verify(cx, range).await {
        Ok(report) => Ok(check_result(&report, range)),
        Err(error) if error.code() == ErrorCode::ValidationError => {
            invalid("Range: the end is after the last event.")
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the range to verify.
///
/// # Errors
/// Returns an error message for the user.
fn range(first: &str, last: &str) -> Result<AuditRange, &'static str> {
    let mut body = Object::new();
    for (name, text) in [("from_seq", first), ("to_seq", last)] {
        if text.is_empty() {
            continue;
        }
        let number = text.parse::<i64>().ok().and_then(|number| Number::try_from(number).ok());
        body.insert(name, number.ok_or(BAD_RANGE)?);
    }
    read::body(&body.into()).map_err(|_| BAD_RANGE)
}

fn check_result(report: &AuditReport, range: AuditRange) -> AnyView {
    let tone = if report.first_divergence.is_none() { Tone::Allow } else { Tone::Deny };
    let details = report.first_divergence.as_ref().map(|divergence| {
        view! {
            <p>{describe(report.status, divergence)}</p>
            <dl class="facts">
                <dt>"Expected"</dt>
                <dd class="font-mono">{divergence.expected.clone()}</dd>
                <dt>"Found"</dt>
                <dd class="font-mono">{divergence.actual.clone()}</dd>
            </dl>
        }
    });
    let tail = report.unanchored_tail;
    let tail_note = (tail > 0).then(|| {
        let (noun, verb, those) =
            if tail == 1 { ("event", "is", "it") } else { ("events", "are", "them") };
        let tail = whole(tail);
        view! {
            <p>
                {format!(
                    "The last {tail} {noun} {verb} not covered by a checkpoint yet. Deletions after {those} cannot be detected.",
                )}
            </p>
        }
    });
    let paragraphs = view! {
        <p class="font-semibold">{headline(report, range)}</p>
        {details}
        {tail_note}
    };
    long_note(tone, Some("status"), paragraphs)
}

/// Returns the result of a verification in one line.
fn headline(report: &AuditReport, range: AuditRange) -> String {
    let first = range.from_seq.unwrap_or(1);
    let at = report.first_divergence.as_ref().map_or(first, |divergence| divergence.seq);
    let at = whole(at);
    match report.status {
        AuditStatus::Intact => {
            let last = range.to_seq.unwrap_or(report.head.seq);
            format!("Intact, {} to {}", whole(first), whole(last))
        }
        AuditStatus::Tampered => format!("Tampering detected at event {at}"),
        AuditStatus::Truncated => format!("Log truncated at event {at}"),
        AuditStatus::Forked => format!("Log forked at event {at}"),
        AuditStatus::Unreadable => format!("Event {at} is unreadable"),
    }
}

fn describe(status: AuditStatus, divergence: &AuditDivergence) -> String {
    let description = match (status, divergence.kind.as_str()) {
        (AuditStatus::Truncated, _) => "A checkpoint refers to an event that no longer exists.",
        (AuditStatus::Forked, "seq") => "Two events have this number.",
        (AuditStatus::Forked, _) => "Two events follow the same event.",
        (AuditStatus::Unreadable, kind) => {
            return format!("The stored bytes of this event cannot be read ({kind}).");
        }
        (_, "hash") => "The stored bytes of this event do not have its hash.",
        (_, "prev") => "This event does not follow the one before it.",
        (_, "seq") => "An event is missing, or out of its order.",
        (_, "columns") => "A column does not match the hashed event.",
        (_, "canonical") => "The stored bytes of this event are not in canonical form.",
        (_, "checkpoint") => "The checkpoint at this position refers to another event.",
        (_, other) => return format!("This event differs ({other})."),
    };
    description.to_owned()
}

#[cfg(test)]
mod tests {
    use contract::audit::AuditHead;

    use super::*;

    #[test]
    fn a_range_may_be_open_and_must_be_ascending() {
        assert_eq!(range("", ""), Ok(AuditRange::default()));
        assert_eq!(range("3", "9"), Ok(AuditRange { from_seq: Some(3), to_seq: Some(9) }));
        for (first, last) in [("9", "3"), ("0", ""), ("-1", ""), ("", "x"), ("", "1.5")] {
            assert_eq!(range(first, last), Err(BAD_RANGE), "{first} {last}");
        }
    }

    #[test]
    fn the_headline_names_the_verified_range() {
        let report = AuditReport {
            status: AuditStatus::Intact,
            checked: 84_112,
            first_divergence: None,
            head: AuditHead { seq: 84_112, hash: String::new() },
            last_checkpoint: None,
            unanchored_tail: 0,
        };
        assert_eq!(headline(&report, AuditRange::default()), "Intact, 1 to 84,112");
        let part = AuditRange { from_seq: Some(7), to_seq: Some(9) };
        assert_eq!(headline(&report, part), "Intact, 7 to 9");
    }
}
