//! The `OpenAPI` document: the descriptions of the handlers, completed with what all operations have in
//! common.

mod example;
mod parameters;
mod requests;
mod responses;

pub(crate) use self::parameters::TENANT;

use std::collections::BTreeSet;

use contract::error::ErrorCode;
use governance::access::permission::{PROVISION, Permission};
use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi;

use crate::router::{Access, Route, openapi_path};

/// The tags of the API, in an order for newcomers.
const TAGS: &[(&str, &str)] = &[
    ("decisions", "Ask for a verdict, or record one for good."),
    ("verification", "Check what was recorded. No key is needed: the id is the capability."),
    ("policies", "Policies, and the versions of their rules from draft to decommission."),
    ("reviews", "What was sealed for people to judge, and what they found."),
    ("policy-groups", "Policies that are asked together."),
    ("authoring", "Grants for programs that write one version of one policy."),
    ("chains", "Decisions that belong together, in order."),
    ("forms", "Structured decisions by people, also by those who have no account."),
    ("alerts", "What needs attention, and where it is delivered."),
    ("audit", "Who did what, in a log that shows tampering."),
    ("administration", "Members, API keys and settings."),
    ("session", "People who sign in."),
    ("infrastructure", "Whether the service is alive and ready."),
];

const INTRODUCTION: &str = "\
Decides on contexts against policies that people approved, and proves it afterwards.

**Who is calling.** A program sends `Authorization: Bearer svc_…` and `X-Service-Tenant-Id`; a person's \
browser sends the cookie of `POST /v1/session` and the same tenant header. The tenant header is checked \
first, then the credentials, then whether they belong to the tenant, then the scope or role.

**Requests** are JSON and read strictly: unknown members, unknown or repeated query parameters and \
duplicate keys are refused, with every fault of a body at once. A `POST` whose members are all optional \
needs no body. `null` for an optional member means that it is absent, but within `context`, where it is a \
value; in a `PATCH` it clears a member that may be absent, and is refused elsewhere.

**Errors** have one form: `error.code` for programs, `error.message` for people, `error.details` where \
there are facts, and the `correlation_id` that is also in the header `x-correlation-id` of every answer.

**Limits.** Every answer says in `rate-limit-limit`, `rate-limit-remaining` and `rate-limit-reset` what \
may still be sent. 429 and 503 say in `Retry-After` how long to wait, except where a form has \
used up a budget that never refills.

**Lists** are newest first: `limit` (1 to 200) and `cursor`, which is the `next_cursor` of the page before.";

/// Completes the generated document of `routes`.
pub(crate) fn complete_document(generated: &OpenApi, routes: &[Route]) -> Value {
    let mut document = serde_json::to_value(generated).unwrap_or_default();
    document["info"]["description"] = INTRODUCTION.into();
    document["servers"] = json!([{"url": "/", "description": "This service"}]);
    document["components"]["headers"] = headers();
    document["components"]["schemas"]["Problem"]["properties"]["code"]["enum"] =
        ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    let paths = document["paths"].as_object_mut().map(std::mem::take).unwrap_or_default();
    document["paths"] = paths.into_iter().map(|(path, item)| (openapi_path(&path), item)).collect();
    for route in routes {
        let method = route.method.to_lowercase();
        operation(&mut document["paths"][&route.path][method], route);
    }
    requests::apply(&mut document);
    responses::apply(&mut document);
    let used = used_tags(&document);
    let known = TAGS.iter().filter(|(name, _)| used.contains(*name));
    let tags = known.map(|(name, description)| json!({"name": name, "description": description}));
    let is_new = |name: &&String| TAGS.iter().all(|(tag, _)| tag != name);
    let others = used.iter().filter(is_new).map(|name| json!({"name": name}));
    document["tags"] = tags.chain(others).collect();
    document
}

fn used_tags(document: &Value) -> BTreeSet<String> {
    let items = document["paths"].as_object().into_iter().flat_map(Map::values);
    let operations = items.filter_map(Value::as_object).flat_map(Map::values);
    operations.filter_map(|operation| operation["tags"][0].as_str().map(str::to_owned)).collect()
}

/// Completes an operation with what its kind of route has in common.
fn operation(operation: &mut Value, route: &Route) {
    operation["operationId"] = operation_id(route).into();
    let (access, security) = match route.access {
        Access::Public => ("Anyone may call it.".to_owned(), json!([])),
        Access::Guarded(permission) => (permission_text(permission), credentials(permission)),
    };
    if route.path.starts_with("/v1/session") {
        operation["security"] = session_security(route);
    } else if operation.get("security").is_none() {
        operation["security"] = security;
    }
    parameters::apply(&route.path, operation);
    if matches!(route.access, Access::Guarded(permission) if permission != PROVISION) {
        match operation.get_mut("parameters").and_then(Value::as_array_mut) {
            Some(parameters) => parameters.push(parameters::tenant()),
            None => operation["parameters"] = json!([parameters::tenant()]),
        }
    }
    let description =
        operation["description"].as_str().map(|description| format!("{description}\n\n"));
    operation["description"] = format!("{}{access}", description.unwrap_or_default()).into();
    if let Some(content) = operation.pointer_mut("/requestBody/content/application~1json") {
        let has_no_members = content["schema"]["$ref"] == "#/components/schemas/Empty";
        let example = has_no_members.then(|| json!({})).or_else(|| example::body(route));
        content["example"] = example.unwrap_or_default();
    }
    if let Some(responses) = operation["responses"].as_object_mut() {
        add_early_errors(responses, route);
        for (status, response) in responses.iter_mut() {
            complete(response, status);
        }
    }
}

