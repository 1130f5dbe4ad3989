//! `/f/{form}/receipts/{decision}`: the result of a submission, with its proof below.

use std::fmt::Write as _;

use app::text::{
    json,
    public_form::PublicFormTexts,
    url::{archive, verify},
};
use contract::{
    evaluation::{ReasonCode, Violation},
    json::Value,
    receipt::{Receipt, Redaction},
    time::Timestamp,
};
use governance::deciding::form::SubmissionConfirmation;

use super::render::{Document, bdi, requester};
use crate::html::escape;

/// The page of a result.
pub(super) struct ResultPage<'a> {
    pub(super) confirmation: &'a SubmissionConfirmation,
    /// The full address of the page.
    pub(super) link: String,
}

impl ResultPage<'_> {
    pub(super) fn page(&self, document: Document<'_>) -> String {
        let texts = document.language.texts();
        let SubmissionConfirmation { receipt, form, requested_by } = self.confirmation;
        let mut main = format!(
            "<div class=\"form-head\">{}<p class=\"text-muted\">{}</p><h1>{}</h1>",
            requester(requested_by, texts),
            bdi(&form.title),
            (texts.verdict)(receipt.result.decision)
        );
        if let Some(message) = &form.success_message {
            let _ = write!(main, "<p class=\"form-message\">{}</p>", bdi(message));
        }
        main.push_str("</div>");
        main.push_str(&self.reasons(texts));
        let _ = write!(
            main,
            "<div class=\"keep\"><p>{} <a href=\"{link}\">{link}</a></p>\
             <div class=\"row\"><a class=\"button\" href=\"{}\">{}</a>\
             <a class=\"button\" href=\"{}\" download=\"{}.tar\">{}</a>\
             <button data-print type=\"button\" class=\"with-scripts\">{}</button></div></div>",
            texts.save_link,
            verify(receipt.decision_id),
            texts.check,
            archive(receipt.decision_id),
            receipt.decision_id,
            texts.bundle,
            texts.print,
            link = escape(&self.link),
        );
        main.push_str(&proof(receipt, texts));
        document.render(&format!("{}: {}", texts.result, form.title), &main)
    }

    /// Renders the violations as sentences. Policies in shadow mode do not count.
    fn reasons(&self, texts: &PublicFormTexts) -> String {
        let SubmissionConfirmation { receipt, form, .. } = self.confirmation;
        let mut items: Vec<String> = Vec::new();
        for violation in receipt.result.violations.iter().filter(|violation| !violation.is_shadow) {
            let field = violation.field.as_ref();
            let field = field.and_then(|name| form.fields.iter().find(|field| field.name == *name));
            let label = field.map(|field| format!("<b>{}</b>: ", bdi(&field.label)));
            let item = format!("{}{}", label.unwrap_or_default(), sentence(violation, texts));
            if !items.contains(&item) {
                items.push(item);
            }
        }
        if items.is_empty() {
            return String::new();
        }
        let items =
            items.into_iter().map(|item| format!("<li>{item}</li>")).collect::<Vec<_>>().concat();
        format!(
            "<section class=\"stack\"><h2>{}</h2><ul class=\"reasons\">{items}</ul></section>",
            texts.reasons
        )
    }
}

/// Returns the sentence for a violation, with the limit of a number.
fn sentence(violation: &Violation, texts: &PublicFormTexts) -> String {
    let sentence = (texts.violation)(violation.reason_code);
    let limit = match violation.reason_code {
        ReasonCode::ValueAboveMax => texts.maximum,
        ReasonCode::ValueBelowMin => texts.minimum,
        _ => return sentence.to_owned(),
    };
    match &violation.expected_value {
        Some(Value::Number(number)) => format!("{sentence} {limit}: {number}."),
        _ => sentence.to_owned(),
    }
}

fn proof(receipt: &Receipt, texts: &PublicFormTexts) -> String {
    let statement = receipt.statement.as_ref();
    let recorded_at = statement.and_then(|statement| statement.get("recorded_at"));
    let recorded_at = recorded_at.and_then(Value::as_str).and_then(|at| at.parse().ok());
    let result = &receipt.result;
    let policy = &receipt.policy;
    let signature = match (&receipt.signature, &receipt.signature_kid) {
        (Some(signature), Some(key)) => {
            code_fact(texts.signature, signature) + &code_fact(texts.key, key)
        }
        _ => fact(texts.signature, texts.unsigned),
    };
    let is_anchored = receipt.transparency_anchor.is_some();
    let log = if is_anchored { texts.anchored } else { texts.not_anchored };
    let redacted = (receipt.redaction == Redaction::Values).then_some(texts.redacted);
    let redacted = redacted.map(|text| format!("<p class=\"text-muted\">{text}</p>"));
    let facts = [
        fact(texts.verdict_label, result.decision.as_str()),
        time_fact(texts, recorded_at.unwrap_or(result.timestamp)),
        fact(texts.policy, &(texts.policy_version)(&policy.name, policy.version)),
        code_fact(texts.decision_id, &receipt.decision_id.to_string()),
        code_fact(texts.integrity_digest, &result.integrity_hash),
        code_fact(texts.context_digest, &receipt.context_digest),
        code_fact(
            texts.snapshot_digest,
            result.policy_snapshot_digest.as_deref().unwrap_or_default(),
        ),
        code_fact(texts.rules_digest, &result.evaluated_rules_hash),
        signature,
        fact(texts.log, log),
    ];
    let statement = statement.map(|statement| {
        format!(
            "<h2>{}</h2><pre tabindex=\"0\"><code>{}</code></pre>",
            texts.statement,
            escape(&json::indented(statement))
        )
    });
    format!(
        "<details class=\"proof\"><summary>{}</summary><div class=\"stack\">{}<dl class=\"facts\">{}</dl>{}</div></details>",
        texts.proof,
        redacted.unwrap_or_default(),
        facts.concat(),
        statement.unwrap_or_default()
    )
}

fn fact(name: &str, value: &str) -> String {
    format!("<dt>{name}</dt><dd>{}</dd>", bdi(value))
}

fn code_fact(name: &str, value: &str) -> String {
    format!("<dt>{name}</dt><dd><code class=\"whole\">{}</code></dd>", escape(value))
}

fn time_fact(texts: &PublicFormTexts, at: Timestamp) -> String {
    format!(
        "<dt>{}</dt><dd><time datetime=\"{at}\">{}</time></dd>",
        texts.decided,
        escape(&texts.minute(at))
    )
}
