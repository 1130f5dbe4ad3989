//! Request bodies, as their readers describe them, with the words that the types say of themselves.

use std::collections::BTreeSet;

use contract::{
    alert::Acknowledgement,
    api_key::ApiKeyDraft,
    audit::AuditRange,
    capability::{CapabilityCarry, CapabilityDraft},
    decision::{BatchRequest, EvaluateRequest, RecordRequest},
    form::{FormDraft, FormPatch, FormTokenDraft, Submission},
    group::{GroupDraft, GroupPatch},
    member::{Invitation, MemberPatch, PasswordChange, ResetRequest, SetUp, UserDraft},
    outcome::OutcomeRequest,
    policy::{Empty, PolicyPatch, Ratification, ReviewDraft, Seal, WithReason},
    read::schema::{Described, describe},
    session::{Confirm, LogIn},
    settings::SettingsPatch,
    tenant::TenantDraft,
    webhook::{Redrive, SubscriptionDraft},
};
use governance::policy::authored::{Correction, Edit, NewPolicy, NewVersion};
use serde_json::{Map, Value, json};

use super::responses::{is_null, reachable, reference, target};

/// How the schema of a request is named whose response has the name already.
const SUFFIX: &str = "Draft";

/// Returns the body called `name`, as its reader describes it.
pub(super) fn described(name: &str) -> Option<Described> {
    Some(match name {
        "Acknowledgement" => describe::<Acknowledgement>(),
        "ApiKeyDraft" => describe::<ApiKeyDraft>(),
        "AuditRange" => describe::<AuditRange>(),
        "BatchRequest" => describe::<BatchRequest>(),
        "CapabilityCarry" => describe::<CapabilityCarry>(),
        "CapabilityDraft" => describe::<CapabilityDraft>(),
        "Confirm" => describe::<Confirm>(),
        "Empty" => describe::<Empty>(),
        "EvaluateRequest" => describe::<EvaluateRequest>(),
        "FormDraft" => describe::<FormDraft>(),
        "FormPatch" => describe::<FormPatch>(),
        "FormSubmission" => describe::<Submission>(),
        "FormTokenDraft" => describe::<FormTokenDraft>(),
        "GroupDraft" => describe::<GroupDraft>(),
        "GroupPatch" => describe::<GroupPatch>(),
        "Invitation" => describe::<Invitation>(),
        "LogIn" => describe::<LogIn>(),
        "MemberPatch" => describe::<MemberPatch>(),
        "OutcomeRequest" => describe::<OutcomeRequest>(),
        "PasswordChange" => describe::<PasswordChange>(),
        "PolicyDraft" => describe::<NewPolicy>(),
        "PolicyPatch" => describe::<PolicyPatch>(),
        "Ratification" => describe::<Ratification>(),
        "RecordRequest" => describe::<RecordRequest>(),
        "Redrive" => describe::<Redrive>(),
        "ResetRequest" => describe::<ResetRequest>(),
        "ReviewDraft" => describe::<ReviewDraft>(),
        "Seal" => describe::<Seal>(),
        "SetUp" => describe::<SetUp>(),
        "SettingsPatch" => describe::<SettingsPatch>(),
        "SubscriptionDraft" => describe::<SubscriptionDraft>(),
        "SupersedeDraft" => describe::<Correction>(),
        "TenantDraft" => describe::<TenantDraft>(),
        "UserDraft" => describe::<UserDraft>(),
        "VersionDraft" => describe::<NewVersion>(),
        "VersionPatch" => describe::<Edit>(),
        "WithReason" => describe::<WithReason>(),
        _ => return None,
    })
}

/// Puts the described bodies into the document, and removes the components that only they used.
pub(super) fn apply(document: &mut Value) {
    let answered = reachable(document, "responses");
    let mut bodies = BTreeSet::new();
    for (_, operation) in methods_mut(document) {
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            bodies.insert(name.to_owned());
        }
    }
    let old = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
    let mut requests = Requests { old: &old, answered: &answered, made: Map::new() };
    for name in &bodies {
        let Some(Described { schema, named }) = described(name) else { continue };
        for (part, schema) in named {
            let schema = serde_json::to_value(schema).unwrap_or_default();
            let schema = requests.documented(schema, part.strip_suffix(SUFFIX).unwrap_or(part));
            requests.made.insert(part.to_owned(), schema);
        }
        let schema = serde_json::to_value(schema).unwrap_or_default();
        let schema = requests.documented(schema, name);
        requests.made.insert(name.clone(), schema);
    }
    let made = requests.made;
    for (method, operation) in methods_mut(document) {
        let reference = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        let name = reference.as_str().and_then(|path| path.rsplit('/').next());
        if let Some(schema) = name.and_then(|name| made.get(name)) {
            let needs = |schema: &Value| schema["required"].is_array();
            let alternatives = schema["oneOf"].as_array().into_iter().flatten();
            let is_required =
                method != "post" || needs(schema) || alternatives.into_iter().any(needs);
            operation["requestBody"]["required"] = is_required.into();
        }
    }
    let mut components = old.clone();
    components.retain(|name, _| answered.contains(name));
    components.extend(made);
    document["components"]["schemas"] = components.into();
}

