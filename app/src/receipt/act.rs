//! Public receipts.

use contract::id::DecisionId;
use leptos::prelude::server;

use super::view::ReceiptPage;
use crate::{codec::JsonCodec, problem::Problem};

/// Returns the receipt of a decision. No sign-in is needed, only the ID.
#[server(prefix = "/console", endpoint = "receipt", output = JsonCodec)]
pub(crate) async fn read_receipt(id: DecisionId) -> Result<ReceiptPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::governance().public(request::correlation_id());
    sources::page(&cx, id).await
}
