//! Request bodies for decisions.

use serde_json::{Value, json};

/// The context of a payment without a purpose.
pub(crate) fn payment(amount: u32) -> Value {
    json!({"decision_type": "payment", "fields": {"amount": amount, "region": "US"}})
}

/// The ID of the chain that the tests record.
pub(crate) const CHAIN: &str = "c0000000-0000-4000-8000-000000000001";

/// The body of a record call in a chain; the chain is [`CHAIN`] unless `chain` has another ID.
pub(crate) fn chain_request(key: &str, mut chain: Value) -> Value {
    if chain.get("chain_id").is_none() {
        chain["chain_id"] = CHAIN.into();
    }
    let mut body = request(key, 1);
    body["chain"] = chain;
    body
}

/// The body of a record call.
pub(crate) fn request(key: &str, amount: u32) -> Value {
    json!({"idempotency_key": key, "context": payment(amount)})
}
