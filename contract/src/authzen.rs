//! The messages of the Authorization API 1.0 of AuthZEN, and their relation to decisions.
//!
//! Receivers ignore unknown members, except within `context.govern`, which only this service defines.

use std::cell::{Cell, OnceCell};

use serde::Serialize;

use crate::{
    decision::{Actor, BATCH_MAX, DecisionContext},
    error::{FieldError, Problem},
    evaluation::{EvaluationResult, Verdict, Violation},
    field_path,
    id::DecisionId,
    json::{Object, Value},
    read::{FieldErrors, FromJson, JsonPath, ObjectReader, Reader, list, text},
};

/// The members of a request. Each is a field of the decision context.
const ENTITIES: [&str; 4] = ["subject", "action", "resource", "context"];

/// The member of `context` with the options of this service.
const OPTIONS: &str = "govern";

/// The maximum number of characters of the ID of a resource.
const RESOURCE_ID_MAX: usize = 2_000;

/// The body of `POST /access/v1/evaluation`, and one evaluation of `POST /access/v1/evaluations`.
#[derive(Clone, Debug, PartialEq, FromJson)]
#[json(open)]
pub struct AccessRequest {
    #[json(with = entity(255))]
    subject: Entity,
    action: NamedAction,
    #[json(with = entity(RESOURCE_ID_MAX))]
    resource: Entity,
    #[json(default)]
    context: Environment,
}

/// A subject or a resource.
#[derive(Clone, Debug, PartialEq)]
struct Entity {
    kind: String,
    id: String,
    properties: Object,
}

#[derive(Clone, Debug, PartialEq, FromJson)]
#[json(open)]
struct NamedAction {
    #[json(with = text(1, 100))]
    name: String,
    #[json(default)]
    properties: Object,
}

/// The member `context`.
#[derive(Clone, Debug, Default, PartialEq)]
struct Environment {
    /// The members without the options of this service.
    members: Object,
    options: AccessOptions,
}

/// The options of an evaluation that this service adds to the standard.
#[derive(Clone, Debug, Default, PartialEq, FromJson)]
struct AccessOptions {
    #[json(with = text(1, 255))]
    idempotency_key: Option<String>,
}

/// Returns a reader of a subject or a resource.
fn entity(id_max: usize) -> impl Reader<Entity> + Copy {
    move |value, at, errors| {
        let mut members = ObjectReader::new(value, at, errors)?;
        let kind = members.required("type", text(1, 100));
        let id = members.required("id", text(1, id_max));
        let properties = members.optional("properties", Object::from_json).unwrap_or_default();
        members.finish_open()?;
        Some(Entity { kind: kind?, id: id?, properties })
    }
}

impl FromJson for Environment {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let mut members = Object::from_json(value, at, errors)?;
        let options = match members.remove(OPTIONS) {
            Some(options) => AccessOptions::from_json(&options, &at.name(OPTIONS), errors)?,
            None => AccessOptions::default(),
        };
        Some(Self { members, options })
    }
}

impl AccessRequest {
    /// Returns the idempotency key of the decision. Without a key, nothing is recorded.
    pub fn idempotency_key(&self) -> Option<&str> {
        self.context.options.idempotency_key.as_deref()
    }

    /// Returns the request as JSON, without unknown members. Requests with the same idempotency key must be equal
    /// in this form.
    pub fn to_json(&self) -> Value {
        self.entities().into()
    }

    /// Returns the decision context: the action names the decision type. The fields are the members of the request
    /// and, for policies that know nothing of this API, each property of the resource.
    ///
    /// # Errors
    /// Returns an error for each text that is too long for a field.
    pub fn to_context(
        &self,
        correlation_id: Option<&str>,
    ) -> Result<DecisionContext, Vec<FieldError>> {
        // A rule looks up a whole name before a path, so a property `subject.id` would replace the subject.
        let is_free = |name: &str| {
            let segments = field_path::segments(name).unwrap_or_default();
            segments.first().is_some_and(|first| !ENTITIES.contains(&first.as_ref()))
        };
        let properties = self.resource.properties.iter().filter(|(name, _)| is_free(name));
        let properties = properties.map(|(name, value)| (name.to_owned(), value.clone()));
        let fields: Object = properties.chain(self.entities()).collect();
        let correlation_id =
            correlation_id.map(|id| ("correlation_id".to_owned(), Value::from(id)));
        let metadata = correlation_id.into_iter().collect();
        let context = DecisionContext::new(&self.action.name, fields, metadata);
        let in_request = |error: FieldError| {
            let path = error.path.strip_prefix("/fields").unwrap_or(&error.path).to_owned();
            FieldError { path, ..error }
        };
        context.map_err(|errors| errors.into_iter().map(in_request).collect())
    }

