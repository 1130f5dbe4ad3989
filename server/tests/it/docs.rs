//! API reference: the `OpenAPI` document is complete and its page is self-contained.

use std::collections::BTreeSet;

use serde_json::Value;
use server::router::{self, endpoints};

use crate::{
    client::text,
    described::resolve,
    routes::{Ids, path},
    service::test_service,
};

/// Returns each operation of the document with its method and path.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().expect("a map of paths");
    let all = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().expect("a map of methods").iter();
        methods.map(move |(method, operation)| {
            (format!("{} {path}", method.to_uppercase()), operation)
        })
    });
    all.collect()
}

#[test]
fn every_operation_documents_its_purpose_security_and_responses() {
    let document = router::document();
    let mut ids = BTreeSet::new();
    for (name, operation) in operations(&document) {
        assert!(
            ids.insert(text(&operation["operationId"])),
            "{name}: {}",
            operation["operationId"]
        );
        assert!(!text(&operation["summary"]).is_empty(), "{name}");
        assert!(!text(&operation["description"]).is_empty(), "{name}");
        assert!(operation["security"].is_array(), "{name}");
        for (status, response) in operation["responses"].as_object().expect("a map of responses") {
            let response = resolve(&document, response);
            assert!(!text(&response["description"]).is_empty(), "{name} {status}");
            for header in ["x-correlation-id", "rate-limit-limit"] {
                assert!(response["headers"][header].is_object(), "{name} {status} {header}");
            }
        }
        let too_many = resolve(&document, &operation["responses"]["429"]);
        assert!(too_many["headers"]["retry-after"].is_object(), "{name}");
    }
}

#[test]
fn every_tag_is_described_and_used() {
    let document = router::document();
    let tags = document["tags"].as_array().expect("a list of tags");
    let described: BTreeSet<&str> = tags.iter().map(|tag| text(&tag["name"])).collect();
    assert_eq!(described.len(), tags.len(), "two descriptions of a tag");
    assert!(tags.iter().all(|tag| !text(&tag["description"]).is_empty()), "{tags:?}");
    let operations = operations(&document);
    let used: BTreeSet<&str> = operations
        .iter()
        .flat_map(|(_, operation)| operation["tags"].as_array().expect("a list of tags"))
        .map(text)
        .collect();
    assert_eq!(used, described);
    // The anchors of the reference page are the names.
    let is_anchor = |name: &str| name.bytes().all(|c| c.is_ascii_lowercase() || c == b'-');
    assert!(used.iter().all(|name| is_anchor(name)), "{used:?}");
}

#[tokio::test]
async fn every_example_body_is_valid_for_its_route() {
    let service = test_service().await;
    let admin = service.admin().await;
    let document = router::document();
    let mut examples = 0;
    for route in endpoints() {
        let operation = &document["paths"][route.path][route.method.to_lowercase()];
        let body = &operation["requestBody"]["content"]["application/json"];
        if body.is_null() {
            continue;
        }
        let example = &body["example"];
        assert!(!example.is_null(), "{route:?} has no example of its body");
        let errors = match route.path {
            // A new passkey answers a challenge, and a range names existing events, so no example can be valid.
            "/v1/session/passkeys" => "/credential challenge\n",
            "/v1/audit-log/verify" => "/to_seq range\n",
            _ => "",
        };
        if !errors.is_empty() {
            let response = service.admin().await.post(route.path, example).await;
            assert_eq!(response.field_errors(), errors);
            continue;
        }
        let call = admin.without_session().call(route.method, path(&route, &Ids::missing()));
        let response = call.json(example).await;
        assert!(![400, 415, 422].contains(&response.status), "{route:?}: {}", response.text);
        examples += 1;
    }
    assert!(examples > 10, "{examples}");
}

/// Returns the object schemas of a schema: its alternatives, or the schema itself.
fn object_schemas(schema: &Value) -> Vec<&Value> {
    let lists = ["oneOf", "anyOf"].into_iter().filter_map(|keyword| schema[keyword].as_array());
    let alternatives: Vec<&Value> = lists.flatten().collect();
    if alternatives.is_empty() { vec![schema] } else { alternatives }
}

#[test]
fn every_request_body_has_a_closed_schema() {
    let document = router::document();
    let mut bodies = 0;
    for (name, operation) in operations(&document) {
        let body = &operation["requestBody"];
        if body.is_null() {
            continue;
        }
        bodies += 1;
        let path = text(&body["content"]["application/json"]["schema"]["$ref"]);
        let schema = document.pointer(path.trim_start_matches('#')).expect("a component");
        for object in object_schemas(schema) {
            assert_eq!(object["additionalProperties"], false, "{name}: {path}");
            assert!(object["properties"].is_object(), "{name}: {path}");
        }
    }
    assert!(bodies > 35, "{bodies}");
}

