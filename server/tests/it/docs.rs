//! The API's reference: the document is complete, and people can read it.

use std::collections::BTreeSet;

use contract::scope::Scope;
use serde_json::Value;
use server::{
    config::edge::{EdgeConfig, Rates},
    router::{self, Access},
};

use crate::{
    client::text,
    routes::{Ids, path},
    service::{TestServiceBuilder, world},
};

/// Every operation of the document, with its method and path.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().expect("a map of paths");
    let all = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().expect("a map of methods").iter();
        methods.map(move |(method, says)| (format!("{} {path}", method.to_uppercase()), says))
    });
    all.collect()
}

#[test]
fn every_operation_says_what_it_does_and_who_may_call_it() {
    let document = router::document();
    let tags: Vec<&Value> = document["tags"].as_array().expect("tags").iter().collect();
    let mut ids = BTreeSet::new();
    for (name, says) in operations(&document) {
        assert!(ids.insert(text(&says["operationId"])), "{name}: {}", says["operationId"]);
        assert!(!text(&says["summary"]).is_empty(), "{name}");
        assert!(!text(&says["description"]).is_empty(), "{name}");
        assert!(says["security"].is_array(), "{name}");
        let tag = tags.iter().find(|tag| tag["name"] == says["tags"][0]);
        assert!(tag.is_some(), "{name}: {} is described nowhere", says["tags"][0]);
        for (status, answer) in says["responses"].as_object().expect("a map of answers") {
            assert!(!text(&answer["description"]).is_empty(), "{name} {status}");
            for header in ["x-correlation-id", "rate-limit-limit"] {
                assert!(answer["headers"][header].is_object(), "{name} {status} {header}");
            }
        }
        assert!(says["responses"]["429"]["headers"]["retry-after"].is_object(), "{name}");
    }
}

#[test]
fn guarded_operations_name_their_credentials() {
    let document = router::document();
    for route in router::routes() {
        let says = &document["paths"][&route.path][route.method.to_lowercase()];
        let Access::Guarded(permission) = route.access else { continue };
        let names = |index: usize| -> Vec<&String> {
            says["security"][index].as_object().into_iter().flat_map(|one| one.keys()).collect()
        };
        match permission.scopes {
            // An operator belongs to no tenant.
            Some([Scope::TenantsProvision]) => assert_eq!(names(0), ["api_key"], "{route:?}"),
            // No person carries a capability.
            Some(_) if permission.requires_capability() => {
                assert_eq!(names(0), ["api_key"], "{route:?}");
                assert_eq!(says["security"].as_array().map(Vec::len), Some(1), "{route:?}");
                assert!(text(&says["description"]).contains("authoring capability"), "{route:?}");
            }
            Some(scopes) => {
                assert_eq!(names(0), ["api_key"], "{route:?}");
                assert_eq!(names(1), ["session"], "{route:?}");
                for scope in scopes {
                    assert!(text(&says["description"]).contains(scope.as_str()), "{route:?}");
                }
            }
            None => assert_eq!(names(0), ["session"], "{route:?}"),
        }
        let parameters = says["parameters"].as_array().into_iter().flatten();
        let tenant = parameters.filter(|one| one["name"] == "X-Service-Tenant-Id");
        let is_required = tenant.map(|one| one["required"] == true).collect::<Vec<_>>();
        let is_operator = permission.scopes == Some(&[Scope::TenantsProvision]);
        assert_eq!(is_required, vec![true; usize::from(!is_operator)], "{route:?}");
    }
}

#[tokio::test]
async fn every_example_is_a_body_that_its_route_reads() {
    let world = world().await;
    let admin = world.admin().await;
    let document = router::document();
    let mut examples = 0;
    for route in router::routes() {
        let says = &document["paths"][&route.path][route.method.to_lowercase()];
        let body = &says["requestBody"]["content"]["application/json"];
        if body.is_null() {
            continue;
        }
        let example = &body["example"];
        assert!(!example.is_null(), "{route:?} shows no example of its body");
        let call = admin.apart().call(&route.method, path(&route, &Ids::missing()));
        let answer = call.json(example).await;
        assert!(![400, 415, 422].contains(&answer.status), "{route:?}: {}", answer.text);
        examples += 1;
    }
    assert!(examples > 10, "{examples}");
}

/// The objects of a schema: itself, or its shapes.
fn shapes(schema: &Value) -> Vec<&Value> {
    let shapes = ["oneOf", "anyOf"].into_iter().filter_map(|word| schema[word].as_array());
    let shapes: Vec<&Value> = shapes.flatten().collect();
    if shapes.is_empty() { vec![schema] } else { shapes }
}

