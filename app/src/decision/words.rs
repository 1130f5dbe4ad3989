//! Texts of `/t/{tenant}/decisions/{decision}`.

use contract::{evaluation::Verdict, text::isolated};

pub(crate) fn title(verdict: Verdict, decision_type: &str) -> String {
    format!("{verdict} {}", isolated(decision_type))
}
