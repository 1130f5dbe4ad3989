//! What callers ask decisions on.

use serde_json::{Value, json};

/// A payment without a purpose.
pub(crate) fn payment(amount: u32) -> Value {
    json!({"decision_type": "payment", "fields": {"amount": amount, "region": "US"}})
}

/// A chain that a caller makes.
pub(crate) const CHAIN: &str = "c0000000-0000-4000-8000-000000000001";

/// The body of a record call that continues the chain; `place` has members beside its id.
pub(crate) fn chained(key: &str, mut place: Value) -> Value {
    if place.get("chain_id").is_none() {
        place["chain_id"] = CHAIN.into();
    }
    let mut body = request(key, 1);
    body["chain"] = place;
    body
}

/// The body of a record call.
pub(crate) fn request(key: &str, amount: u32) -> Value {
    json!({"idempotency_key": key, "context": payment(amount)})
}
