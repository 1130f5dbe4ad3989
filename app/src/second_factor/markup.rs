//! Forms of passkeys and fields of codes, on the pages of the sign-in and of the account.

use leptos::{prelude::*, server_fn::ServerFn};

use super::{act::ReadPasskeyOptions, view::PasskeyUse, words};
use crate::{frame::session_words, text::url};

/// A form that asks the browser for a passkey and sends it to `action` (`public/passkey.js`). It is not shown without
/// scripts.
#[component]
pub(crate) fn PasskeyForm(
    purpose: PasskeyUse,
    action: &'static str,
    /// Whether the browser also offers passkeys in the field of the email.
    #[prop(optional)]
    offers_autofill: bool,
    /// The other fields, and the button.
    children: Children,
) -> impl IntoView {
    view! {
        <form
            method="post"
            action=action
            class="stack with-scripts"
            data-passkey=purpose.word()
            data-options=ReadPasskeyOptions::url()
            data-autofill=offers_autofill.then_some("")
            data-cancelled=words::CANCELLED
            data-existing=words::EXISTING
            data-address=words::WRONG_ADDRESS
            data-failed=words::FAILED
            data-wrong=words::WRONG_PASSKEY
            data-wait=session_words::WAIT
        >
            <input type="hidden" name="credential" value="" />
            {children()}
            <p class="field-error" role="alert"></p>
        </form>
        <script type="module" src=url::PASSKEY_SCRIPT></script>
    }
}

/// A field for a code of an authenticator app.
#[component]
pub(crate) fn CodeField(
    #[prop(optional)] is_invalid: bool,
    #[prop(optional)] autofocus: bool,
) -> impl IntoView {
    view! {
        <div class="field">
            <label for="code">{words::CODE}</label>
            <input
                id="code"
                name="code"
                inputmode="numeric"
                autocomplete="one-time-code"
                maxlength="20"
                required=true
                spellcheck="false"
                autofocus=autofocus
                aria-describedby="code-hint"
                aria-invalid=is_invalid.then_some("true")
            />
            <small id="code-hint" class="text-muted">
                {words::CODE_HINT}
            </small>
        </div>
    }
}

/// A field for a recovery code.
#[component]
pub(crate) fn RecoveryField(#[prop(optional)] is_invalid: bool) -> impl IntoView {
    view! {
        <div class="field">
            <label for="recovery">{words::RECOVERY_CODE}</label>
            <input
                id="recovery"
                name="code"
                class="font-mono"
                autocomplete="off"
                autocapitalize="off"
                maxlength="50"
                required=true
                spellcheck="false"
                aria-describedby="recovery-hint"
                aria-invalid=is_invalid.then_some("true")
            />
            <small id="recovery-hint" class="text-muted">
                {words::RECOVERY_HINT}
            </small>
        </div>
    }
}
