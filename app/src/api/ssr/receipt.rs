//! What the page of a receipt is made of.

use std::fmt::Write as _;

use contract::{
    id::{DecisionId, FormId},
    receipt::Receipt,
};
use governance::{Cx, decision, form};
use qrcode::{Color, QrCode};

use super::answer;
use crate::{
    problem::Problem,
    text::url,
    view::receipt::{Code, ReceiptPage},
};

/// Empty modules around a code, so that a camera finds it. Source: ISO/IEC 18004.
const QUIET: usize = 4;

/// The receipt of a decision.
pub(in crate::api) async fn page(cx: &Cx, id: DecisionId) -> Result<ReceiptPage, Problem> {
    let receipt = answer(decision::receipt(cx, id).await)?;
    Ok(at(cx, &receipt, url::receipt(id)))
}

/// The receipt of a submission to a form.
pub(in crate::api) async fn submission(
    cx: &Cx,
    form: FormId,
    id: DecisionId,
) -> Result<ReceiptPage, Problem> {
    let form::Thanks { receipt, title, message } = answer(form::thanks(cx, form, id).await)?;
    let page = at(cx, &receipt, url::submission(form, id));
    Ok(ReceiptPage { subject: title, thanks: message, ..page })
}

fn at(cx: &Cx, receipt: &Receipt, page: String) -> ReceiptPage {
    let link = super::governance().link(&page);
    let code = code(&link);
    ReceiptPage::new(receipt, page, link, code, cx.now)
}

/// A link as a code.
fn code(link: &str) -> Option<Code> {
    // A path alone leads a camera nowhere.
    let code = QrCode::new(link).ok().filter(|_| link.contains("://"))?;
    let width = code.width();
    let mut path = String::new();
    for (row, modules) in code.to_colors().chunks(width).enumerate() {
        let mut column = 0;
        for run in modules.chunk_by(Color::eq) {
            if run.first() == Some(&Color::Dark) {
                let (x, y, long) = (column + QUIET, row + QUIET, run.len());
                let _ = write!(path, "M{x} {y}h{long}v1h-{long}z");
            }
            column += run.len();
        }
    }
    Some(Code { side: width + 2 * QUIET, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_draws_its_three_corners_within_the_quiet_zone() {
        let code = code("https://govern.example/r/1").unwrap();
        assert_eq!(code.side, 25 + 2 * QUIET);
        assert!(code.path.starts_with("M4 4h7v1h-7z"), "{}", code.path);
        assert!(code.path.contains("M22 4h7v1h-7z") && code.path.contains("M4 22h7v1h-7z"));
    }

    #[test]
    fn what_leads_a_camera_nowhere_is_not_drawn() {
        assert_eq!(code("/r/1"), None);
        assert_eq!(code(&format!("https://{}", "x".repeat(9_000))), None);
    }
}
