//! A call of the API as a line for a shell.

use contract::id::TenantId;

/// The dry run of `context` as a `curl` command. Address and key stand in the environment, so that
/// the line can be shared.
pub fn evaluate(tenant: TenantId, context: &str) -> String {
    // A quote ends the quoted text, stands escaped by itself, and begins it again.
    let context = context.trim().replace('\'', r"'\''");
    post(tenant, "evaluate", &format!(r#"{{"explain": true, "context": {context}}}"#))
}

/// The record of a first decision as a `curl` command.
pub fn record(tenant: TenantId) -> String {
    let body = r#"{"idempotency_key": "first-1", "context": {"decision_type": "expense", "fields": {"amount": 120}}}"#;
    post(tenant, "record", body)
}

fn post(tenant: TenantId, act: &str, body: &str) -> String {
    format!(
        "curl -sS \"$GOVERN_URL/v1/decisions/{act}\" \\\n  \
         -H \"Authorization: Bearer $GOVERN_KEY\" \\\n  \
         -H \"X-Service-Tenant-Id: {tenant}\" \\\n  \
         -H \"Content-Type: application/json\" \\\n  \
         --data-binary '{body}'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_in_the_context_does_not_end_the_line() {
        let line = evaluate(TenantId(uuid::Uuid::nil()), "{\"a\": \"it's\"}\n");
        assert!(line.ends_with(r#""context": {"a": "it'\''s"}}'"#), "{line}");
    }
}