#[test]
fn every_body_is_described_by_its_reader_and_closed() {
    let document = router::document();
    let mut bodies = 0;
    for (name, says) in operations(&document) {
        let body = &says["requestBody"];
        if body.is_null() {
            continue;
        }
        bodies += 1;
        let path = text(&body["content"]["application/json"]["schema"]["$ref"]);
        let schema = document.pointer(path.trim_start_matches('#')).expect("a component");
        for shape in shapes(schema) {
            assert_eq!(shape["additionalProperties"], false, "{name}: {path}");
            assert!(shape["properties"].is_object(), "{name}: {path}");
        }
    }
    assert!(bodies > 35, "{bodies}");
}

/// The members of the components that answers use and that may be `null`.
fn nullable(document: &Value) -> BTreeSet<String> {
    fn visit(
        document: &Value,
        value: &Value,
        at: &str,
        seen: &mut BTreeSet<String>,
        found: &mut BTreeSet<String>,
    ) {
        match value {
            Value::Object(members) => {
                let kinds = value["type"].as_array().into_iter().flatten();
                if value["type"] == "null" || kinds.into_iter().any(|kind| kind == "null") {
                    found.insert(at.to_owned());
                }
                let path = members.get("$ref").and_then(Value::as_str).unwrap_or_default();
                if let Some(name) = path.strip_prefix("#/components/schemas/")
                    && seen.insert(name.to_owned())
                {
                    visit(document, &document["components"]["schemas"][name], name, seen, found);
                }
                for (name, member) in members {
                    let is_member = name == "properties" || at.contains('/');
                    let at = match (is_member, at.ends_with("/properties")) {
                        (_, true) => format!("{}.{name}", at.trim_end_matches("/properties")),
                        (_, false) if name == "properties" => format!("{at}/properties"),
                        _ => at.to_owned(),
                    };
                    visit(document, member, &at, seen, found);
                }
            }
            Value::Array(elements) => {
                for element in elements {
                    visit(document, element, at, seen, found);
                }
            }
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for (_, says) in operations(document) {
        visit(document, &says["responses"], "answer", &mut seen, &mut found);
    }
    found
}

#[test]
fn answers_are_null_where_the_contract_has_it_and_nowhere_else() {
    let found = nullable(&router::document());
    let (pages, others): (Vec<_>, Vec<_>) =
        found.iter().map(String::as_str).partition(|name| name.starts_with("Page"));
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
fn enumerations_name_words_of_the_wire() {
    let document = router::document();
    let schemas = document["components"]["schemas"].as_object().expect("there are schemas");
    for (name, schema) in schemas {
        let words = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for word in words {
            // The name of a variant is neither: `PoliciesRead`.
            let is_word = word == word.to_lowercase() || word == word.to_uppercase();
            assert!(is_word, "{name}: `{word}`");
        }
    }
}

#[tokio::test]
async fn the_reference_is_a_page_that_stands_alone() {
    let world = world().await;
    let page = world.public.with("accept", "text/html").get("/docs").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = page.header("content-security-policy").expect("a page has a policy");
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    // Addresses stand in examples only: none is loaded or led to.
    for inline in ["<script>", "<style", " style=", "onclick", "=\"https://", "url(https://"] {
        assert!(!page.text.contains(inline), "{inline}");
    }
    let document = world.public.get("/openapi.json").await.expect(200);
    for (name, says) in operations(&document) {
        let id = text(&says["operationId"]);
        assert!(page.text.contains(&format!("<article id=\"{id}\"")), "{name}");
        assert!(page.text.contains(&format!("href=\"#{id}\"")), "{name}");
    }
    for (name, _) in document["components"]["schemas"].as_object().expect("schemas") {
        assert!(page.text.contains(&format!("<article id=\"schema-{name}\"")), "{name}");
    }
    // Every link within the page leads somewhere.
    for link in page.text.split("href=\"#").skip(1) {
        let target = link.split('"').next().unwrap_or_default();
        assert!(page.text.contains(&format!("id=\"{target}\"")), "{target}");
    }
    for (file, kind) in [("docs.css", "text/css"), ("docs.js", "text/javascript")] {
        let file = world.public.get(format!("/docs/{file}")).await;
        assert_eq!(file.status, 200);
        assert!(file.header("content-type").is_some_and(|own| own.starts_with(kind)), "{file:?}");
    }
    assert_eq!(world.public.get("/docs/other.js").await.to_string(), "404 NOT_FOUND");
}

#[tokio::test]
async fn without_docs_neither_page_nor_document_is_there() {
    let edge = EdgeConfig { docs: false, rates: Rates::UNLIMITED, ..EdgeConfig::default() };
    let world = TestServiceBuilder { edge, ..TestServiceBuilder::default() }.world().await;
    for path in ["/docs", "/docs/docs.css", "/docs/docs.js", "/openapi.json"] {
        assert_eq!(world.public.get(path).await.to_string(), "404 NOT_FOUND", "{path}");
    }
    world.key.get("/v1/policies").await.expect(200);
}
