//! The texts of the public pages of a form in English.

use contract::{
    evaluation::{ReasonCode, Verdict},
    form::BudgetWindow,
    text::isolated,
};

use super::{AnswerError, PublicFormTexts, Wait};

pub(super) const TEXTS: PublicFormTexts = PublicFormTexts {
    description: "A form. Submitted answers are decided by approved rules, and each decision has a receipt that anyone can verify.",
    skip: "Skip to content",
    help: "Help",
    requested_by,
    requester_note: "Your answers are stored with the decision.",
    data_notice: "Your answers are checked against a policy and recorded permanently. You get a receipt.",
    submit: "Submit",
    required: "(required)",
    choose: "Choose one",
    yes: "Yes",
    no: "No",
    utc: "In UTC.",
    decimal: '.',
    which_number: "The number is",
    error: "Error",
    token_title: "Access token required",
    token_help: "Use the link that you were sent, or enter the token from it.",
    token: "Access token",
    wrong_token: "The access token is not valid for this form.",
    password_title: "Password required",
    password_help: "Ask the sender of the link for the password.",
    password: "Password",
    wrong_password: "Incorrect password.",
    sign_in_title: "Sign-in required",
    sign_in_help: "Only members of this organization can submit.",
    sign_in: "Sign in",
    not_a_member: "Only members of this organization can submit the form. Sign in with another account.",
    answers_saved: "Your answers stay on this page. Continue here when you have access.",
    continue_button: "Continue",
    answers_preserved: "Your answers are preserved below. Submit them again then.",
    already_submitted: "You already submitted different answers from this page. Submit again to send these too.",
    closed: "This form is not accepting submissions.",
    too_many_requests: "Too many requests.",
    unavailable: "Service unavailable",
    internal_error: "Something went wrong",
    too_large: "Your answers are too long",
    too_large_help: "Go back, shorten your answers and submit them again. Nothing was recorded.",
    unreadable: "Your answers cannot be read",
    unreadable_help: "Go back and submit the form again. Nothing was recorded.",
    not_found: "Page not found",
    not_found_help: "The page does not exist or you do not have access to it.",
    unavailable_help: "The database is unavailable. Nothing was changed.",
    internal_error_help: "Try again. If the problem persists, contact the sender of the link with the correlation ID.",
    correlation_id: "Correlation ID",
    exhausted,
    fields_need_attention,
    wait,
    answer_error,
    result: "Result",
    verdict,
    numbers_read: "Your numbers were read as",
    reasons: "Reasons",
    notes: "Notes",
    violation,
    maximum: "Maximum",
    minimum: "Minimum",
    save_link: "Save this link:",
    check: "Verify it yourself",
    bundle: "Download the bundle",
    print: "Print",
    proof: "Proof",
    verdict_label: "Verdict",
    decided: "Decided",
    policy: "Policy",
    policy_version,
    redacted: "Values are redacted in this public receipt.",
    decision_id: "Decision ID",
    integrity_digest: "Integrity digest",
    context_digest: "Context digest",
    snapshot_digest: "Snapshot digest",
    rules_digest: "Rules digest",
    signature: "Signature",
    unsigned: "Not signed",
    key: "Key ID",
    log: "Transparency log",
    anchored: "Anchored",
    not_anchored: "Not yet anchored",
    statement: "Signed statement",
    recorded_with: "Recorded with Govern.",
    about: "About",
    verify: "Verify a decision",
    signing_keys: "Signing keys",
    months: [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    date,
};

fn requested_by(name: &str) -> String {
    format!("Requested by {}.", isolated(name))
}

const fn exhausted(window: BudgetWindow) -> &'static str {
    match window {
        BudgetWindow::Hour => "The form has reached its hourly submission limit.",
        BudgetWindow::Day => "The form has reached its daily submission limit.",
        BudgetWindow::Total => "The form has reached its submission limit.",
    }
}

