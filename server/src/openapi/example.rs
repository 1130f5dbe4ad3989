//! Example request bodies. A test sends each of them to its route.

use serde_json::{Value, json};

use crate::api::Route;

/// Returns an example body of the route. Routes with an empty body need none.
pub(super) fn body(route: &Route) -> Option<Value> {
    let path = route.path.strip_prefix("/v1/")?;
    Some(match (&*route.method, path) {
        ("POST", "decisions/evaluate" | "decisions/dry-run" | "decisions/dryRun") => {
            json!({"context": payment()})
        }
        ("POST", "decisions/record") => json!({
            "idempotency_key": "invoice-2026-0417",
            "context": payment(),
            "actor": {"id": "erp-7", "type": "system"},
            "chain": {"chain_id": "c3a1b2d4-0e5f-4a6b-8c7d-9e0f1a2b3c4d", "chain_step": 1},
        }),
        ("POST", "policies") => json!({
            "code": "PAYMENTS",
            "name": "Payments to suppliers",
            "decision_types": ["payment"],
            "rules": rules(),
        }),
        ("POST", "policies/{id}/versions") => {
            json!({
                "rules": rules(),
                "change_reason": "Raise the limit.",
                "codification": codification(),
            })
        }
        ("PATCH", "policies/{id}/versions/{version}") => {
            json!({"expected_revision": 1, "rules": rules()})
        }
        ("POST", "policies/{id}/versions/{version}/ratify") => json!({"expected_revision": 1}),
        ("POST", "policies/{id}/versions/{version}/reject") => {
            json!({"reason": "The limit needs a source."})
        }
        ("POST", "policies/{id}/versions/{version}/submissions/{submission_id}/records") => json!({
            "verdict": "RETURN",
            "comments": [{"rule_code": "PAY-LIMIT", "text": "The limit is per day."}],
        }),
        ("POST", "policies/{id}/versions/{version}/comments") => json!({
            "rule_code": "PAY-LIMIT", "text": "Is the limit per day? @ada@acme.example",
        }),
        // The first submission answers no review record.
        ("POST", "policies/{id}/versions/{version}/seal") => json!({}),
        ("POST", "policies/{id}/versions/{version}/supersede") => json!({
            "expected_revision": 1, "rules": rules(), "change_reason": "The limit is per day.",
        }),
        ("POST", "policies/{id}/versions/{version}/set-aside") => {
            json!({"reason": "The law was withdrawn."})
        }
        ("POST", "policies/{id}/deactivate") => json!({"reason": "Replaced by PAYMENTS-2."}),
        ("POST", "forms") => json!({
            "policy_id": "0b7c6f5e-8d0f-4d0e-9a55-6f2f5f6d1c11",
            "title": "Vendor request",
            "decision_type": "vendor_payment",
            "fields": [
                {"name": "amount", "label": "Contract value", "type": "number", "required": true},
                {"name": "purpose", "label": "Purpose", "type": "textarea", "max_length": 2000},
            ],
            "access_mode": "open",
            "is_published": true,
            "token_budget": {"limit": 100, "window": "day"},
        }),
        ("PATCH", "forms/{form_id}") => json!({"is_published": false}),
        ("POST", "forms/{form_id}/tokens") => json!({"max_uses": 1}),
        ("POST", "forms/{form_id}/submit") => json!({
            "values": {"amount": 2500, "purpose": "New laptops"},
            "respondent": {"id": "ada", "display_name": "Ada Byron"},
            "idempotency_key": "request-2026-0417",
        }),
        ("POST", "decisions/evaluate-batch") => json!({"contexts": [payment()]}),
        ("POST", "decisions/{id}/outcome") => {
            json!({"status": "accepted", "note": "Paid on the due date.", "reference_id": "SEPA-88121"})
        }
        ("PATCH", "policies/{id}") => json!({"name": "Payments to suppliers and staff"}),
        ("POST", "policy-groups") => json!({"code": "TREASURY", "name": "Treasury"}),
        ("PATCH", "policy-groups/{id}") => json!({"description": "Policies for payments."}),
        ("PATCH", "settings") => json!({"alert_min_severity": "high"}),
        ("POST", "authoring-capabilities") => json!({
            "policy_id": "0b7c6f5e-8d0f-4d0e-9a55-6f2f5f6d1c11",
            "version": 4,
            "actions": ["policy.read", "policy.draft.edit", "review.seal", "review.retrieve"],
            "expires_at": "2027-01-31T00:00:00Z",
            "max_uses": 40,
            "name": "drafting assistant",
        }),
        ("POST", "authoring-capabilities/{id}/carry") => json!({"version": 5}),
        ("POST", "api-keys") => {
            json!({"name": "invoice service", "scopes": ["decisions:evaluate", "decisions:write"]})
        }
        ("POST", "cli/token") => json!({
            "code": "qqqqqgAAQACAAAAAAAAAAIVCbYBVs9aHcjNMCzqZIcp0vDXTmRnTcjJgsXvVIYyg",
            "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            "port": 52_011,
        }),
        ("POST", "cli/revoke") => {
            json!({"api_key": "svc_sXw5Z1u1x3YV0m0Yl0m1d0cG9fQ2l8o4mJvH3bq7T2E"})
        }
        ("POST", "alerts/acknowledge") => {
            json!({"ids": ["5f0c9f3e-2c1d-4b7a-9e55-0d3b7f6a1c22"]})
        }
        ("POST", "alerts/{id}/assign") => {
            json!({"user_id": "3b1f0c7a-52d4-4f0e-8a6c-9d2e7b1c4f55"})
        }
        ("POST", "alerts/{id}/snooze") => json!({"until": "2026-09-02T08:00:00Z"}),
        ("POST", "alerts/subscriptions") => json!({
            "url": "https://ops.example.com/hooks/govern",
            "decision_types": ["payment"],
            "severity_min": "high",
        }),
        ("POST", "alerts/deliveries/redrive") => json!({"since": "2026-09-01T00:00:00Z"}),
        ("POST", "audit-log/verify") => json!({"from_seq": 1, "to_seq": 500}),
        ("POST", "admin/tenants") => json!({"name": "Acme Finance"}),
        ("POST", "session") => {
            json!({"email": "ada@acme.example", "password": "four words of my own"})
        }
        ("POST", "session/password") => json!({
            "password": "my words up to now",
            "new_password": "four other words of mine",
        }),
        ("POST", "session/reset") => json!({"email": "ada@acme.example"}),
        ("POST", "session/setup") => json!({
            "token": "sXw5Z1u1x3YV0m0Yl0m1d0cG9fQ2l8o4mJvH3bq7T2E",
            "password": "four words of my own",
        }),
        ("POST", "admin/members/invite") => {
            json!({"email": "ada@acme.example", "role": "reviewer"})
        }
        ("PATCH", "admin/members/{user_id}") => json!({"role": "ratifier"}),
        ("POST", "admin/identity-providers") => json!({
            "name": "Acme",
            "issuer": "https://login.acme.example",
            "client_id": "govern",
            "client_secret": "the secret that the provider generated",
            "email_domains": ["acme.example"],
            "role_claim": "groups",
            "role_mapping": [{"value": "risk-officers", "role": "ratifier"}],
            "default_role": "viewer",
        }),
        ("PATCH", "admin/identity-providers/{id}") => json!({"default_role": "author"}),
        ("POST", "admin/users") => {
            json!({"email": "ada@acme.example", "display_name": "Ada Byron"})
        }
        ("POST", "session/second-factor" | "session/totp/confirm") => json!({"code": "287082"}),
        ("POST", "session/passkey-options") => json!({"purpose": "sign_in"}),
        ("POST", "session/passkey") => json!({"credential": assertion()}),
        ("POST", "session/passkeys") => json!({"name": "Laptop", "credential": registration()}),
        ("PATCH", "session/passkeys/{passkey_id}") => json!({"name": "Old laptop"}),
        ("POST", "session/confirm") => json!({"password": "four words of my own"}),
        _ => return None,
    })
}

