//! The `OpenAPI` document: the descriptions of the handlers, completed with the parts that all operations
//! share.

mod example;
mod parameters;
mod requests;
mod responses;

pub(crate) use self::parameters::TENANT;

use contract::error::ErrorCode;
use governance::access::permission::Permission;
use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi;

use crate::api::{Access, Route, openapi_path};

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
        complete_operation(&mut document["paths"][&route.path][method], route);
    }
    requests::apply(&mut document);
    responses::apply(&mut document);
    let tags = TAGS.map(|(name, description)| json!({"name": name, "description": description}));
    document["tags"] = tags.into_iter().collect();
    document
}

/// Completes an operation with the parts that all routes of its kind share.
fn complete_operation(operation: &mut Value, route: &Route) {
    operation["operationId"] = operation_id(route).into();
    let (access, security) = match route.access {
        Access::Public => ("No authentication is required.".to_owned(), json!([])),
        Access::Guarded(permission) => (permission_text(permission), credentials(permission)),
    };
    if route.path.starts_with("/v1/session") {
        operation["security"] = session_security(route);
    } else if operation.get("security").is_none() {
        operation["security"] = security;
    }
    parameters::apply(operation, route);
    let description =
        operation["description"].as_str().map(|description| format!("{description}\n\n"));
    operation["description"] = format!("{}{access}", description.unwrap_or_default()).into();
    if let Some(content) = operation.pointer_mut("/requestBody/content/application~1json") {
        let has_no_members = content["schema"]["$ref"] == "#/components/schemas/EmptyBody";
        let example = has_no_members.then(|| json!({})).or_else(|| example::body(route));
        content["example"] = example.unwrap_or_default();
    }
    let allows_anonymous = operation["security"]
        .as_array()
        .is_some_and(|schemes| schemes.is_empty() || schemes.contains(&json!({})));
    if let Some(responses) = operation["responses"].as_object_mut() {
        add_common_errors(responses, route, allows_anonymous);
        for (status, response) in responses.iter_mut() {
            complete_response(response, status);
        }
    }
}

/// Returns the operation ID, such as `postPoliciesVersionsSubmit`: the method, then the words of the path. A
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
        (
            "POST",
            "/v1/session" | "/v1/session/passkey" | "/v1/session/reset" | "/v1/session/setup",
        ) => json!([]),
        ("POST", "/v1/session/passkey-options") | ("DELETE", "/v1/session") => {
            json!([{"session": []}, {}])
        }
        _ => json!([{"session": []}]),
    }
}

/// Adds the errors that many routes can return. A handler describes an error only if its codes differ or need
/// an explanation.
fn add_common_errors(responses: &mut Map<String, Value>, route: &Route, allows_anonymous: bool) {
    let mut add = |status: &str, description: &str| {
        let body =
            json!({"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}});
        let response = json!({"description": description, "content": body});
        responses.entry(status).or_insert(response);
    };
    if matches!(route.access, Access::Guarded(_)) {
        add("400", "`MISSING_TENANT_ID`, `INVALID_TENANT_ID`");
        add("403", "`FORBIDDEN`, `INSUFFICIENT_SCOPE`, `HUMAN_REQUIRED`");
    }
    if route.path.starts_with("/v1/session") && route.method != "GET" {
        add(
            "403",
            "`FORBIDDEN`: a page of another site sent the request, or a program sent a cookie without the tenant header",
        );
    }
    if !allows_anonymous {
        add("401", "`UNAUTHORIZED`");
    }
    if route.path.contains('{') {
        add("404", "`NOT_FOUND`");
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
fn complete_response(response: &mut Value, status: &str) {
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