fn fields_need_attention(count: usize) -> String {
    match count {
        1 => "1 field needs attention".to_owned(),
        count => format!("{count} fields need attention"),
    }
}

fn wait(wait: Wait) -> String {
    match wait {
        Wait::Seconds(1) => "Try again in a second.".to_owned(),
        Wait::Seconds(seconds) => format!("Try again in {seconds} seconds."),
        Wait::Minutes(minutes) => format!("Try again in {minutes} minutes."),
        Wait::Hours(hours) => format!("Try again in {hours} hours."),
    }
}

fn answer_error(error: &AnswerError) -> String {
    let text = match error {
        AnswerError::Missing => "An answer is required.",
        AnswerError::NotNumber => "Enter a number, for example 2500.",
        AnswerError::AmbiguousNumber => {
            "This number can be read in two ways. Choose the one you mean."
        }
        AnswerError::NotAllowed => "Choose from the options.",
        AnswerError::NotDate => "Enter a date, for example 2026-09-01.",
        AnswerError::NotDateTime => "Enter a date and a time, for example 2026-09-01T10:00.",
        AnswerError::NotEmail => "Enter an email address, for example ada@example.com.",
        AnswerError::NotUrl => "Enter a web address, for example https://example.com.",
        AnswerError::Range { min: Some(min), max: Some(max) } => {
            return format!("Enter a number from {min} to {max}.");
        }
        AnswerError::Range { min: Some(min), max: None } => {
            return format!("Enter at least {min}.");
        }
        AnswerError::Range { min: None, max: Some(max) } => return format!("Enter at most {max}."),
        AnswerError::Range { min: None, max: None } => "The number is outside the permitted range.",
        AnswerError::TooShort(min) => return format!("Enter at least {min} characters."),
        AnswerError::TooLong(Some(max)) => return format!("Enter at most {max} characters."),
        AnswerError::TooLong(None) => "The answer is too long.",
        AnswerError::Pattern => "The answer does not have the required format.",
        AnswerError::Unknown => {
            "The form was changed and no longer asks for one of your answers. Check the others and submit them again."
        }
        AnswerError::Invalid => "The answer is invalid.",
    };
    text.to_owned()
}

const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow | Verdict::Alert => "Your answers meet the requirements.",
        Verdict::Review => "A person must review your answers before the decision is final.",
        Verdict::Deny => "Your answers do not meet the requirements.",
    }
}

const fn violation(code: ReasonCode) -> &'static str {
    match code {
        ReasonCode::FieldMissing => "An answer is missing.",
        ReasonCode::FieldForbidden => "This answer is not permitted here.",
        ReasonCode::FieldTooShort => "The answer is too short.",
        ReasonCode::DateExpired => "The date has passed or is too old.",
        ReasonCode::DateInvalid => "The value is not a date.",
        ReasonCode::DateNotYetValid => "The date is too early or in the future.",
        ReasonCode::ValueAboveMax => "The number is too high.",
        ReasonCode::ValueBelowMin => "The number is too low.",
        ReasonCode::ValueNotNumeric => "The value is not a number.",
        ReasonCode::ValueNotAllowed => "The value is not one of the permitted values.",
        ReasonCode::ValueForbidden => "The value is not permitted.",
        ReasonCode::PatternMismatch => "The answer does not have the required format.",
        ReasonCode::PatternForbidden => "The answer contains something that is not permitted.",
        ReasonCode::ComparisonFailed => {
            "The values do not have the required relation to each other."
        }
        ReasonCode::EvidenceMissing => "Required evidence is missing.",
        ReasonCode::EvidenceHashMismatch => "The evidence does not match its digest.",
        ReasonCode::ValuesNotDistinct => "Values that must differ are the same.",
    }
}

fn policy_version(name: &str, version: u32) -> String {
    format!("{}, version {version}", isolated(name))
}

fn date(day: &str, month: &str, year: &str, clock: &str) -> String {
    format!("{day} {month} {year}, {clock} UTC")
}
