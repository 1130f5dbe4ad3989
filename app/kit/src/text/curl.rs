//! API calls as `curl` commands.

use contract::id::TenantId;

/// Returns a `curl` command for a dry run of `context`. URL and key are environment variables, so the command
/// can be shared.
pub fn evaluate(tenant: TenantId, context: &str) -> String {
    // Closes the quoted text, adds an escaped quote and opens a new quoted text.
    let context = context.trim().replace('\'', r"'\''");
    post(tenant, "evaluate", &format!(r#"{{"explain": true, "context": {context}}}"#))
}

/// Returns a `curl` command that records a first decision.
pub fn record(tenant: TenantId) -> String {
    let body = r#"{"idempotency_key": "first-1", "context": {"decision_type": "expense", "fields": {"amount": 120}}}"#;
    post(tenant, "record", body)
}

/// Returns a `curl` command that records the first decision of a new chain.
pub fn record_in_chain(tenant: TenantId) -> String {
    // `uuidgen` is outside the quoted text, so that the shell runs it.
    let body = r#"{"idempotency_key": "chain-1", "chain": {"chain_id": "'$(uuidgen)'"}, "context": {"decision_type": "expense", "fields": {"amount": 120}}}"#;
    post(tenant, "record", body)
}

/// Returns a `curl` command that sends a request again, byte for byte.
pub fn repeat(url: &str, headers: &[(&str, String)], body: &str) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    let headers = headers
        .iter()
        .map(|(name, value)| format!(" \\\n  -H {}", quoted(&format!("{name}: {value}"))));
    let headers: String = headers.collect();
    format!("curl -sS {}{headers} \\\n  --data-binary {}", quoted(url), quoted(body))
}

fn post(tenant: TenantId, operation: &str, body: &str) -> String {
    format!(
        "curl -sS \"$GOVERN_URL/v1/decisions/{operation}\" \\\n  \
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
    fn a_quote_in_the_context_is_escaped() {
        let line = evaluate(TenantId(uuid::Uuid::nil()), "{\"a\": \"it's\"}\n");
        assert!(line.ends_with(r#""context": {"a": "it'\''s"}}'"#), "{line}");
    }

    #[test]
    fn a_repeated_request_has_every_header_and_the_exact_body() {
        let headers = [("content-type", "application/json".to_owned())];
        let command = repeat("https://ops.example.com/hook", &headers, "{\"a\":\"it's\"}");
        let expected = r#"curl -sS 'https://ops.example.com/hook' \
  -H 'content-type: application/json' \
  --data-binary '{"a":"it'\''s"}'"#;
        assert_eq!(command, expected);
    }
}
