//! The dialogs at the end of a session. `public/session.js` opens them. Without scripts, they are not part of the
//! page.

use accounts::{
    second_factor::{
        self, UsedFactor, WAIT,
        step::{self, FinishSignIn},
    },
    sign_in::{self, LogIn, StaySignedIn, password_field},
};
use governance::access::session::TimeLeft;
use page_kit::prelude::*;

const LIMIT: &str =
    "Sessions end 12 hours after the sign-in. Sign in again to continue. Your text is preserved.";
const FAILED: &str = "The sign-in failed. Try again.";

/// Renders the dialogs of the user with this email address, as a template. `time` is the time left of the session.
pub(crate) fn dialogs(email: String, time: TimeLeft) -> AnyView {
    any_view! {
        <template data-session=url::SESSION data-idle=time.idle_ms data-limit=time.limit_ms>
            {end_dialog()}
            {sign_in_dialog(email)}
        </template>
        <script type="module" src=url::SESSION_SCRIPT></script>
    }
}

/// Renders the dialog before the session ends. If it has reached its limit, only a new sign-in continues it.
fn end_dialog() -> AnyView {
    any_view! {
        <dialog data-session-end="" aria-labelledby="session-end">
            <h2 id="session-end" tabindex="-1">
                "Your session ends in 2 minutes."
            </h2>
            <div data-when="idle">
                <p>"Sessions end after 30 minutes without use."</p>
                <form method="post" action=StaySignedIn::url() class="row end" data-stay="">
                    <button class="primary">"Stay signed in"</button>
                </form>
            </div>
            <div data-when="limit">
                <p>{LIMIT}</p>
                <div class="row end">
                    <button type="button" class="primary" data-sign-in-again="">
                        "Sign in again"
                    </button>
                </div>
            </div>
        </dialog>
    }
}

/// Renders the sign-in over a page. The email is fixed, because the page belongs to this user.
fn sign_in_dialog(email: String) -> AnyView {
    any_view! {
        <dialog data-sign-in="" aria-labelledby="sign-in-again">
            <h2 id="sign-in-again" tabindex="-1">
                "Sign in"
            </h2>
            <div data-step="first" class="stack">
                {password_form(email)}
                {step::passkey_sign_in("/", false)}
            </div>
            <div data-step="second" class="stack" hidden=true>
                {second_factor_forms()}
            </div>
        </dialog>
    }
}

fn password_form(email: String) -> AnyView {
    any_view! {
        <form
            method="post"
            action=LogIn::url()
            class="stack"
            data-wrong=sign_in::WRONG
            data-wait=WAIT
            data-failed=FAILED
        >
            <p data-when="expired">
                "Your session has expired. Sign in to continue. Your text is preserved."
            </p>
            <p data-when="limit">{LIMIT}</p>
            <p class="field-error" role="alert"></p>
            <input type="hidden" name="next" value="/" />
            <label class="field">
                <span>"Email"</span>
                <input
                    type="email"
                    name="email"
                    value=email
                    autocomplete="username"
                    readonly=true
                />
            </label>
            {password_field(false)}
            <div class="row end">
                <a class="button" href="/login" data-when="expired">
                    "Use another account"
                </a>
                <button class="primary">"Sign in"</button>
            </div>
        </form>
    }
}

/// Renders the second factor after the password. The script shows the factors of the account.
fn second_factor_forms() -> AnyView {
    any_view! {
        <p>{second_factor::WHY}</p>
        <div data-factors="passkey">{step::passkey_step("/")}</div>
        <form
            method="post"
            action=FinishSignIn::url()
            class="stack"
            data-factors="totp recovery_code"
            data-wrong=UsedFactor::Code.wrong()
            data-wait=WAIT
            data-failed=FAILED
        >
            <p class="field-error" role="alert"></p>
            <input type="hidden" name="next" value="/" />
            <TextField
                label="Code from your authenticator app, or a recovery code"
                name="code"
                autocomplete="one-time-code"
                required=true
            />
            <div class="row end">
                <button>"Continue"</button>
            </div>
        </form>
    }
}
