//! The table of all endpoints, which a reviewer reads, and whom each endpoint accepts. `endpoints.txt` lists the
//! scopes, the roles and the audit event of each endpoint, so a change of the code needs a reviewed change of the
//! table. The tests call each endpoint as each caller.

use std::{fs, path::Path};

use governance::access::permission::Permission;
use server::router::{self, Access, Audit, Endpoint, endpoints};

use crate::{
    prelude::*,
    routes::{self, Ids},
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/endpoints.txt");

/// The callers that a permission admits: the scopes of keys, the roles of users and the actions of capabilities.
fn callers(permission: Permission) -> String {
    let scopes = permission.scopes.into_iter().flatten().map(ToString::to_string);
    let capability = permission.actions.map(|actions| {
        let actions: Vec<String> = actions.iter().map(ToString::to_string).collect();
        format!("capability({})", actions.join(", "))
    });
    let roles = Role::ALL.into_iter().filter(|role| role.has(permission.right));
    let users =
        format!("users({})", roles.map(|role| role.to_string()).collect::<Vec<_>>().join(", "));
    let signs = permission.signs.then(|| "signs".to_owned());
    scopes.chain(capability).chain([users]).chain(signs).collect::<Vec<_>>().join(" ")
}

/// Each endpoint with its callers and its audit event.
fn table() -> String {
    let row = |endpoint: Endpoint| {
        let callers = match endpoint.access {
            Access::Guarded(permission) => callers(permission),
            access => format!("{access:?}"),
        };
        let audit = match endpoint.audit {
            Audit::Read => "read",
            Audit::Event(action) => action,
            Audit::NoEvent(_) => "no event",
        };
        format!("{} {}\n  {callers}\n  {audit}\n", endpoint.method, endpoint.path)
    };
    endpoints().into_iter().map(row).collect()
}

#[test]
fn endpoints_change_only_with_their_committed_table() {
    let (table, committed) = (table(), fs::read_to_string(FILE).unwrap_or_default());
    if table != committed && std::env::var_os("GOVERN_WRITE_OPENAPI").is_some() {
        return fs::write(Path::new(FILE), table).expect("`endpoints.txt` can be written");
    }
    assert_eq!(table, committed, "update `endpoints.txt` with GOVERN_WRITE_OPENAPI=1");
}

#[test]
fn every_reference_in_the_openapi_document_resolves() {
    let document = router::document();
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
            members.values().for_each(|member| collect_references(member, references));
        }
        Value::Array(elements) => {
            for element in elements {
                collect_references(element, references);
            }
        }
        _ => {}
    }
}

#[testkit::test]
async fn every_endpoint_exists_and_only_public_ones_accept_calls_without_a_tenant(
    service: TestService,
) {
    for route in endpoints() {
        let response = routes::call(&service.public, &route, &Ids::missing()).await;
        match route.permission() {
            Some(_) => assert_eq!(response.to_string(), "400 MISSING_TENANT_ID"),
            None => assert_ne!(response.status, 400, "{route:?}"),
        }
        assert_ne!(response.status, 405, "{route:?}");
    }
}

#[testkit::test]
async fn each_role_calls_exactly_the_endpoints_of_its_rights(service: TestService) {
    for role in Role::ALL {
        let person = service.signed_in_member(role).await;
        for (route, permission) in routes::guarded() {
            let response = routes::call(&person, &route, &Ids::missing()).await.to_string();
            let case = format!("{role} {}: {response}", routes::name(&route));
            if role.has(permission.right) {
                assert!(!response.starts_with("403 "), "{case}");
            } else {
                assert_eq!(response, "403 FORBIDDEN", "{case}");
            }
        }
    }
}

#[testkit::test]
async fn a_key_calls_exactly_the_endpoints_of_its_scopes(service: TestService) {
    let grantable = Scope::ALL.into_iter().filter(|scope| scope.is_grantable());
    let alone = grantable.clone().map(|scope| vec![scope]);
    let all = grantable.filter(|scope| *scope != Scope::AuthoringCapability).collect();
    for held in alone.chain([all]) {
        let key = service.create_key(&held).await;
        for (route, permission) in routes::guarded() {
            let mut call = routes::call(&key, &route, &Ids::missing());
            if route.path == "/v1/api-keys" && route.method == "POST" {
                // A key can only create keys with its own scopes.
                call = call.json(&json!({"name": "another", "scopes": [held[0].as_str()]}));
            }
            let response = call.await.to_string();
            let case = format!("{held:?} {}: {response}", routes::name(&route));
            match refusal(permission, &held) {
                Some(refusal) => assert_eq!(response, refusal, "{case}"),
                None => assert!(!response.starts_with("403 "), "{case}"),
            }
        }
    }
}

/// Returns the refusal of a key with the scopes `held` and without a capability, if it gets one.
fn refusal(permission: Permission, held: &[Scope]) -> Option<String> {
    if held.contains(&Scope::AuthoringCapability) && permission.actions.is_some() {
        return Some("403 AUTHORING_CAPABILITY_MISSING".to_owned());
    }
    let Some(required) = permission.scopes else {
        return Some("403 HUMAN_REQUIRED".to_owned());
    };
    if permission.requires_capability() {
        return Some("403 FORBIDDEN".to_owned());
    }
    let missing = required.iter().find(|scope| !held.contains(scope))?;
    Some(format!("403 INSUFFICIENT_SCOPE ({missing})"))
}
