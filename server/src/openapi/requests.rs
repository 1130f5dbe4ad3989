//! Request bodies: schemas from their readers, with the descriptions of their types.

use std::collections::BTreeSet;

use contract::{
    alert::{AcknowledgeRequest, AssignRequest, SnoozeRequest},
    api_key::ApiKeyDraft,
    audit::AuditRange,
    capability::{CapabilityCarry, CapabilityDraft},
    cli_login::{CodeExchange, KeySurrender},
    decision::{BatchRequest, EvaluateRequest, RecordRequest},
    form::{FormDraft, FormPatch, FormSubmission, FormTokenDraft},
    group::{GroupDraft, GroupPatch},
    identity_provider::{IdentityProviderDraft, IdentityProviderPatch},
    member::{AccountSetup, Invitation, MemberPatch, PasswordChange, ResetRequest, UserDraft},
    outcome::OutcomeRequest,
    policy::{
        CommentDraft, EmptyBody, PolicyPatch, Ratification, ReasonBody, ReviewDraft, SealRequest,
    },
    read::schema::{RequestSchema, describe},
    second_factor::{
        PasskeyDraft, PasskeyOptionsRequest, PasskeyPatch, PasskeySignIn, SecondFactorRequest,
        TotpConfirmation,
    },
    session::{ReauthenticationRequest, SignInRequest},
    settings::SettingsPatch,
    tenant::TenantDraft,
    webhook::{RedriveRequest, SubscriptionDraft},
};
use governance::authoring::policy::rule_input::{
    NewPolicy, NewVersion, SupersedeInput, VersionEdit,
};
use serde_json::{Map, Value, json};

use super::responses::{is_null, reachable_components, reference, target};

/// The suffix of a request schema whose name is already used by a response schema.
const SUFFIX: &str = "Draft";

/// Returns the schema of the request body `name`, as its reader describes it.
pub(super) fn describe_body(name: &str) -> Option<RequestSchema> {
    Some(match name {
        "AcknowledgeRequest" => describe::<AcknowledgeRequest>(),
        "ApiKeyDraft" => describe::<ApiKeyDraft>(),
        "AssignRequest" => describe::<AssignRequest>(),
        "AuditRange" => describe::<AuditRange>(),
        "BatchRequest" => describe::<BatchRequest>(),
        "CapabilityCarry" => describe::<CapabilityCarry>(),
        "CapabilityDraft" => describe::<CapabilityDraft>(),
        "CodeExchange" => describe::<CodeExchange>(),
        "CommentDraft" => describe::<CommentDraft>(),
        "ReauthenticationRequest" => describe::<ReauthenticationRequest>(),
        "EmptyBody" => describe::<EmptyBody>(),
        "EvaluateRequest" => describe::<EvaluateRequest>(),
        "FormDraft" => describe::<FormDraft>(),
        "FormPatch" => describe::<FormPatch>(),
        "FormSubmission" => describe::<FormSubmission>(),
        "FormTokenDraft" => describe::<FormTokenDraft>(),
        "GroupDraft" => describe::<GroupDraft>(),
        "GroupPatch" => describe::<GroupPatch>(),
        "IdentityProviderDraft" => describe::<IdentityProviderDraft>(),
        "IdentityProviderPatch" => describe::<IdentityProviderPatch>(),
        "Invitation" => describe::<Invitation>(),
        "KeySurrender" => describe::<KeySurrender>(),
        "SignInRequest" => describe::<SignInRequest>(),
        "MemberPatch" => describe::<MemberPatch>(),
        "OutcomeRequest" => describe::<OutcomeRequest>(),
        "PasskeyDraft" => describe::<PasskeyDraft>(),
        "PasskeyOptionsRequest" => describe::<PasskeyOptionsRequest>(),
        "PasskeyPatch" => describe::<PasskeyPatch>(),
        "PasskeySignIn" => describe::<PasskeySignIn>(),
        "PasswordChange" => describe::<PasswordChange>(),
        "PolicyDraft" => describe::<NewPolicy>(),
        "PolicyPatch" => describe::<PolicyPatch>(),
        "Ratification" => describe::<Ratification>(),
        "RecordRequest" => describe::<RecordRequest>(),
        "RedriveRequest" => describe::<RedriveRequest>(),
        "ResetRequest" => describe::<ResetRequest>(),
        "ReviewDraft" => describe::<ReviewDraft>(),
        "SecondFactorRequest" => describe::<SecondFactorRequest>(),
        "SealRequest" => describe::<SealRequest>(),
        "AccountSetup" => describe::<AccountSetup>(),
        "SettingsPatch" => describe::<SettingsPatch>(),
        "SnoozeRequest" => describe::<SnoozeRequest>(),
        "SubscriptionDraft" => describe::<SubscriptionDraft>(),
        "SupersedeDraft" => describe::<SupersedeInput>(),
        "TenantDraft" => describe::<TenantDraft>(),
        "TotpConfirmation" => describe::<TotpConfirmation>(),
        "UserDraft" => describe::<UserDraft>(),
        "VersionDraft" => describe::<NewVersion>(),
        "VersionPatch" => describe::<VersionEdit>(),
        "ReasonBody" => describe::<ReasonBody>(),
        _ => return None,
    })
}

