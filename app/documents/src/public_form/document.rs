//! The document of a public page, and the parts that several pages have.

use page_kit::{
    prelude::*,
    text::url::{TRUST, VERIFY},
    ui::font,
};

use super::texts::{Texts, fill};

/// The part of a page outside its content.
#[derive(Clone, Debug)]
pub struct Document {
    pub texts: &'static Texts,
    /// The path of the style sheet.
    pub style: String,
}

impl Document {
    /// Renders an HTML document around `main`. `script` is the path of a script, if the page has one.
    pub(super) fn render(
        &self,
        title: &str,
        script: Option<&'static str>,
        main: AnyView,
    ) -> String {
        let texts = self.texts;
        let script = script.map(|path| view! { <script type="module" src=path></script> });
        let document = view! {
            <!DOCTYPE html>
            <html lang=texts.language dir="ltr">
                <head>
                    <meta charset="utf-8" />
                    <meta name="viewport" content="width=device-width, initial-scale=1" />
                    <meta name="color-scheme" content="light dark" />
                    <meta name="description" content=texts.description />
                    <meta name="robots" content="noindex" />
                    <title inner_html=between_tags(isolated(title))></title>
                    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                    {font::preloads()}
                    <link rel="stylesheet" href=self.style.clone() />
                    {script}
                </head>
                <body>
                    <a class="skip" href="#main">
                        {texts.skip}
                    </a>
                    <div class="public hosted">
                        <header class="public-bar">
                            <a href="/" class="brand">
                                {logo()}
                                {messages::PRODUCT}
                            </a>
                            <a href="/help" class="quiet">
                                {icon(Icon::Help)}
                                {texts.help}
                            </a>
                        </header>
                        <main id="main">{main}</main>
                        <footer class="public-foot">
                            <span>{texts.recorded_with}</span>
                            <nav aria-label=texts.about>
                                <a href=VERIFY>{texts.verify}</a>
                                <a href=TRUST>{texts.signing_keys}</a>
                                <a href="/help">{texts.help}</a>
                            </nav>
                        </footer>
                    </div>
                </body>
            </html>
        };
        document.to_html()
    }
}

/// Renders the organization that requests the answers, and what it does with them.
pub(super) fn requester(name: &str, texts: &'static Texts) -> AnyView {
    let initials: String = name
        .split_whitespace()
        .filter_map(|word| word.chars().find(|letter| letter.is_alphanumeric()))
        .take(2)
        .flat_map(char::to_uppercase)
        .collect();
    any_view! {
        <div class="issuer">
            <span class="avatar" aria-hidden="true">
                {initials}
            </span>
            <p>
                <b>{fill(texts.requested_by, &[("name", &isolated(name))])}</b>
                <small>{texts.requester_note}</small>
            </p>
        </div>
    }
}

/// Renders a note that receives the focus. `tone` is the class of its tint.
pub(super) fn alert(tone: &str, content: AnyView) -> AnyView {
    any_view! {
        <div class=format!("note {tone}") role="alert" tabindex="-1" autofocus=true>
            {icon(Icon::Warn)}
            {content}
        </div>
    }
}

/// Renders the correlation ID of the request.
pub(super) fn correlation_id(id: String, texts: &'static Texts) -> AnyView {
    any_view! { <p class="text-xs text-muted">{texts.correlation_id} " " <code>{id}</code></p> }
}
