//! Data of the receipt page.

use contract::{id::DecisionId, receipt::Receipt};
use governance::{Cx, deciding::decision};

use super::view::ReceiptPage;
use crate::{
    problem::Problem,
    request::into_problem,
    text::{qr_code::QrCode, url},
};

pub(crate) async fn page(cx: &Cx, id: DecisionId) -> Result<ReceiptPage, Problem> {
    let receipt = into_problem(decision::receipt(cx, id).await)?;
    Ok(receipt_page(cx, &receipt, url::receipt(id)))
}

fn receipt_page(cx: &Cx, receipt: &Receipt, page: String) -> ReceiptPage {
    let link = crate::request::governance().link(&page);
    let code = QrCode::of_link(&link);
    ReceiptPage::new(receipt, decision::receipt_digest(receipt), page, link, code, cx.now)
}
