//! Second factors: passkeys, the authenticator app and recovery codes. `step` is the page after the password, `security` has
//! the section of the account page, and `authenticator` and `codes` have the pages that set up an app and show new codes.

pub mod authenticator;
pub mod codes;
pub mod security;
pub mod step;

use contract::{
    read::FromJson,
    second_factor::{PasskeyOptions, SecondFactorKind},
};
use governance::access::{second_factor::passkey, session};
use http::StatusCode;
use leptos_axum::ResponseOptions;
use page_kit::prelude::*;

pub const WHY: &str = "Your password is correct. Your account also needs a second factor.";
pub(crate) const USE_PASSKEY: &str = "Use a passkey";
pub(crate) const CODE: &str = "Code from your authenticator app";
pub(crate) const RECOVERY_CODE: &str = "Recovery code";
pub(crate) const RECOVERY_HINT: &str = "Each code works once.";
/// The script replaces `{seconds}`.
pub const WAIT: &str = "Too many requests. Try again in {seconds} seconds.";

contract::named_enum! {
    /// What a form needs a passkey for.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub(crate) enum PasskeyUse {
        /// Adding it to the account.
        Create = "create",
        /// Signing in without a password.
        SignIn = "sign_in",
        /// The second factor after the password.
        SecondFactor = "second_factor",
        /// Confirming an action that signs.
        Confirm = "confirm",
    }
}

/// The kinds of second factors that an account has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Factors {
    pub(crate) passkey: bool,
    /// An authenticator app.
    pub(crate) totp: bool,
    pub(crate) recovery_code: bool,
}

impl Factors {
    pub(crate) fn of(kinds: &[SecondFactorKind]) -> Self {
        let has = |kind| kinds.contains(&kind);
        Self {
            passkey: has(SecondFactorKind::Passkey),
            totp: has(SecondFactorKind::Totp),
            recovery_code: has(SecondFactorKind::RecoveryCode),
        }
    }

    /// Returns whether a form asks for a code: of the app, or a recovery code.
    pub(crate) const fn has_codes(self) -> bool {
        self.totp || self.recovery_code
    }
}

contract::named_enum! {
    /// The factor that a form contained. Its name is the text of the rejected form.
    pub enum UsedFactor {
        Passkey = "passkey",
        /// A code of an authenticator app: digits only.
        Code = "code",
        RecoveryCode = "recovery_code",
    }
}

impl UsedFactor {
    /// Returns the factor of a form with a code, or with a passkey if the code is empty.
    fn of(code: &str) -> Self {
        match code.trim() {
            "" => Self::Passkey,
            code if code.chars().all(|c| c.is_ascii_digit() || c == ' ') => Self::Code,
            _ => Self::RecoveryCode,
        }
    }

    /// Returns the text about a factor that is wrong.
    pub const fn wrong(self) -> &'static str {
        match self {
            Self::Passkey => "The passkey was not accepted. Try again, or sign in another way.",
            Self::Code => {
                "Incorrect code. Enter the code that the app shows now. Each code works once."
            }
            Self::RecoveryCode => "Incorrect recovery code, or the code was used before.",
        }
    }
}

/// Renders a form that asks the browser for a passkey and sends it to `action` (`public/passkey.js`). It is not shown
/// without scripts. `content` are the other fields and the button. With `offers_autofill`, the browser also offers passkeys
/// in the field of the email.
pub(crate) fn passkey_form(
    purpose: PasskeyUse,
    action: &'static str,
    offers_autofill: bool,
    content: impl IntoView + 'static,
) -> AnyView {
    let content = content.into_any();
    any_view! {
        <form
            method="post"
            action=action
            class="stack with-scripts"
            data-passkey=purpose.as_str()
            data-options=ReadPasskeyOptions::url()
            data-autofill=offers_autofill.then_some("")
            data-cancelled="The browser gave no passkey. Try again, or use another way."
            data-existing="This device already has a passkey for your account."
            data-address="Passkeys do not work at this address of the service. Open the console at the address that your admin gave you."
            data-failed="The browser could not use a passkey."
            data-wrong=UsedFactor::Passkey.wrong()
            data-wait=WAIT
        >
            <input type="hidden" name="credential" value="" />
            {content}
            <p class="field-error" role="alert"></p>
        </form>
        <script type="module" src=url::PASSKEY_SCRIPT></script>
    }
}

