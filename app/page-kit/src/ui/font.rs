//! Links that preload the fonts.

use leptos::prelude::*;

use crate::text::url::FONTS;

/// Preloads the fonts. The browser would otherwise request them only after the style sheet.
pub fn preloads() -> AnyView {
    FONTS.map(|href| {
        view! { <link rel="preload" href=href r#as="font" r#type="font/woff2" crossorigin="anonymous" /> }
    })
    .into_any()
}
