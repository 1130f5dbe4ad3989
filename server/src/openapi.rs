//! The `OpenAPI` document: the descriptions of the endpoints, completed with the parts that all operations share.

mod parameters;
mod requests;
mod responses;
mod shared;

pub(crate) use self::parameters::TENANT;

use std::collections::BTreeMap;

use contract::error::{ErrorBody, ErrorCode};
use governance::access::permission::{PROVISION, Permission};
use serde_json::{Map, Value, json};

use crate::endpoint::{Access, Endpoint, Operation, endpoints, schema_path};

/// The tags of the API, in an order for newcomers.
const TAGS: [(&str, &str); 17] = [
    ("decisions", "Evaluate contexts and record decisions."),
    ("verification", "Public endpoints to verify recorded decisions. They require no credentials."),
    ("policies", "Policies, with their decisions, analytics and snapshots."),
    ("versions", "Versions of the rules of a policy, from draft to activation."),
    ("reviews", "Review submissions of policy versions, their review records, and comments."),
    ("policy-groups", "Sets of policies that requests can select."),
    ("authoring", "Authoring capabilities: API keys for work on one version of a policy."),
    ("chains", "Decision chains: ordered, linked decisions."),
    ("forms", "Hosted forms, whose submissions are recorded as decisions."),
    ("alerts", "Alerts, and their delivery to webhooks."),
    ("audit", "The audit log of all changes of a tenant."),
    ("administration", "Members of a tenant, accounts of users, and identity providers."),
    ("api-keys", "API keys, with which programs authenticate."),
    ("settings", "Governance settings of a tenant."),
    ("session", "Sign-in, and the account of the current user."),
    ("operator", "Tenants, for operators of the service."),
    ("infrastructure", "Health and readiness of the service."),
];

const INTRODUCTION: &str = "\
Evaluates contexts against approved policies, and records decisions with verifiable receipts.

**Authentication.** A program sends `Authorization: Bearer svc_…` and `X-Service-Tenant-Id`. A browser \
sends the cookie of `POST /v1/session` and the same tenant header. A request that changes something with the cookie needs \
this header also under `/v1/session`, unless it comes from a page of the service (`Sec-Fetch-Site` or `Origin`). The service checks the tenant header, the \
credentials, the tenant of the credentials, and the scope or role, in this order.

**Requests** are JSON and parsed strictly. Unknown members, unknown or repeated query parameters and \
duplicate keys are rejected. The error lists every invalid value of a body. A `POST` whose members are all optional \
needs no body. `null` for an optional member means that it is absent, except within `context`, where it is a \
value. In a `PATCH`, `null` clears a member that may be absent, and is rejected for other members.

**Errors** have one form: `error.code` is for programs, `error.message` is for people, and `error.details` \
contains details, if any. The `correlation_id` is also in the header `x-correlation-id` of every response.

**Limits.** Every response reports the quota in `rate-limit-limit`, `rate-limit-remaining` and \
`rate-limit-reset`. Responses with status 429 and 503 report the seconds to wait in `Retry-After`, except for \
a form whose budget never refills.

**Lists** are newest first. Their parameters are `limit` (1 to 200) and `cursor`, the `next_cursor` of the \
previous page.";

/// The description of the response to a client that has the current version.
const NOT_MODIFIED: &str = "Not modified: `If-None-Match` contains the current ETag";

/// Returns the document of all endpoints.
pub fn document() -> Value {
    let mut errors = Operation::default();
    errors.component::<ErrorBody>();
    let (mut paths, mut bodies, mut schemas) = (Map::new(), BTreeMap::new(), errors.schemas);
    for endpoint in endpoints() {
        let mut operation = Operation::default();
        (endpoint.describe)(&mut operation);
        schemas.append(&mut operation.schemas);
        bodies.extend(operation.body.clone());
        let method = endpoint.method.to_lowercase();
        paths.entry(endpoint.path).or_insert_with(|| json!({}))[method] =
            describe(&endpoint, operation);
    }
    let mut document = base_document();
    document["paths"] = paths.into();
    document["components"]["schemas"] = json!(schemas);
    document["components"]["schemas"]["Problem"]["properties"]["code"]["enum"] =
        ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    requests::apply(&mut document, bodies);
    responses::apply(&mut document);
    shared::apply(&mut document);
    document
}

/// Returns the document without its paths.
fn base_document() -> Value {
    let tags = TAGS.map(|(name, description)| json!({"name": name, "description": description}));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Govern",
            "version": env!("CARGO_PKG_VERSION"),
            "description": INTRODUCTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "externalDocs": {"url": "/docs/start", "description": "Concepts, guides and reference"},
        "servers": [{"url": "/", "description": "This service"}],
        "tags": tags,
        "security": [{"api_key": []}, {"session": []}],
        "components": {
            "headers": headers(),
            "securitySchemes": {
                "api_key": {"type": "http", "scheme": "bearer", "description": "An API key, `svc_…`"},
                "session": {"type": "apiKey", "in": "cookie", "name": "govern"},
            },
        },
    })
}

/// Returns the operation of an endpoint: what it says itself, and the parts that all endpoints of its kind share.
fn describe(endpoint: &Endpoint, operation: Operation) -> Value {
    let security = security(endpoint.access);
    let allows_anonymous = security.is_empty() || security.contains(&json!({}));
    let mut responses: Map<String, Value> = operation
        .responses
        .into_iter()
        .map(|(status, response)| (status.to_string(), response))
        .collect();
    add_common_errors(&mut responses, endpoint, allows_anonymous);
    for (status, response) in &mut responses {
        complete_response(response, status);
    }
    let mut value = json!({
        "tags": [endpoint.tag],
        "operationId": endpoint.id.map_or_else(|| operation_id(endpoint), str::to_owned),
        "summary": endpoint.summary,
        "description": description(endpoint),
        "security": security,
        "responses": responses,
    });
    let parameters = parameters::of(endpoint, operation.parameters);
    if !parameters.is_empty() {
        value["parameters"] = parameters.into();
    }
    if let Some((name, _)) = operation.body {
        let has_no_members = name == "EmptyBody";
        let example = if has_no_members { json!({}) } else { operation.example };
        let content = json!({"schema": {"$ref": schema_path(&name)}, "example": example});
        value["requestBody"] = json!({"content": {"application/json": content}});
    }
    value
}

