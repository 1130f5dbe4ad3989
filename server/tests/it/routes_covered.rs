//! The table of all endpoints, which a reviewer reads, and the `OpenAPI` document, which lists the same endpoints.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use contract::scope::Role;
use governance::access::permission::Permission;
use serde_json::Value;
use server::router::{Access, Audit, endpoints};

use crate::{
    client::text,
    routes::{self, Ids},
    service::test_service,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/endpoints.txt");

/// The callers that a permission admits: the scopes of keys, the roles of users and the actions of capabilities.
fn callers(permission: Permission) -> String {
    let mut callers = String::new();
    let scopes = permission.scopes.unwrap_or_default();
    for scope in scopes {
        write!(callers, "{scope} ").unwrap();
    }
    let actions = permission.actions.unwrap_or_default().iter().map(ToString::to_string);
    let actions: Vec<String> = actions.collect();
    if permission.actions.is_some() {
        write!(callers, "capability({}) ", actions.join(", ")).unwrap();
    }
    let roles: Vec<&str> = Role::ALL
        .into_iter()
        .filter(|role| role.has(permission.right))
        .map(|role| role.as_str())
        .collect();
    write!(callers, "users({})", roles.join(", ")).unwrap();
    if permission.signs {
        callers.push_str(" signs");
    }
    callers
}

/// Each endpoint with its callers and its audit event.
fn table() -> String {
    let mut table = String::new();
    for endpoint in endpoints() {
        let callers = match endpoint.access {
            Access::Guarded(permission) => callers(permission),
            access => format!("{access:?}"),
        };
        let audit = match endpoint.audit {
            Audit::Read => "read",
            Audit::Event(action) => action,
            Audit::NoEvent(_) => "no event",
        };
        writeln!(table, "{} {}\n  {callers}\n  {audit}", endpoint.method, endpoint.path).unwrap();
    }
    table
}

#[test]
fn endpoints_change_only_with_their_committed_table() {
    let (table, committed) = (table(), fs::read_to_string(FILE).unwrap_or_default());
    if table != committed && std::env::var_os("GOVERN_WRITE_OPENAPI").is_some() {
        return fs::write(Path::new(FILE), table).expect("`endpoints.txt` can be written");
    }
    assert_eq!(table, committed, "update `endpoints.txt` with GOVERN_WRITE_OPENAPI=1");
}

#[tokio::test]
async fn the_openapi_document_lists_exactly_the_served_routes() {
    let document = test_service().await.public.get("/openapi.json").await.expect(200);
    assert!(text(&document["openapi"]).starts_with("3.1"));
    let mut documented_routes = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            documented_routes.insert(format!("{} {path}", method.to_uppercase()));
            let responses = operation["responses"].as_object().map(serde_json::Map::len);
            assert!(responses.is_some_and(|responses| responses > 0), "{method} {path}");
        }
    }
    let served: BTreeSet<String> =
        endpoints().iter().map(|route| format!("{} {}", route.method, route.path)).collect();
    assert_eq!(documented_routes, served);
}

#[tokio::test]
async fn every_reference_in_the_openapi_document_resolves() {
    let document = test_service().await.public.get("/openapi.json").await.expect(200);
    let mut references = Vec::new();
    collect_references(&document, &mut references);
    assert!(!references.is_empty());
    for reference in references {
        let pointer = reference.strip_prefix('#').expect("a reference within the document");
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect_references<'v>(value: &'v Value, references: &mut Vec<&'v str>) {
    match value {
        Value::Object(members) => {
            references.extend(members.get("$ref").and_then(Value::as_str));
            for member in members.values() {
                collect_references(member, references);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                collect_references(element, references);
            }
        }
        _ => {}
    }
}

#[tokio::test]
async fn every_route_exists_and_only_public_routes_accept_calls_without_a_tenant() {
    let service = test_service().await;
    for route in endpoints() {
        let response = routes::call(&service.public, &route, &Ids::missing()).await;
        match route.permission() {
            Some(_) => assert_eq!(response.to_string(), "400 MISSING_TENANT_ID"),
            None => assert_ne!(response.status, 400, "{route:?}"),
        }
        assert_ne!(response.status, 405, "{route:?}");
    }
}