    /// Returns the actor of the decision: the subject.
    pub fn actor(&self) -> Actor {
        let Entity { kind, id, .. } = &self.subject;
        Actor { id: Some(id.clone()), kind: Some(kind.clone()), ..Actor::default() }
    }

    fn entities(&self) -> Object {
        let NamedAction { name, properties } = &self.action;
        let action = Object::from([("name", name.as_str().into())]);
        let mut entities = Object::from([
            ("subject", self.subject.to_json()),
            ("action", with_properties(action, properties)),
            ("resource", self.resource.to_json()),
        ]);
        if !self.context.members.is_empty() {
            entities.insert("context", self.context.members.clone());
        }
        entities
    }
}

impl Entity {
    fn to_json(&self) -> Value {
        let entity =
            Object::from([("type", self.kind.as_str().into()), ("id", self.id.as_str().into())]);
        with_properties(entity, &self.properties)
    }
}

fn with_properties(mut entity: Object, properties: &Object) -> Value {
    if !properties.is_empty() {
        entity.insert("properties", properties.clone());
    }
    entity.into()
}

string_enum! {
    /// The condition that ends a list of evaluations.
    #[derive(Default)]
    pub enum EvaluationsSemantic {
        /// All are evaluated.
        #[default]
        ExecuteAll = "execute_all",
        /// The first denial or failure is the last result.
        DenyOnFirstDeny = "deny_on_first_deny",
        /// The first permission is the last result.
        PermitOnFirstPermit = "permit_on_first_permit",
    }
}

impl EvaluationsSemantic {
    /// Returns whether a result ends the list.
    pub fn ends_with(self, decision: bool) -> bool {
        match self {
            Self::ExecuteAll => false,
            Self::DenyOnFirstDeny => !decision,
            Self::PermitOnFirstPermit => decision,
        }
    }
}

/// The body of `POST /access/v1/evaluations`.
#[derive(Clone, Debug, PartialEq)]
pub enum AccessRequests {
    /// A body without evaluations: a request of `POST /access/v1/evaluation`.
    Single(Box<AccessRequest>),
    /// At most 100 evaluations.
    Many {
        /// The evaluations in their order.
        evaluations: Vec<Evaluation>,
        /// The condition that ends the list.
        semantic: EvaluationsSemantic,
    },
}

impl FromJson for AccessRequests {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let mut members = ObjectReader::new(value, at, errors)?;
        let evaluations = members.optional("evaluations", list(BATCH_MAX, evaluation(value)));
        let options = members.optional("options", ListOptions::from_json).unwrap_or_default();
        members.finish_open()?;
        let Some(evaluations) = evaluations.filter(|evaluations| !evaluations.is_empty()) else {
            let single = AccessRequest::from_json(value, at, errors)?;
            return Some(Self::Single(Box::new(single)));
        };
        Some(Self::Many { evaluations, semantic: options.evaluations_semantic })
    }
}

/// The member `options`.
#[derive(Default, FromJson)]
#[json(open)]
struct ListOptions {
    #[json(default)]
    evaluations_semantic: EvaluationsSemantic,
}

/// An evaluation with the defaults of its body, or its errors.
pub type Evaluation = Result<AccessRequest, Vec<FieldError>>;

/// The maximum size of the defaults that the evaluations of a body repeat, in bytes as JSON. A body of 1 MiB would otherwise
/// be evaluated as 100 MiB.
const DEFAULTS_BYTES_MAX: usize = 8 << 20;

