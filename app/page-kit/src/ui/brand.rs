//! The logo.

use kit::any_view;
use leptos::prelude::*;

/// The logo, without text. It is decorative: the name of the product or of the tenant is next to it.
pub fn logo() -> AnyView {
    any_view! {
        <svg class="logo" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
            <path d="M16 1.5A14.5 14.5 0 1 0 30.5 16.5H19.5v5H11.5V11h18.1A14.5 14.5 0 0 0 16 1.5Z"></path>
        </svg>
    }
}
