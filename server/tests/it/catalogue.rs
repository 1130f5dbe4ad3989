//! The catalogue of error codes. Its changes are changes of the API and need a changelog entry.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use contract::error::{ErrorBody, ErrorCode, REASONS};

use crate::audit_actions;

/// Returns the contents of `docs/ERRORS.md`.
fn errors_page() -> String {
    let rows: String = ErrorCode::ALL.iter().fold(String::new(), |mut rows, code| {
        let (name, retry) = (code.as_str(), retry_advice(*code));
        let line = format!("| {} | `{name}` | {} | {retry} |", code.status(), code.meaning());
        writeln!(rows, "{line}").expect("writing to a string succeeds");
        rows
    });
    let example = ErrorBody {
        error: governance::Error::from(governance::base::error::invalid_field(
            "/rules/0/severity",
            "required",
            "is missing",
        ))
        .problem(),
        correlation_id: "3f1d6a52-2f6e-4a53-9a7c-0a5b8f3c7d11".to_owned(),
        retry_after: None,
    };
    let example = serde_json::to_string_pretty(&example).expect("an error body is JSON");
    let reasons = REASONS.iter().fold(String::new(), |mut rows, (code, reason, meaning)| {
        let line = format!("| {} `{}` | `{reason}` | {meaning} |", code.status(), code.as_str());
        writeln!(rows, "{line}").expect("writing to a string succeeds");
        rows
    });
    format!("{HEAD}```json\n{example}\n```\n\n{TABLE}{rows}{REASONS_HEAD}{reasons}")
}

const HEAD: &str = "\
# Errors

<!-- Written by a test from the catalogue in `contract/src/error.rs`. To write it again:
     GOVERN_WRITE_ERRORS=1 cargo test -p server-tests errors_page -->

Every error response has this body. `error.code` is stable within `/v1`. `error.message` is for people
and may change. `error.details` contains details of the error, if any. The `correlation_id` is also in
the header `x-correlation-id` and in the application log.

";

const TABLE: &str = "\
With 422 `VALIDATION_ERROR`, `details.errors` lists every field error of the request, with a JSON Pointer
to each; if the body is not valid JSON, `details.reason` names the reason. With 409
`INVALID_TRANSITION`, `details.reason`, `details.from` and `details.requested` describe the refused
transition. With 429 and 503, the header `Retry-After` contains the seconds to wait; with 503, the body
contains it too, as `retry_after`. The response of a form whose budget never refills contains no time.

| Status | Code | Meaning | Retry |
|---|---|---|---|
";

const REASONS_HEAD: &str = "
## Reasons

`details.reason` says why, if a code has several causes:

| Code | `details.reason` | Meaning |
|---|---|---|
";

/// Returns whether and when a retry may succeed.
fn retry_advice(code: ErrorCode) -> &'static str {
    if code == ErrorCode::FormBudgetExhausted {
        return "after `Retry-After` seconds, if the budget refills";
    }
    if code == ErrorCode::ConfirmationRequired {
        return "after `POST /v1/session/confirm`";
    }
    match code.status() {
        429 | 503 => "after `Retry-After` seconds",
        500 => "once; then report the correlation ID",
        401 => "with other credentials",
        409 => "after reading the current state",
        _ => "not without changing the request",
    }
}

#[test]
fn the_errors_page_shows_the_whole_catalogue() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ERRORS.md");
    if std::env::var_os("GOVERN_WRITE_ERRORS").is_some() {
        fs::write(&path, errors_page()).expect("the page can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        written,
        errors_page(),
        "docs/ERRORS.md is out of date; its first lines describe how to write it again"
    );
}

#[test]
fn the_catalogue_has_every_reason_of_the_use_cases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace");
    let mut sources = Vec::new();
    audit_actions::read_sources(root.join("governance/src"), &mut sources);
    let codes: Vec<&str> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    let is_reason = |literal: &&str| {
        let starts = ["VERSION_", "POLICY_", "CAPABILITY_", "ACTIVE_VERSION_", "ALERT_", "MAKER_"];
        (starts.iter().any(|start| literal.starts_with(start))
            || ["ADDRESS_NOT_PROVEN", "REVIEW_REQUIRED", "VERIFICATION_RUNNING"].contains(literal))
            && !codes.contains(literal)
    };
    let used: BTreeSet<&str> = sources
        .iter()
        .flat_map(|source| source.split('"'))
        .filter(|literal| literal.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'))
        .filter(is_reason)
        .collect();
    let listed: BTreeSet<&str> = REASONS
        .iter()
        .filter(|(code, ..)| *code != ErrorCode::ValidationError)
        .map(|(_, reason, _)| *reason)
        .collect();
    assert_eq!(listed, used);
}

#[test]
fn no_two_errors_share_a_code() {
    let codes: BTreeSet<&str> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(codes.len(), ErrorCode::ALL.len());
}