/// Replaces the schemas of request bodies in the document, and removes components that only the old ones
/// used.
pub(super) fn apply(document: &mut Value) {
    let response_components = reachable_components(document, "responses");
    let mut bodies = BTreeSet::new();
    for (_, operation) in methods_mut(document) {
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            bodies.insert(name.to_owned());
        }
    }
    let old = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
    let mut requests =
        Requests { old: &old, response_components: &response_components, created: Map::new() };
    for name in &bodies {
        let Some(RequestSchema { schema, named }) = describe_body(name) else { continue };
        for (component, schema) in named {
            let schema = serde_json::to_value(schema).unwrap_or_default();
            let schema = requests
                .with_descriptions(schema, component.strip_suffix(SUFFIX).unwrap_or(component));
            requests.created.insert(component.to_owned(), schema);
        }
        let schema = serde_json::to_value(schema).unwrap_or_default();
        let schema = requests.with_descriptions(schema, name);
        requests.created.insert(name.clone(), schema);
    }
    let created = requests.created;
    for (method, operation) in methods_mut(document) {
        let reference = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        let name = reference.as_str().and_then(|path| path.rsplit('/').next());
        if let Some(schema) = name.and_then(|name| created.get(name)) {
            let has_required = |schema: &Value| schema["required"].is_array();
            let is_required = method != "post"
                || has_required(schema)
                || schema["oneOf"].as_array().into_iter().flatten().any(has_required);
            operation["requestBody"]["required"] = is_required.into();
        }
    }
    let mut components = old.clone();
    components.retain(|name, _| response_components.contains(name));
    components.extend(created);
    document["components"]["schemas"] = components.into();
}

/// Iterates over the operations of the document with their methods.
fn methods_mut(document: &mut Value) -> impl Iterator<Item = (&String, &mut Value)> {
    let items = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    items.filter_map(Value::as_object_mut).flatten()
}

/// Builder for the components of requests.
struct Requests<'d> {
    /// The components that the types generate.
    old: &'d Map<String, Value>,
    /// The names of the components that responses use.
    response_components: &'d BTreeSet<String>,
    created: Map<String, Value>,
}

impl Requests<'_> {
    /// Returns the schema of an object with the descriptions of the type `name`.
    fn with_descriptions(&mut self, mut schema: Value, name: &str) -> Value {
        let described = self.old.get(name).cloned().unwrap_or_default();
        for keyword in ["oneOf", "anyOf"] {
            for shape in schema.get_mut(keyword).and_then(Value::as_array_mut).into_iter().flatten()
            {
                self.members(shape, &described["properties"]);
            }
        }
        self.members(&mut schema, &described["properties"]);
        if let Some(description) = described["description"].as_str() {
            schema["description"] = description.into();
        }
        schema
    }

    fn members(&mut self, schema: &mut Value, described: &Value) {
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        for (name, member) in properties.into_iter().flatten() {
            let source = &described[name];
            *member = self.member(std::mem::take(member), source);
        }
    }

    /// Returns the schema of a member with the description of `source`, the same member in the generated
    /// type.
    fn member(&mut self, schema: Value, source: &Value) -> Value {
        let description = description_of(source);
        let (inner, is_nullable) = without_null(schema);
        let inner = match target(source) {
            Some(target) if inner["type"] == "array" => {
                let mut list = inner;
                list["items"] = self.component(list["items"].take(), &target);
                list
            }
            Some(target) => self.component(inner, &target),
            None => inner,
        };
        let mut schema = if is_nullable { with_null(inner) } else { inner };
        if let (Some(description), Some(members)) = (description, schema.as_object_mut()) {
            members.insert("description".to_owned(), description.into());
        }
        schema
    }

    /// Stores an object within a request as a component with the name of its type, and returns a reference.
    fn component(&mut self, schema: Value, target: &str) -> Value {
        let shapes = schema["oneOf"].as_array();
        let is_object = schema["properties"].is_object()
            || shapes
                .is_some_and(|shapes| shapes.iter().all(|shape| shape["properties"].is_object()));
        if !is_object {
            return schema;
        }
        let suffix = if self.response_components.contains(target) { SUFFIX } else { "" };
        let name = format!("{target}{suffix}");
        let schema = self.with_descriptions(schema, target);
        match self.created.get(&name) {
            Some(existing) if *existing != schema => schema,
            _ => {
                self.created.insert(name.clone(), schema);
                json!({"$ref": reference(&name)})
            }
        }
    }
}

/// Returns the description of a member, or else the first one of its alternatives.
fn description_of(source: &Value) -> Option<String> {
    let alternatives = source["oneOf"].as_array().into_iter().flatten();
    let mut candidates = std::iter::once(source).chain(alternatives);
    candidates.find_map(|candidate| candidate["description"].as_str().map(str::to_owned))
}

/// Returns a schema without `null`, and whether it accepted `null`.
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

/// Returns a schema that also accepts `null`.
fn with_null(mut schema: Value) -> Value {
    let Some(kind) = schema["type"].as_str() else {
        return json!({"anyOf": [schema, {"type": "null"}]});
    };
    schema["type"] = json!([kind, "null"]);
    schema
}
