//! `cedar-policy`: one `forbid` policy for each rule, whose ID is the code of the rule.

use anyhow::{Context as _, Result, ensure};
use cedar_policy::{
    Authorizer, Context, Decision, Entities, EntityUid, Policy, PolicyId, PolicySet, Request,
    Response,
};
use serde_json::{Map, Value};

use super::CompetingEngine;
use crate::sample::{Check, ComparableRule, Gate};

/// A policy set that permits every request and forbids one that violates a rule.
#[derive(Debug)]
pub(crate) struct Cedar {
    authorizer: Authorizer,
    policies: PolicySet,
    entities: Entities,
    request: Option<Request>,
}

impl Cedar {
    pub(crate) fn new(rules: &[ComparableRule]) -> Result<Self> {
        let mut policies = PolicySet::new();
        policies.add(policy("permit", "permit (principal, action, resource);")?)?;
        for rule in rules {
            let violated = violation_expression(&rule.check);
            let condition = match &rule.gate {
                Some(gate) => format!("{} && {violated}", gate_expression(gate)),
                None => violated,
            };
            let source = format!("forbid (principal, action, resource) when {{ {condition} }};");
            policies.add(policy(&rule.code(), &source)?)?;
        }
        let (authorizer, entities) = (Authorizer::new(), Entities::empty());
        Ok(Self { authorizer, policies, entities, request: None })
    }

    fn response(&self) -> Result<Response> {
        let request = self.request.as_ref().context("a context")?;
        Ok(self.authorizer.is_authorized(request, &self.policies, &self.entities))
    }
}

fn policy(id: &str, source: &str) -> Result<Policy> {
    Ok(Policy::parse(Some(PolicyId::new(id)), source)?)
}

fn gate_expression(gate: &Gate) -> String {
    match gate {
        Gate::Equals { field, text } => format!("context.{field} == \"{text}\""),
        // The language has no function that changes the case. A region has one letter.
        Gate::EqualsIgnoringCase { field, text } => {
            format!("[\"{text}\", \"{}\"].contains(context.{field})", text.to_lowercase())
        }
        Gate::OneOf { field, texts: [a, b] } => {
            format!("[\"{a}\", \"{b}\"].contains(context.{field})")
        }
        Gate::ExistsAndEquals { existing, field, text } => {
            format!("context has {existing} && context.{field} == \"{text}\"")
        }
    }
}

fn violation_expression(check: &Check) -> String {
    match check {
        Check::AtMost { field, max } => format!("context.{field} > {max}"),
        Check::NoneOf { field, forbidden: [a, b, c] } => {
            format!("[\"{a}\", \"{b}\", \"{c}\", \"\"].contains(context.{field})")
        }
        Check::Filled { field } => format!("context.{field} == \"\""),
        Check::NotAbove { left, right } => format!("context.{left} > context.{right}"),
    }
}

impl CompetingEngine for Cedar {
    fn name(&self) -> &'static str {
        "cedar-policy"
    }

    fn set_context(&mut self, fields: &Map<String, Value>) -> Result<()> {
        let context = Context::from_json_value(Value::Object(fields.clone()), None)?;
        let entity = |uid: &str| -> Result<EntityUid> { Ok(uid.parse()?) };
        let (principal, action) = (entity(r#"Actor::"agent-7""#)?, entity(r#"Action::"decide""#)?);
        let resource = entity(r#"Decision::"1""#)?;
        self.request = Some(Request::new(principal, action, resource, context, None)?);
        Ok(())
    }

    fn violated_rules(&mut self) -> Result<Vec<String>> {
        let response = self.response()?;
        ensure!(response.diagnostics().errors().next().is_none(), "a policy failed: {response:?}");
        if response.decision() == Decision::Allow {
            return Ok(Vec::new());
        }
        Ok(response.diagnostics().reason().map(|id| AsRef::<str>::as_ref(id).to_owned()).collect())
    }
}