/// Returns a reader of one evaluation of `body`. An invalid evaluation is a failure of its own and does not affect the
/// others. So is an evaluation whose defaults exceed what the evaluations before it leave.
fn evaluation(body: &Value) -> impl Reader<Evaluation> {
    let (sizes, bytes_left) = (OnceCell::new(), Cell::new(DEFAULTS_BYTES_MAX));
    move |value, at, _| {
        let mut errors = FieldErrors::default();
        let sizes = sizes.get_or_init(|| {
            ENTITIES.map(|name| body.get(name).map_or(0, |default| default.to_string().len()))
        });
        let defaults = ENTITIES.iter().zip(sizes).filter(|(name, _)| lacks(value, name));
        let bytes: usize = defaults.map(|(_, size)| size).sum();
        let Some(left) = bytes_left.get().checked_sub(bytes) else {
            let mib = DEFAULTS_BYTES_MAX >> 20;
            let message = format!(
                "repeats more than {mib} MiB of defaults with the others; send fewer evaluations"
            );
            errors.push(at, "too_large", message);
            return Some(Err(errors.into_vec()));
        };
        bytes_left.set(left);
        let evaluation = with_defaults(value, body);
        match AccessRequest::from_json(evaluation.as_ref().unwrap_or(value), at, &mut errors) {
            Some(request) if errors.is_empty() => Some(Ok(request)),
            _ => Some(Err(errors.into_vec())),
        }
    }
}

/// Returns whether an evaluation takes the member from its body.
fn lacks(evaluation: &Value, name: &str) -> bool {
    matches!(evaluation.get(name), None | Some(Value::Null))
}

/// Returns an evaluation with the members of the body that it lacks, or `None` if it is not an object.
fn with_defaults(evaluation: &Value, body: &Value) -> Option<Value> {
    let mut merged = evaluation.as_object()?.clone();
    for name in ENTITIES {
        if let Some(default) = body.get(name)
            && lacks(evaluation, name)
        {
            merged.insert(name, default.clone());
        }
    }
    Some(merged.into())
}

/// A decision: whether the action may go forward, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AccessDecision {
    /// True for the verdicts `ALLOW` and `ALERT`.
    pub decision: bool,
    /// The verdict, or the reason why there is none.
    pub context: AccessDecisionContext,
}

/// The explanation of a decision.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AccessDecisionContext {
    /// The verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The reasons of a denial, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The failed checks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// The ID of the recorded decision and of its receipt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_id: Option<DecisionId>,
    /// Why the request could not be evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<AccessError>,
}

/// A failure of one evaluation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AccessError {
    /// The HTTP status that fits the failure.
    pub status: u16,
    /// The error code of the API.
    pub code: String,
    /// The message for people.
    pub message: String,
}

impl AccessDecision {
    /// Returns the decision of an evaluation. `decision_id` is the ID under which it was recorded.
    pub fn new(result: EvaluationResult, decision_id: Option<DecisionId>) -> Self {
        let EvaluationResult { decision: verdict, violations, .. } = result;
        let decision = matches!(verdict, Verdict::Allow | Verdict::Alert);
        let reasons = violations.iter().filter(|violation| !violation.is_shadow);
        let reasons: Vec<&str> = reasons.map(|violation| violation.reason.as_str()).collect();
        let reason = (!decision).then(|| reasons.join("; "));
        let context = AccessDecisionContext {
            verdict: Some(verdict),
            reason,
            violations,
            decision_id,
            error: None,
        };
        Self { decision, context }
    }

    /// Returns the denial of a request that could not be evaluated.
    pub fn failed(status: u16, problem: Problem) -> Self {
        let Problem { code, message, .. } = problem;
        let error = Some(AccessError { status, code, message });
        Self { decision: false, context: AccessDecisionContext { error, ..Default::default() } }
    }
}