/// The operations of the document with their methods.
fn methods_mut(document: &mut Value) -> impl Iterator<Item = (&String, &mut Value)> {
    let items = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    items.filter_map(Value::as_object_mut).flatten()
}

/// Components of requests while they are made.
struct Requests<'d> {
    /// The components as the types describe themselves.
    old: &'d Map<String, Value>,
    /// Those that answers use.
    answered: &'d BTreeSet<String>,
    made: Map<String, Value>,
}

impl Requests<'_> {
    /// The schema of an object with the descriptions of the type called `name`.
    fn documented(&mut self, mut schema: Value, name: &str) -> Value {
        let described = self.old.get(name).cloned().unwrap_or_default();
        for word in ["oneOf", "anyOf"] {
            for shape in schema.get_mut(word).and_then(Value::as_array_mut).into_iter().flatten() {
                self.members(shape, &described["properties"]);
            }
        }
        self.members(&mut schema, &described["properties"]);
        if let Some(words) = described["description"].as_str() {
            schema["description"] = words.into();
        }
        schema
    }

    fn members(&mut self, schema: &mut Value, described: &Value) {
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        for (name, member) in properties.into_iter().flatten() {
            let said = &described[name];
            *member = self.member(std::mem::take(member), said);
        }
    }

    /// The schema of a member, which the type describes as `said`.
    fn member(&mut self, schema: Value, said: &Value) -> Value {
        let words = text_of(said);
        let (inner, is_nullable) = without_null(schema);
        let inner = match target(said) {
            Some(target) if inner["type"] == "array" => {
                let mut list = inner;
                list["items"] = self.part(list["items"].take(), &target);
                list
            }
            Some(target) => self.part(inner, &target),
            None => inner,
        };
        let mut schema = if is_nullable { with_null(inner) } else { inner };
        if let (Some(words), Some(members)) = (words, schema.as_object_mut()) {
            members.insert("description".to_owned(), words.into());
        }
        schema
    }

    /// An object within a request as a component, called as its type.
    fn part(&mut self, schema: Value, target: &str) -> Value {
        let shapes = schema["oneOf"].as_array();
        let is_object = schema["properties"].is_object()
            || shapes.is_some_and(|shapes| shapes.iter().all(|one| one["properties"].is_object()));
        if !is_object {
            return schema;
        }
        let suffix = if self.answered.contains(target) { SUFFIX } else { "" };
        let name = format!("{target}{suffix}");
        let schema = self.documented(schema, target);
        match self.made.get(&name) {
            Some(known) if *known != schema => schema,
            _ => {
                self.made.insert(name.clone(), schema);
                json!({"$ref": reference(&name)})
            }
        }
    }
}

/// The description of a member, its own or that of the one alternative that is not null.
fn text_of(said: &Value) -> Option<String> {
    let alternatives = said["oneOf"].as_array().into_iter().flatten();
    let mut places = std::iter::once(said).chain(alternatives);
    places.find_map(|one| one["description"].as_str().map(str::to_owned))
}

/// A schema without `null`, and whether it took it.
fn without_null(mut schema: Value) -> (Value, bool) {
    if schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "null")) {
        let kind = schema["type"].as_array().and_then(|kinds| kinds.first()).cloned();
        if let Some(kind) = kind.filter(|kind| kind == "array" || kind == "object") {
            schema["type"] = kind;
            return (schema, true);
        }
        return (schema, false);
    }
    let Some(alternatives) = schema["anyOf"].as_array() else { return (schema, false) };
    match alternatives.as_slice() {
        [inner, null] if is_null(null) => (inner.clone(), true),
        _ => (schema, false),
    }
}

/// A schema that takes `null` too.
fn with_null(schema: Value) -> Value {
    match schema["type"].as_str() {
        Some(kind) => {
            let kinds = json!([kind, "null"]);
            let mut schema = schema;
            schema["type"] = kinds;
            schema
        }
        None => json!({"anyOf": [schema, {"type": "null"}]}),
    }
}
