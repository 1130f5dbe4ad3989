//! QR codes.

use kit::any_view;
use leptos::prelude::*;

use crate::text::qr_code::QrCode;

/// Renders a QR code, black on white in both themes, as cameras expect it. `label` names it for screen readers.
pub fn qr_code(code: QrCode, label: &'static str) -> AnyView {
    let view_box = format!("0 0 {0} {0}", code.side);
    any_view! {
        <svg class="qr" viewBox=view_box role="img" aria-label=label>
            <rect width="100%" height="100%" class="qr-paper" />
            <path d=code.path></path>
        </svg>
    }
}
