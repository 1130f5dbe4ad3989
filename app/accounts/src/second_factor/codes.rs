//! Recovery codes: their part of the account page, and the page that shows new ones once.

use std::fmt::Write as _;

use governance::access::second_factor::recovery_code;
use page_kit::{prelude::*, ui::copy::CopyButton};

use super::{account, renew};

/// `/account/recovery-codes`
pub async fn recovery_codes() -> PageResult {
    let content = page::or_problem(content());
    Ok(card_page("Save your recovery codes", "card panel stack", content))
}

fn content() -> PageResult {
    request::signed_in(url::ACCOUNT)?;
    let Some(OneTimeSecret { secret: text, .. }) = request::take_created(url::RECOVERY_CODES)
    else {
        let gone = view! {
            {empty_state(
                "The codes are no longer shown.",
                "Generate new codes on the page of your account.",
            )}
            <p>
                <a href=url::SECURITY>"Back to your account"</a>
            </p>
        };
        return Ok(gone.into_any());
    };
    let next = page::query("next");
    let next = if next.is_empty() { url::ACCOUNT } else { url::own_path(&next) }.to_owned();
    let item = |code: &str| {
        let code = code.to_owned();
        view! {
            <li>
                <code>{code}</code>
            </li>
        }
    };
    let codes = text.lines().map(item).collect_view();
    Ok(any_view! {
        <p>
            "Each code signs you in once if you lose your passkeys and your authenticator app. Store the codes where only you can read them, for example in a password manager. They are shown only now."
        </p>
        <ol class="recovery-codes">{codes}</ol>
        <div class="row">
            <a class="button" href=file(&text) download="govern-recovery-codes.txt" rel="external">
                "Download"
            </a>
            <button type="button" class="with-scripts" data-print="">
                "Print"
            </button>
            <CopyButton what="Recovery codes" value=text />
        </div>
        <p>
            <a class="button primary w-full" href=next rel="external">
                "I have saved the codes"
            </a>
        </p>
    })
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

/// Returns the address after an action that can create recovery codes: `next`, or the page that shows the codes first. The
/// codes are sent to the browser.
pub(super) fn before(next: &str, codes: &[String]) -> String {
    if codes.is_empty() {
        return next.to_owned();
    }
    let secret = OneTimeSecret { name: String::new(), secret: codes.join("\n") };
    request::set_created(&secret, url::RECOVERY_CODES);
    url::with_query(url::RECOVERY_CODES, &[("next", next)])
}

/// Renders how many recovery codes are left, and the form that replaces them.
pub(super) fn left(has_factors: bool, left: u32) -> AnyView {
    if !has_factors {
        return any_view! { <p>"You get recovery codes when you add your first second factor."</p> };
    }
    let left = match left {
        0 => "No recovery codes left. Generate new codes.".to_owned(),
        1 => "1 recovery code left. Generate new codes soon.".to_owned(),
        number => format!("{number} recovery codes left."),
    };
    any_view! {
        <p>{left}</p>
        <details class="disclosure">
            <summary>"Generate new codes"</summary>
            <form method="post" action=ReplaceRecoveryCodes::url() class="stack" data-once="">
                <p>"Your current recovery codes stop working."</p>
                <div class="row">
                    <button>"Generate new codes"</button>
                </div>
            </form>
        </details>
    }
}

/// Replaces the recovery codes and redirects to the page that shows them.
#[server(prefix = "/console", endpoint = "replace-recovery-codes", output = JsonCodec)]
async fn replace_recovery_codes() -> Result<(), Problem> {
    let (signed_in, cx) = account()?;
    let replaced = replace(&cx, &signed_in).await;
    let done = replaced.as_ref().map(|codes| before(url::ACCOUNT, codes)).unwrap_or_default();
    request::respond(replaced, &done, url::SECURITY, String::new()).await
}

async fn replace(cx: &Cx, signed_in: &SignedIn) -> Result<Vec<String>, Problem> {
    let (codes, signed_in) = recovery_code::replace(cx, signed_in).await?;
    renew(&signed_in).await?;
    Ok(codes.recovery_codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_one_code_per_line() {
        assert_eq!(file("ab-2\ncd-3"), "data:text/plain;charset=utf-8,ab-2%0Acd-3");
    }
}
