//! The page that shows new recovery codes once.

use std::fmt::Write as _;

use leptos::prelude::*;

use super::{act::read_codes, words};
use crate::{
    text::url,
    ui::{
        copy::CopyButton, empty::Empty, heading::Heading, load::load, params, public::PublicFrame,
    },
};

/// `/account/recovery-codes`
#[component]
pub(crate) fn RecoveryCodesPage() -> impl IntoView {
    let next = params::query("next");
    let content = load(
        || (),
        |()| read_codes(),
        move |codes| view! { <Codes codes next=next() /> }.into_any(),
    );
    view! {
        <PublicFrame>
            <div class="card panel stack">
                <Heading title=words::CODES_TITLE />
                {content}
            </div>
        </PublicFrame>
    }
}

#[component]
fn Codes(codes: Vec<String>, next: String) -> impl IntoView {
    if codes.is_empty() {
        return view! {
            <Empty title=words::CODES_GONE text=words::CODES_GONE_NEXT />
            <p>
                <a href=url::SECURITY>{words::BACK}</a>
            </p>
        }
        .into_any();
    }
    let next = if next.is_empty() { url::ACCOUNT } else { url::own_path(&next) }.to_owned();
    let text = codes.join("\n");
    let file = file(&text);
    let item = |code: String| {
        view! {
            <li>
                <code>{code}</code>
            </li>
        }
    };
    view! {
        <p>{words::CODES_WHY}</p>
        <ol class="recovery-codes">{codes.into_iter().map(item).collect_view()}</ol>
        <div class="row">
            <a class="button" href=file download=words::CODES_FILE rel="external">
                {words::DOWNLOAD}
            </a>
            <button type="button" class="with-scripts" data-print="">
                {words::PRINT}
            </button>
            <CopyButton what=words::COPY_CODES value=text />
        </div>
        <p>
            <a class="button primary w-full" href=next rel="external">
                {words::CODES_SAVED}
            </a>
        </p>
    }
    .into_any()
}

/// Returns a text file as a link that contains the file itself, so that no address returns the codes.
fn file(text: &str) -> String {
    let mut link = String::from("data:text/plain;charset=utf-8,");
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'-' {
            link.push(char::from(byte));
        } else {
            let _ = write!(link, "%{byte:02X}");
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_one_code_per_line() {
        assert_eq!(file("ab-2\ncd-3"), "data:text/plain;charset=utf-8,ab-2%0Acd-3");
    }
}
