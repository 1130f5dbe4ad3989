//! Requests that record decisions.

use super::TestService;
use crate::prelude::*;

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

pub(crate) fn request(key: &str, amount: u32) -> Value {
    json!({"idempotency_key": key, "context": payment(amount)})
}

impl TestService {
    /// Records a payment and returns the decision.
    pub(crate) async fn record(&self, key: &str, amount: u32) -> Value {
        record(&self.key, &request(key, amount)).await
    }

    /// Seals the chain [`CHAIN`].
    pub(crate) async fn seal_chain(&self) -> Value {
        self.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await.expect(201)
    }
}

/// Records a request and returns the decision.
pub(crate) async fn record(client: &Client, body: &Value) -> Value {
    client.post("/v1/decisions/record", body).await.expect(201)["decision"].clone()
}

/// Returns the text of the decision within the response to a record call.
pub(crate) fn record_text(response: &TestResponse) -> &str {
    let end = response.text.rfind(",\"is_new\":").expect("a response to a record call");
    &response.text[..end]
}
