//! QR codes of links, as SVG paths.

/// A QR code with its quiet zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QrCode {
    /// The number of modules per side.
    pub side: usize,
    /// The dark modules as an SVG path. One unit is one module.
    pub path: String,
}

impl QrCode {
    /// Returns a link as a QR code; `None` if the link is only a path, because a scanner needs a complete URL, or too
    /// long.
    pub fn of_link(link: &str) -> Option<Self> {
        use std::fmt::Write as _;

        use qrcode::Color;
        /// The width of the quiet zone in modules. Source: ISO/IEC 18004.
        const QUIET: usize = 4;
        let code = qrcode::QrCode::new(link).ok().filter(|_| link.contains("://"))?;
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
        Some(Self { side: width + 2 * QUIET, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_its_three_corners_inside_the_quiet_zone() {
        let code = QrCode::of_link("https://govern.example/r/1").unwrap();
        assert_eq!(code.side, 25 + 2 * 4);
        assert!(code.path.starts_with("M4 4h7v1h-7z"), "{}", code.path);
        assert!(code.path.contains("M22 4h7v1h-7z") && code.path.contains("M4 22h7v1h-7z"));
    }

    #[test]
    fn paths_and_overlong_links_have_no_code() {
        assert_eq!(QrCode::of_link("/r/1"), None);
        assert_eq!(QrCode::of_link(&format!("https://{}", "x".repeat(9_000))), None);
    }
}
