//! `/f/{form}/receipts/{decision}`: the result of a submission, with its proof below.

use contract::{
    evaluation::{Limit, LimitOperator},
    receipt::{Receipt, Redaction},
};
use page_kit::{
    prelude::*,
    text::url::{archive, verify},
};

use super::{
    document::{Document, requester},
    number,
    texts::{Texts, fill},
};

/// The script of the page, whose button prints it.
const PRINT_SCRIPT: &str = "/page.js";

/// The page of a result.
#[derive(Clone, Debug)]
pub struct ResultPage {
    /// The receipt of the decision.
    pub receipt: Receipt,
    pub form: Form,
    /// The organization that requested the answers.
    pub requested_by: String,
    /// The submitted values, directly after the submission.
    pub values: Option<Object>,
    /// The full address of the page.
    pub link: String,
}

impl ResultPage {
    pub fn render(self, document: &Document) -> String {
        let texts = document.texts;
        let Self { receipt, form, requested_by, values, link } = self;
        let numbers = values.and_then(|values| numbers(&values, &form.fields, texts));
        let reasons = reasons(&receipt, &form.fields, texts);
        let title = format!("{}: {}", texts.result, form.title);
        let message = form.success_message.map(|message| {
            view! { <p class="form-message">{bdi(&message)}</p> }
        });
        let main = any_view! {
            <div class="form-head">
                {requester(&requested_by, texts)} <p class="text-muted">{bdi(&form.title)}</p>
                <h1>{texts.verdict(receipt.result.decision)}</h1> {message}
            </div>
            {numbers}
            {reasons}
            {actions(&receipt, &link, texts)}
            {proof(&receipt, texts)}
        };
        document.render(&title, Some(PRINT_SCRIPT), main)
    }
}

/// Renders the submitted numbers as they were read.
fn numbers(values: &Object, fields: &[FormField], texts: &'static Texts) -> Option<AnyView> {
    let fact = |field: &FormField| match values.get(&field.name) {
        Some(Value::Number(number)) if field.kind == FieldType::Number => {
            Some(fact(bdi(&field.label), number::write(*number, texts.decimal)))
        }
        _ => None,
    };
    let facts: Vec<AnyView> = fields.iter().filter_map(fact).collect();
    let section = (!facts.is_empty()).then(|| {
        view! {
            <section class="stack">
                <h2>{texts.numbers_read}</h2>
                <dl class="facts">{facts}</dl>
            </section>
        }
    });
    section.map(IntoAny::into_any)
}

/// Renders the violations as sentences. Policies in shadow mode do not count.
fn reasons(receipt: &Receipt, fields: &[FormField], texts: &'static Texts) -> Option<AnyView> {
    let mut reasons: Vec<(Option<String>, String)> = Vec::new();
    for violation in receipt.result.violations.iter().filter(|violation| !violation.is_shadow) {
        let field = violation.field.as_ref();
        let field = field.and_then(|name| fields.iter().find(|field| field.name == *name));
        let reason = (field.map(|field| field.label.clone()), sentence(violation, texts));
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    if reasons.is_empty() {
        return None;
    }
    let item = |(label, sentence): (Option<String>, String)| match label {
        Some(label) => {
            let sentence = format!(": {sentence}");
            any_view! {
                <li>
                    <b>{bdi(&label)}</b>
                    {sentence}
                </li>
            }
        }
        None => any_view! { <li>{sentence}</li> },
    };
    let heading = match receipt.result.decision {
        Verdict::Allow => texts.notes,
        _ => texts.reasons,
    };
    Some(any_view! {
        <section class="stack">
            <h2>{heading}</h2>
            <ul class="reasons">{reasons.into_iter().map(item).collect_view()}</ul>
        </section>
    })
}

/// Returns the sentence for a violation, with the limit of a number if the limit itself is allowed.
fn sentence(violation: &Violation, texts: &Texts) -> String {
    let sentence = texts.violation(violation.reason_code);
    let (label, number) = match violation.limit() {
        Some(Limit { operator: LimitOperator::AtMost, number }) => (texts.maximum, number),
        Some(Limit { operator: LimitOperator::AtLeast, number }) => (texts.minimum, number),
        _ => return sentence.to_owned(),
    };
    format!("{sentence} {label}: {}.", number::write(number, texts.decimal))
}

/// Renders the link to save, and the buttons that verify, download and print the decision.
fn actions(receipt: &Receipt, link: &str, texts: &'static Texts) -> AnyView {
    let decision = receipt.decision_id;
    any_view! {
        <div class="keep">
            <p>{texts.save_link} " " <a href=link.to_owned()>{link.to_owned()}</a></p>
            <div class="row">
                <a class="button" href=verify(decision)>
                    {texts.check}
                </a>
                <a class="button" href=archive(decision) download=format!("{decision}.tar")>
                    {texts.bundle}
                </a>
                <button data-print="" type="button" class="with-scripts">
                    {texts.print}
                </button>
            </div>
        </div>
    }
}

/// Renders the proof, folded.
fn proof(receipt: &Receipt, texts: &'static Texts) -> AnyView {
    let is_redacted = receipt.redaction == Redaction::Values;
    let redacted = is_redacted.then(|| view! { <p class="text-muted">{texts.redacted}</p> });
    let statement = receipt.statement.as_ref().map(|statement| {
        view! {
            <h2>{texts.statement}</h2>
            <pre tabindex="0">
                <code>{json::indented(statement)}</code>
            </pre>
        }
    });
    any_view! {
        <details class="proof">
            <summary>{texts.proof}</summary>
            <div class="stack">
                {redacted} <dl class="facts">{facts(receipt, texts)}</dl> {statement}
            </div>
        </details>
    }
}

fn facts(receipt: &Receipt, texts: &'static Texts) -> Vec<AnyView> {
    let recorded_at = receipt.statement.as_ref().and_then(|statement| statement.get("recorded_at"));
    let recorded_at = recorded_at.and_then(Value::as_str).and_then(|at| at.parse().ok());
    let (result, policy) = (&receipt.result, &receipt.policy);
    let is_anchored = receipt.transparency_anchor.is_some();
    let log = if is_anchored { texts.anchored } else { texts.not_anchored };
    let at: Timestamp = recorded_at.unwrap_or(result.timestamp);
    let time = view! { <time datetime=at.to_string()>{texts.minute(at)}</time> };
    let values = [("name", &*isolated(&policy.name)), ("version", &policy.version.to_string())];
    let version = fill(texts.policy_version, &values);
    let snapshot = result.policy_snapshot_digest.as_deref().unwrap_or_default();
    let fact = |term: &'static str, value: AnyView| fact(term, value);
    let mut facts = vec![
        fact(texts.verdict_label, bdi(result.decision.as_str())),
        fact(texts.decided, time.into_any()),
        fact(texts.policy, bdi(&version)),
        fact(texts.decision_id, code(&receipt.decision_id.to_string())),
        fact(texts.integrity_digest, code(&result.integrity_hash)),
        fact(texts.context_digest, code(&receipt.context_digest)),
        fact(texts.snapshot_digest, code(snapshot)),
        fact(texts.rules_digest, code(&result.evaluated_rules_hash)),
    ];
    match (&receipt.signature, &receipt.signature_kid) {
        (Some(signature), Some(key)) => {
            facts.extend([fact(texts.signature, code(signature)), fact(texts.key, code(key))]);
        }
        _ => facts.push(fact(texts.signature, bdi(texts.unsigned))),
    }
    facts.push(fact(texts.log, bdi(log)));
    facts
}

fn code(value: &str) -> AnyView {
    any_view! { <code class="whole">{value.to_owned()}</code> }
}
