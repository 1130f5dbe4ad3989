//! The dialogs at the end of a session. `public/session.js` opens them. Without scripts, they are not part of the
//! page.

use leptos::{prelude::*, server_fn::ServerFn};

use super::view::SessionTime;
use crate::{
    second_factor::{
        act::{FinishSignIn, SignInWithPasskey},
        markup::PasskeyForm,
        view::PasskeyUse,
        words as factor_words,
    },
    sign_in::act::{LogIn, StaySignedIn},
    text::url,
    ui::field::TextField,
};

/// The dialogs of the user with this email address, as a template. `time` is the time left of the session.
#[component]
pub(crate) fn SessionDialogs(email: String, time: SessionTime) -> impl IntoView {
    view! {
        <template data-session=url::SESSION data-idle=time.idle_ms data-limit=time.limit_ms>
            <SessionEnd />
            <SignIn email />
        </template>
        <script type="module" src=url::SESSION_SCRIPT></script>
    }
}

/// The dialog before the session ends. If it has reached its limit, only a new sign-in continues it.
#[component]
fn SessionEnd() -> impl IntoView {
    use super::session_words as strings;
    view! {
        <dialog data-session-end="" aria-labelledby="session-end">
            <h2 id="session-end" tabindex="-1">
                {strings::ENDS}
            </h2>
            <div data-when="idle">
                <p>{strings::IDLE}</p>
                <form method="post" action=StaySignedIn::url() class="row end" data-stay="">
                    <button class="primary">{strings::STAY}</button>
                </form>
            </div>
            <div data-when="limit">
                <p>{strings::LIMIT}</p>
                <div class="row end">
                    <button type="button" class="primary" data-sign-in-again="">
                        {strings::SIGN_IN_AGAIN}
                    </button>
                </div>
            </div>
        </dialog>
    }
}

/// The sign-in over a page. The email is fixed, because the page belongs to this user.
#[component]
fn SignIn(email: String) -> impl IntoView {
    use crate::sign_in::words as sign_in_words;
    view! {
        <dialog data-sign-in="" aria-labelledby="sign-in-again">
            <h2 id="sign-in-again" tabindex="-1">
                {sign_in_words::TITLE}
            </h2>
            <div data-step="first" class="stack">
                <PasswordForm email />
                <PasskeyForm purpose=PasskeyUse::SignIn action=SignInWithPasskey::url()>
                    <input type="hidden" name="next" value="/" />
                    <button class="w-full">{factor_words::SIGN_IN_WITH_PASSKEY}</button>
                </PasskeyForm>
            </div>
            <div data-step="second" class="stack" hidden=true>
                <SecondFactor />
            </div>
        </dialog>
    }
}

#[component]
fn PasswordForm(email: String) -> impl IntoView {
    use super::session_words as strings;
    use crate::sign_in::words as sign_in_words;
    view! {
        <form
            method="post"
            action=LogIn::url()
            class="stack"
            data-wrong=sign_in_words::WRONG
            data-wait=strings::WAIT
            data-failed=strings::FAILED
        >
            <p data-when="expired">{strings::EXPIRED}</p>
            <p data-when="limit">{strings::LIMIT}</p>
            <p class="field-error" role="alert"></p>
            <input type="hidden" name="next" value="/" />
            <label class="field">
                <span>{sign_in_words::EMAIL}</span>
                <input
                    type="email"
                    name="email"
                    value=email
                    autocomplete="username"
                    readonly=true
                />
            </label>
            <TextField
                label=sign_in_words::PASSWORD
                name="password"
                kind="password"
                autocomplete="current-password"
                required=true
            />
            <div class="row end">
                <a class="button" href="/login" data-when="expired">
                    {strings::OTHER_ACCOUNT}
                </a>
                <button class="primary">{sign_in_words::SIGN_IN}</button>
            </div>
        </form>
    }
}

/// The second factor after the password. The script shows the factors of the account.
#[component]
fn SecondFactor() -> impl IntoView {
    use super::session_words as strings;
    view! {
        <p>{factor_words::STEP_WHY}</p>
        <div data-factors="passkey">
            <PasskeyForm purpose=PasskeyUse::SecondFactor action=FinishSignIn::url()>
                <input type="hidden" name="next" value="/" />
                <button class="primary w-full">{factor_words::USE_PASSKEY}</button>
            </PasskeyForm>
        </div>
        <form
            method="post"
            action=FinishSignIn::url()
            class="stack"
            data-factors="totp recovery_code"
            data-wrong=factor_words::WRONG_CODE
            data-wait=strings::WAIT
            data-failed=strings::FAILED
        >
            <p class="field-error" role="alert"></p>
            <input type="hidden" name="next" value="/" />
            <TextField
                label=factor_words::ANY_CODE
                name="code"
                autocomplete="one-time-code"
                required=true
            />
            <div class="row end">
                <button>{factor_words::CONTINUE}</button>
            </div>
        </form>
    }
}