/// A used passkey, as `PublicKeyCredential.toJSON()` returns it.
fn assertion() -> Value {
    json!({
        "id": "qL0xq1mWb0mE3Qh9oUe1yA",
        "rawId": "qL0xq1mWb0mE3Qh9oUe1yA",
        "type": "public-key",
        "response": {
            "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoi4oCmIn0",
            "authenticatorData": "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ",
            "signature": "MEUCIQDk",
            "userHandle": "Ox8MelLUTw6KbJ0uexxPVQ",
        },
        "clientExtensionResults": {},
    })
}

/// A new passkey, as `PublicKeyCredential.toJSON()` returns it.
fn registration() -> Value {
    json!({
        "id": "qL0xq1mWb0mE3Qh9oUe1yA",
        "rawId": "qL0xq1mWb0mE3Qh9oUe1yA",
        "type": "public-key",
        "response": {
            "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoi4oCmIn0",
            "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVgl",
            "transports": ["internal", "hybrid"],
        },
        "clientExtensionResults": {},
    })
}

fn payment() -> Value {
    json!({
        "decision_type": "payment",
        "fields": {"amount": 4200, "currency": "EUR", "supplier": "Nordwind GmbH"},
    })
}

fn codification() -> Value {
    let text = "A payment to a supplier may not exceed 10,000.";
    json!({
        "source": {"document": "Payment handbook"},
        "clauses": [{"unit_id": "u1", "locator": "section 4(2)", "text": text}],
        "ledger": [{"unit_id": "u1", "disposition": "mapped", "rule_code": "PAY-LIMIT"}],
    })
}

fn rules() -> Value {
    json!([{
        "code": "PAY-LIMIT",
        "name": "Payments are at most 10,000",
        "rule_type": "threshold",
        "condition": {"field": "amount", "max": 10_000},
        "severity": "high",
    }])
}
