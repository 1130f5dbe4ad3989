//! Dry runs of a context.

mod text_position;

use contract::{
    decision::{DecisionContext, EvaluateRequest},
    json::{self},
    pagination::LIMIT_DEFAULT,
    policy::PolicyFilter,
};
use governance::{PageRequest, authoring::policy, deciding::decision};

use super::view::{Evaluation, TextError, TryPage, TryResult};
use crate::{
    explanation::load::rules,
    prelude::*,
    request::{get, put, to_problem, too_large},
    text::json::indented,
};

pub async fn page(cx: &Cx, tenant: TenantId, from: &str) -> Result<TryPage, Problem> {
    may_try(cx)?;
    let decision = from.parse::<DecisionId>().ok();
    let stored = match decision {
        Some(id) => Some(indented(&decision::read(cx, id).await?.context)),
        None => get(&key(tenant)).await,
    };
    let Some(text) = stored else {
        let text = empty_context(cx).await?;
        return Ok(TryPage { from: None, text, evaluation: None });
    };
    let evaluation = Some(evaluate(cx, &text).await?);
    Ok(TryPage { from: decision, text, evaluation })
}

fn may_try(cx: &Cx) -> Result<(), Problem> {
    Ok(cx.tenant(permission::EVALUATE).map(drop)?)
}

/// Returns a context without fields, for a decision type that an active policy governs.
async fn empty_context(cx: &Cx) -> Result<String, Problem> {
    let filter = PolicyFilter { is_active: Some(true), ..PolicyFilter::default() };
    let page = PageRequest { limit: LIMIT_DEFAULT, cursor: None };
    let active = policy::list(cx, filter, &page).await?.items;
    let decision_type = active.iter().find_map(|policy| policy.decision_types.first());
    let decision_type = Value::from(decision_type.map_or("", String::as_str)).to_canonical();
    Ok(format!("{{\n  \"decision_type\": {decision_type},\n  \"fields\": {{\n  }}\n}}"))
}

/// Evaluates the context in a text without recording a decision.
pub async fn evaluate(cx: &Cx, text: &str) -> Result<Evaluation, Problem> {
    let context = match context(text) {
        Ok(context) => context,
        Err(errors) => return Ok(Evaluation::Errors(errors)),
    };
    let request = EvaluateRequest {
        context,
        actor: None,
        policy_group_code: None,
        policy_ids: None,
        explain: Some(true),
    };
    match decision::evaluate(cx, request).await {
        Ok(evaluated) => {
            let book = rules(cx, &evaluated.evaluated_policies).await;
            Ok(Evaluation::Verdict(Box::new(TryResult::new(&evaluated, &book))))
        }
        Err(error) if error.code() == contract::error::ErrorCode::NoActivePolicies => {
            Ok(Evaluation::NoPolicy(error.message().to_owned()))
        }
        Err(error) => Err(to_problem(&error)),
    }
}

/// Parses the context in a text, or returns all errors.
pub fn context(text: &str) -> Result<DecisionContext, Vec<TextError>> {
    let value = Value::parse(text.as_bytes(), &Limits::REQUEST)
        .map_err(|error| vec![unreadable(text, error)])?;
    read::body::<DecisionContext>(&value).map_err(|errors| {
        errors.into_iter().map(|error| field_error(text, &error.path, error.message)).collect()
    })
}

/// Returns the error that makes a text invalid JSON.
pub fn unreadable(text: &str, error: json::ParseError) -> TextError {
    let (line, column) = text_position::position(text, error.offset);
    TextError {
        line: Some(line),
        column: Some(column),
        pointer: None,
        message: error.code.reason().to_owned(),
    }
}

/// Returns an error at a value of a JSON text.
pub fn field_error(text: &str, pointer: &str, message: String) -> TextError {
    TextError {
        line: Some(text_position::line(text, pointer)),
        column: None,
        pointer: Some(pointer.to_owned()),
        message,
    }
}

/// Stores a text for the user's page until it is replaced or the user signs out.
pub async fn store_context(cx: &Cx, tenant: TenantId, text: String) -> Result<(), Problem> {
    may_try(cx)?;
    if put(&key(tenant), text).await? { Ok(()) } else { Err(too_large()) }
}

fn key(tenant: TenantId) -> String {
    format!("try {tenant}")
}