/// Returns the operation id, such as `postPoliciesVersionsSubmit`: the method, then the words of the path. A
/// parameter at the end becomes `By…`.
fn operation_id(route: &Route) -> String {
    if route.path == "/v1/alerts/acknowledge" {
        // Without the parameter, the words would equal those of a single alert.
        return "postAlertsAcknowledgeMany".to_owned();
    }
    if route.path == "/v1/decisions/dryRun" {
        // The words would equal those of `dry-run`.
        return "postDecisionsDryRunCamelCase".to_owned();
    }
    let segments: Vec<&str> = route.path.split('/').skip(2).collect();
    let mut id = route.method.to_lowercase();
    for (index, segment) in segments.iter().enumerate() {
        let parameter = segment.strip_prefix('{').map(|name| name.trim_end_matches('}'));
        let is_last = index + 1 == segments.len();
        let words = match parameter {
            Some(name) if is_last => format!("by-{name}"),
            Some(_) => continue,
            None => (*segment).to_owned(),
        };
        for word in words.split(['-', '_', '.']).filter(|word| !word.is_empty()) {
            let (first, rest) = word.split_at(1);
            id.push_str(&first.to_uppercase());
            id.push_str(rest);
        }
    }
    id
}

/// Describes who may call an operation.
fn permission_text(permission: Permission) -> String {
    let actions = action_list(permission);
    if permission.requires_capability() {
        let text = "Only a key that carries an authoring capability may call it";
        return actions.map_or(format!("{text}."), |actions| format!("{text}, with {actions}."));
    }
    let Some(scopes) = permission.scopes else {
        let recent = if permission.signs { ", who has signed in within 15 minutes" } else { "" };
        return format!("Only a person may do this{recent}; a key gets 403 `HUMAN_REQUIRED`.");
    };
    let scopes: Vec<String> = scopes.iter().map(|scope| format!("`{}`", scope.as_str())).collect();
    let capability = actions.map(|actions| format!(", or an authoring capability with {actions}"));
    let (scopes, capability) = (scopes.join(" and "), capability.unwrap_or_default());
    format!("A key needs the scope {scopes}{capability}; a person, a role that may.")
}

/// Lists the actions of a capability that permit an operation.
fn action_list(permission: Permission) -> Option<String> {
    let actions = permission.actions.filter(|actions| !actions.is_empty())?;
    let actions: Vec<String> = actions.iter().map(|action| format!("`{action}`")).collect();
    Some(actions.join(" and "))
}

fn credentials(permission: Permission) -> Value {
    let with = |credential: &str| json!({credential: []});
    match permission.scopes {
        Some(_) if permission.requires_capability() => json!([with("api_key")]),
        Some(_) => json!([with("api_key"), with("session")]),
        None => json!([with("session")]),
    }
}

/// Returns the security requirements of the session routes.
fn session_security(route: &Route) -> Value {
    match (route.method.as_str(), route.path.as_str()) {
        ("POST", "/v1/session" | "/v1/session/setup" | "/v1/session/reset") => json!([]),
        ("DELETE", "/v1/session") => json!([{"session": []}, {}]),
        _ => json!([{"session": []}]),
    }
}

/// Adds the errors that layers before the handler can return.
fn add_early_errors(responses: &mut Map<String, Value>, route: &Route) {
    let mut add = |status: &str, description: &str| {
        let body =
            json!({"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}});
        let response = json!({"description": description, "content": body});
        responses.entry(status).or_insert(response);
    };
    if matches!(route.access, Access::Guarded(_)) {
        add("400", "`MISSING_TENANT_ID`, `INVALID_TENANT_ID`");
        add("401", "`UNAUTHORIZED`");
        add("403", "`FORBIDDEN`, `INSUFFICIENT_SCOPE`, `HUMAN_REQUIRED`");
    }
    if matches!(route.method.as_str(), "POST" | "PATCH") {
        add("413", "`PAYLOAD_TOO_LARGE`");
        add("415", "`UNSUPPORTED_MEDIA_TYPE`");
    }
    add("422", "`VALIDATION_ERROR`");
    add("429", "`TOO_MANY_REQUESTS`");
    add("503", "`SERVICE_UNAVAILABLE`");
}

/// Adds a description to a response without one, and the headers of every response.
fn complete(response: &mut Value, status: &str) {
    if response["description"].as_str().is_none_or(str::is_empty) {
        let code = ErrorCode::ALL.iter().find(|code| code.status().to_string() == status);
        let description = code.map_or("Done".to_owned(), |code| format!("`{}`", code.as_str()));
        response["description"] = description.into();
    }
    let reference = |name: &str| json!({"$ref": format!("#/components/headers/{name}")});
    for name in ["x-correlation-id", "rate-limit-limit", "rate-limit-remaining", "rate-limit-reset"]
    {
        response["headers"][name] = reference(name);
    }
    if matches!(status, "429" | "503") {
        response["headers"]["retry-after"] = reference("retry-after");
    }
    if status == "201" {
        response["headers"]["location"] = reference("location");
    }
}

/// Returns the headers that responses have in common.
fn headers() -> Value {
    let integer =
        |text: &str| json!({"description": text, "schema": {"type": "integer", "minimum": 0}});
    json!({
        "x-correlation-id": {
            "description": "The request's own, when it was well formed, else a new one.",
            "schema": {"type": "string", "pattern": "^[A-Za-z0-9._:-]{1,128}$"},
        },
        "rate-limit-limit": integer("Requests a minute."),
        "rate-limit-remaining": integer("How many of them are left."),
        "rate-limit-reset": integer("When all of them are there again, in Unix seconds."),
        "retry-after": integer("Seconds to wait."),
        "location": {
            "description": "The path of what was created.",
            "schema": {"type": "string", "format": "uri-reference"},
        },
    })
}