/// Adds the nullable members of a schema, and of the components to which it refers.
fn add_nullable_members(
    document: &Value,
    schema: &Value,
    at: &str,
    seen: &mut BTreeSet<String>,
    nullable: &mut BTreeSet<String>,
) {
    let mut kinds = schema["type"].as_array().into_iter().flatten();
    if schema["type"] == "null" || kinds.any(|kind| kind == "null") {
        nullable.insert(at.to_owned());
    }
    let path = schema["$ref"].as_str().unwrap_or_default();
    if let Some(name) = path.strip_prefix("#/components/schemas/")
        && seen.insert(name.to_owned())
    {
        let component = &document["components"]["schemas"][name];
        add_nullable_members(document, component, name, seen, nullable);
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        add_nullable_members(document, member, &format!("{at}.{name}"), seen, nullable);
    }
    let members = schema.as_object().into_iter().flatten();
    let members = members.filter(|(name, _)| *name != "properties").map(|(_, member)| member);
    for part in members.chain(schema.as_array().into_iter().flatten()) {
        add_nullable_members(document, part, at, seen, nullable);
    }
}

/// Returns the nullable members of the components that responses use.
fn nullable_members(document: &Value) -> BTreeSet<String> {
    let (mut seen, mut nullable) = (BTreeSet::new(), BTreeSet::new());
    for (_, operation) in operations(document) {
        for response in operation["responses"].as_object().into_iter().flat_map(|all| all.values())
        {
            let response = resolve(document, response);
            add_nullable_members(document, response, "response", &mut seen, &mut nullable);
        }
    }
    nullable
}

#[test]
fn only_the_listed_response_members_are_nullable() {
    let nullable = nullable_members(&router::document());
    let (pages, others): (Vec<_>, Vec<_>) =
        nullable.iter().map(String::as_str).partition(|name| name.starts_with("Page"));
    assert!(pages.iter().all(|page| page.ends_with(".next_cursor")), "{pages:?}");
    assert_eq!(
        others,
        [
            "ApiKey.created_by",
            "ApiKey.expires_at",
            "ApiKey.last_used_at",
            "ApiKey.revoked_at",
            "ApiKey.revoked_by",
            "ChainSeal.transparency_anchor",
            "ChainVerification.seal",
            "PolicyApproval.transparency_anchor",
            "Receipt.transparency_anchor",
        ]
    );
}

#[test]
fn enum_values_use_the_wire_spelling() {
    let document = router::document();
    let schemas = document["components"]["schemas"].as_object().expect("there are schemas");
    for (name, schema) in schemas {
        let values = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for value in values {
            // The name of a Rust variant, such as `PoliciesRead`, is neither.
            let is_wire_name = value == value.to_lowercase() || value == value.to_uppercase();
            assert!(is_wire_name, "{name}: `{value}`");
        }
    }
}

#[tokio::test]
async fn reference_page_is_self_contained() {
    let service = test_service().await;
    let page = service.public.with("accept", "text/html").get("/docs").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = page.header("content-security-policy").expect("a page has a policy");
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    // URLs appear in examples only: the page loads and links none.
    for inline in ["<script>", "<style", " style=", "onclick", "=\"https://", "url(https://"] {
        assert!(!page.text.contains(inline), "{inline}");
    }
    let document = service.public.get("/openapi.json").await.expect(200);
    for (name, operation) in operations(&document) {
        let id = text(&operation["operationId"]);
        assert!(page.text.contains(&format!("<article id=\"{id}\"")), "{name}");
        assert!(page.text.contains(&format!("href=\"#{id}\"")), "{name}");
    }
    for (name, _) in document["components"]["schemas"].as_object().expect("schemas") {
        assert!(page.text.contains(&format!("<article id=\"schema-{name}\"")), "{name}");
    }
    // Shared parameters have their names.
    assert!(!page.text.contains("<code></code>"));
    // Every link within the page has a target.
    for link in page.text.split("href=\"#").skip(1) {
        let target = link.split('"').next().unwrap_or_default();
        assert!(page.text.contains(&format!("id=\"{target}\"")), "{target}");
    }
    for (file, kind) in [("docs.css", "text/css"), ("docs.js", "text/javascript")] {
        let file = service.public.get(format!("/docs/{file}")).await;
        assert_eq!(file.status, 200);
        assert!(
            file.header("content-type").is_some_and(|content_type| content_type.starts_with(kind)),
            "{file:?}"
        );
    }
    assert_eq!(service.public.get("/docs/other.js").await.to_string(), "404 NOT_FOUND");
}
