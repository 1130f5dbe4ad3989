//! Data of the receipt page.

use std::fmt::Write as _;

use contract::{id::DecisionId, receipt::Receipt};
use governance::{Cx, deciding::decision};
use qrcode::{Color, QrCode};

use super::view::{Code, ReceiptPage};
use crate::{problem::Problem, request::into_problem, text::url};

/// The width of the quiet zone of a QR code, in modules. Source: ISO/IEC 18004.
const QUIET: usize = 4;

pub(crate) async fn page(cx: &Cx, id: DecisionId) -> Result<ReceiptPage, Problem> {
    let receipt = into_problem(decision::receipt(cx, id).await)?;
    Ok(receipt_page(cx, &receipt, url::receipt(id)))
}

fn receipt_page(cx: &Cx, receipt: &Receipt, page: String) -> ReceiptPage {
    let link = crate::request::governance().link(&page);
    let code = code(&link);
    ReceiptPage::new(receipt, decision::receipt_digest(receipt), page, link, code, cx.now)
}

/// Returns a link as a QR code.
fn code(link: &str) -> Option<Code> {
    // A scanner needs a complete URL; a path alone is not enough.
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
    fn a_code_has_its_three_corners_inside_the_quiet_zone() {
        let code = code("https://govern.example/r/1").unwrap();
        assert_eq!(code.side, 25 + 2 * QUIET);
        assert!(code.path.starts_with("M4 4h7v1h-7z"), "{}", code.path);
        assert!(code.path.contains("M22 4h7v1h-7z") && code.path.contains("M4 22h7v1h-7z"));
    }

    #[test]
    fn paths_and_overlong_links_have_no_code() {
        assert_eq!(code("/r/1"), None);
        assert_eq!(code(&format!("https://{}", "x".repeat(9_000))), None);
    }
}