/// Returns the description of an operation, with the callers that it accepts.
fn description(endpoint: &Endpoint) -> String {
    let access = match endpoint.permission() {
        Some(permission) => permission_text(permission),
        None => "No authentication is required.".to_owned(),
    };
    match endpoint.description {
        "" => access,
        description => format!("{description}\n\n{access}"),
    }
}

/// Returns the operation ID, such as `postPoliciesVersionsSubmit`: the method, then the words of the path. A
/// parameter at the end becomes `By…`.
fn operation_id(endpoint: &Endpoint) -> String {
    let segments: Vec<&str> = endpoint.path.split('/').skip(2).collect();
    let mut id = endpoint.method.to_lowercase();
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

/// Describes the callers that an operation accepts.
fn permission_text(permission: Permission) -> String {
    let actions = action_list(permission);
    if permission.requires_capability() {
        let text = "Requires an API key with an authoring capability";
        return actions.map_or(format!("{text}."), |actions| format!("{text} for {actions}."));
    }
    let Some(scopes) = permission.scopes else {
        let recent = if permission.signs {
            " whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`)"
        } else {
            ""
        };
        return format!("Requires a signed-in user{recent}. API keys get 403 `HUMAN_REQUIRED`.");
    };
    let scopes: Vec<String> = scopes.iter().map(|scope| format!("`{}`", scope.as_str())).collect();
    let capability = actions.map(|actions| format!(" or an authoring capability for {actions}"));
    let (scopes, capability) = (scopes.join(" and "), capability.unwrap_or_default());
    format!(
        "API keys require the scope {scopes}{capability}. Users require a role with the same right."
    )
}

/// Lists the actions of a capability that permit an operation.
fn action_list(permission: Permission) -> Option<String> {
    let actions = permission.actions.filter(|actions| !actions.is_empty())?;
    let actions: Vec<String> = actions.iter().map(|action| format!("`{action}`")).collect();
    Some(actions.join(" and "))
}

/// Returns the credentials that callers may use, one of which is needed.
fn security(access: Access) -> Vec<Value> {
    let with = |credential: &str| json!({credential: []});
    match access {
        Access::Public | Access::AnyOrigin | Access::SignIn => Vec::new(),
        Access::Session => vec![with("session")],
        Access::OptionalSession => vec![with("session"), json!({})],
        Access::Guarded(permission) => match permission.scopes {
            Some(_) if permission.requires_capability() || permission == PROVISION => {
                vec![with("api_key")]
            }
            Some(_) => vec![with("api_key"), with("session")],
            None => vec![with("session")],
        },
    }
}

/// Adds the errors that many endpoints can return. An endpoint describes an error only if its codes differ or need
/// an explanation.
fn add_common_errors(
    responses: &mut Map<String, Value>,
    endpoint: &Endpoint,
    allows_anonymous: bool,
) {
    let mut add = |status: &str, description: &str| {
        let body = json!({"application/json": {"schema": {"$ref": schema_path("ErrorBody")}}});
        let response = json!({"description": description, "content": body});
        responses.entry(status).or_insert(response);
    };
    if endpoint.permission().is_some() {
        add("400", "`MISSING_TENANT_ID`, `INVALID_TENANT_ID`");
        add("403", "`FORBIDDEN`, `INSUFFICIENT_SCOPE`, `HUMAN_REQUIRED`");
    }
    if endpoint.is_session() && !endpoint.is_read() {
        add(
            "403",
            "`FORBIDDEN`: a page of another site sent the request, or a program sent a cookie without the tenant header",
        );
    }
    if !allows_anonymous {
        add("401", "`UNAUTHORIZED`");
    }
    if endpoint.path.contains('{') {
        add("404", "`NOT_FOUND`");
    }
    if matches!(endpoint.method, "POST" | "PATCH") {
        add("413", "`PAYLOAD_TOO_LARGE`");
        add("415", "`UNSUPPORTED_MEDIA_TYPE`");
    }
    add("422", "`VALIDATION_ERROR`");
    add("429", "`TOO_MANY_REQUESTS`");
    add("503", "`SERVICE_UNAVAILABLE`");
}

/// Adds a description to a response without one, and the headers of every response.
fn complete_response(response: &mut Value, status: &str) {
    if response["description"].as_str().is_none_or(str::is_empty) {
        let code = ErrorCode::ALL.iter().find(|code| code.status().to_string() == status);
        let description = match code {
            Some(code) => format!("`{}`", code.as_str()),
            None if status == "304" => NOT_MODIFIED.to_owned(),
            None => "Done".to_owned(),
        };
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
            "description": "The correlation ID of the request if it is well formed, otherwise a new one.",
            "schema": {"type": "string", "pattern": "^[A-Za-z0-9._:-]{1,128}$"},
        },
        "rate-limit-limit": integer("Requests per minute."),
        "rate-limit-remaining": integer("Remaining requests in the current minute."),
        "rate-limit-reset": integer("The time at which the quota resets, in Unix seconds."),
        "retry-after": integer("Seconds until a retry is accepted."),
        "location": {
            "description": "The path of the created resource.",
            "schema": {"type": "string", "format": "uri-reference"},
        },
    })
}