/// The metadata of the policy decision point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PolicyDecisionPoint {
    /// The URL of the service.
    pub policy_decision_point: String,
    /// The URL for single evaluations.
    pub access_evaluation_endpoint: String,
    /// The URL for lists of evaluations.
    pub access_evaluations_endpoint: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{json::Limits, read};

    fn parse(text: &str) -> Value {
        Value::parse(text.as_bytes(), &Limits::REQUEST).unwrap()
    }

    #[test]
    fn request_becomes_fields_and_properties_cannot_replace_entities() {
        let request: AccessRequest = read::body(&parse(
            r#"{"subject": {"type": "user", "id": "alice", "x": 1}, "y": 2,
                "action": {"name": "payment", "properties": {"soft": true}},
                "resource": {"type": "invoice", "id": "7", "properties":
                    {"amount": 12, "subject": "a", "context.ip": "b", "actions": "c", "a.b": 1}},
                "context": {"ip": "::1", "govern": {"idempotency_key": "k"}}}"#,
        ))
        .unwrap();
        assert_eq!(request.idempotency_key(), Some("k"));
        let actor = request.actor();
        assert_eq!((actor.id.as_deref(), actor.kind.as_deref()), (Some("alice"), Some("user")));
        let context = request.to_context(Some("r-1")).unwrap();
        let expected = parse(
            r#"{"decision_type": "payment", "metadata": {"correlation_id": "r-1"}, "fields": {
                "subject": {"type": "user", "id": "alice"},
                "action": {"name": "payment", "properties": {"soft": true}},
                "resource": {"type": "invoice", "id": "7", "properties":
                    {"amount": 12, "subject": "a", "context.ip": "b", "actions": "c", "a.b": 1}},
                "context": {"ip": "::1"}, "amount": 12, "actions": "c", "a.b": 1}}"#,
        );
        assert_eq!(*context.value(), expected);
    }

    #[test]
    fn evaluations_use_the_defaults_of_the_body_and_fail_separately() {
        let body = parse(
            r#"{"subject": {"type": "user", "id": "alice"}, "action": {"name": "read"},
                "options": {"evaluations_semantic": "deny_on_first_deny", "other": 1},
                "evaluations": [{"resource": {"type": "r", "id": "1"}}, {}, 7,
                    {"action": {"name": "write"}, "resource": {"type": "r", "id": "1"}}]}"#,
        );
        let result = |evaluation: &Evaluation| match evaluation {
            Ok(request) => request.action.name.clone(),
            Err(errors) => {
                let texts: Vec<_> =
                    errors.iter().map(|e| format!("{} {}", e.path, e.code)).collect();
                texts.join("; ")
            }
        };
        let read = match read::body(&body).unwrap() {
            AccessRequests::Many { evaluations, semantic } => {
                (semantic, evaluations.iter().map(result).collect::<Vec<String>>())
            }
            AccessRequests::Single(_) => (EvaluationsSemantic::ExecuteAll, Vec::new()),
        };
        let expected = ["read", "/evaluations/1/resource required", "/evaluations/2 type", "write"];
        assert_eq!(
            read,
            (EvaluationsSemantic::DenyOnFirstDeny, expected.map(str::to_owned).into())
        );
    }

    #[test]
    fn body_without_evaluations_is_a_single_request() {
        let request = r#""subject": {"type": "user", "id": "a"}, "action": {"name": "read"},
            "resource": {"type": "r", "id": "1"}"#;
        for body in [format!("{{{request}}}"), format!("{{{request}, \"evaluations\": []}}")] {
            let single = read::body::<AccessRequests>(&parse(&body)).unwrap();
            assert!(matches!(single, AccessRequests::Single(_)), "{body}");
        }
    }

    #[test]
    fn options_of_this_service_are_read_strictly() {
        let body = r#"{"subject": {"type": "user"}, "action": {"name": 1}, "resource": "r",
            "context": {"govern": {"idempotency": "k"}}}"#;
        let errors = read::body::<AccessRequest>(&parse(body)).unwrap_err();
        let errors: Vec<_> = errors.iter().map(|e| format!("{} {}", e.path, e.code)).collect();
        let expected = [
            "/subject/id required",
            "/action/name type",
            "/resource type",
            "/context/govern/idempotency unknown",
        ];
        assert_eq!(errors, expected);
    }

    #[test]
    fn defaults_that_evaluations_repeat_are_bounded_in_bytes() {
        let text = "x".repeat(900_000);
        let evaluations = vec!["{}"; 20].join(",");
        let body = format!(
            r#"{{"subject":{{"type":"user","id":"u"}},"action":{{"name":"read"}},
            "resource":{{"type":"r","id":"1"}},"context":{{"note":"{text}"}},"evaluations":[{evaluations}]}}"#
        );
        let body = read::body::<AccessRequests>(&parse(&body)).unwrap();
        let AccessRequests::Many { evaluations, .. } = body else { unreachable!("a list") };
        assert_eq!(evaluations.iter().filter(|evaluation| evaluation.is_ok()).count(), 9);
        let errors = evaluations.last().unwrap().as_ref().unwrap_err();
        let error = errors.first().unwrap();
        assert_eq!((&*error.path, &*error.code), ("/evaluations/19", "too_large"));
    }
}
