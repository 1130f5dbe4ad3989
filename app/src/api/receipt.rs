//! Public receipts.

use contract::id::{DecisionId, FormId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{problem::Problem, view::receipt::ReceiptPage};

/// The receipt of a decision, for anybody who has its id.
#[server(prefix = "/console", endpoint = "receipt", output = Answer)]
pub(crate) async fn read_receipt(id: DecisionId) -> Result<ReceiptPage, Problem> {
    use super::ssr::{self, receipt as sources};
    let cx = ssr::governance().public(ssr::correlation_id());
    sources::page(&cx, id).await
}

/// The receipt of a submission to a form, for anybody who has both ids.
#[server(prefix = "/console", endpoint = "submission", output = Answer)]
pub(crate) async fn read_submission(form: FormId, id: DecisionId) -> Result<ReceiptPage, Problem> {
    use super::ssr::{self, receipt as sources};
    let cx = ssr::governance().public(ssr::correlation_id());
    sources::submission(&cx, form, id).await
}