/// Renders the field for a code of an authenticator app. It takes the focus.
fn code_field(is_invalid: bool) -> AnyView {
    any_view! {
        <div class="field">
            <label for="code">{CODE}</label>
            <input
                id="code"
                name="code"
                inputmode="numeric"
                autocomplete="one-time-code"
                maxlength="20"
                required=true
                spellcheck="false"
                autofocus=true
                aria-describedby="code-hint"
                aria-invalid=is_invalid.then_some("true")
            />
            <small id="code-hint" class="text-muted">
                "6 digits. A new code appears every 30 seconds."
            </small>
        </div>
    }
}

/// Returns the options with which the browser creates or uses a passkey.
#[server(prefix = "/console", endpoint = "passkey-options", output = JsonCodec)]
async fn read_passkey_options(purpose: PasskeyUse) -> Result<PasskeyOptions, Problem> {
    let governance = request::governance();
    let options = match purpose {
        PasskeyUse::Create => {
            passkey::creation_options(&governance, &request::signed_in(url::ACCOUNT)?).await?
        }
        PasskeyUse::SignIn => passkey::sign_in_options(&governance),
        PasskeyUse::SecondFactor => {
            let pending = step::pending().await?.ok_or_else(step::expired)?;
            passkey::second_factor_options(&governance, &pending).await?
        }
        PasskeyUse::Confirm => {
            passkey::confirm_options(&governance, &request::signed_in(url::ACCOUNT)?).await?
        }
    };
    Ok(options)
}

/// Parses the passkey that the browser returned.
pub(crate) fn parse(credential: &str) -> Result<Object, Problem> {
    let value = Value::parse(credential.as_bytes(), &Limits::REQUEST).ok();
    let object = value.and_then(|value| value.as_object().cloned());
    object.ok_or_else(|| Problem::of_form("the browser returned no passkey"))
}

/// Returns the problem of a factor or password that is wrong, and sets the status of the response.
pub(crate) fn unauthorized() -> Problem {
    let status = StatusCode::UNAUTHORIZED;
    expect_context::<ResponseOptions>().set_status(status);
    let code = ErrorCode::Unauthorized.as_str().to_owned();
    Problem { code, status: status.as_u16(), ..Problem::default() }
}

/// Continues the session with a new token.
pub(crate) async fn renew(signed_in: &SignedIn) -> Result<(), Problem> {
    Ok(session::renew(&request::cookie_session()?, signed_in).await?)
}

/// Members and labels of the forms.
const LABELS: [(&str, &str); 3] =
    [("/name", "Name"), ("/code", "Code"), ("/credential", "Passkey")];

fn read_form<T: FromJson, const MEMBERS: usize>(
    body: [(&str, Value); MEMBERS],
) -> Result<T, Problem> {
    request::read_form(Object::from(body), &LABELS)
}

/// Returns the signed-in user, and the context of a change of the account.
fn account() -> Result<(SignedIn, Cx), Problem> {
    let signed_in = request::signed_in(url::ACCOUNT)?;
    Ok((signed_in, request::governance().public(request::correlation_id())))
}

/// Continues the session after the removal of a factor, or ends it if it needs that factor. Redirects to the account page
/// with the notice `done`, or with the reason why the removal was refused.
async fn respond_to_removal(
    removed: governance::Result<Option<SignedIn>>,
    done: &str,
) -> Result<(), Problem> {
    let continued = async {
        let signed_in = removed?;
        Ok(session::renew_or_end(&request::cookie_session()?, signed_in.as_ref()).await?)
    };
    respond(continued.await, done).await
}

/// Redirects to the account page with the notice `done`, or with the reason why the action was refused.
async fn respond<T>(result: Result<T, Problem>, done: &str) -> Result<(), Problem> {
    let done = url::with_query(url::ACCOUNT, &[("done", done)]);
    request::respond(result, &done, url::SECURITY, String::new()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_without_a_code_contains_a_passkey() {
        assert_eq!(UsedFactor::of(" "), UsedFactor::Passkey);
        assert_eq!(UsedFactor::of("123 456"), UsedFactor::Code);
        assert_eq!(UsedFactor::of("abcd-2345-abcd-2345"), UsedFactor::RecoveryCode);
    }

    #[test]
    fn an_account_with_only_passkeys_has_no_codes() {
        let factors = Factors::of(&[SecondFactorKind::Passkey]);
        assert!(factors.passkey && !factors.has_codes());
        assert!(Factors::of(&[SecondFactorKind::RecoveryCode]).has_codes());
    }
}
