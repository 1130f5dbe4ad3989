//! Sign-in and sign-out; `confirm` is the page that confirms the identity before an action is signed.

pub mod confirm;

use contract::session::SignInRequest;
use governance::access::{
    oidc,
    session::{self, SignIn},
    sign_in,
};
use page_kit::prelude::*;

use crate::second_factor::step;

pub const WRONG: &str = "Incorrect email or password.";

/// `/login`
pub async fn login() -> PageResult {
    let problem = page::query("problem");
    let content = page::or_problem(content(page::query("next"), &problem).await);
    let setup_note = (page::query("done") == "setup")
        .then(|| note(Tone::Allow, Some("status"), "Your password is set. Sign in with it."));
    let rejection = rejection(&problem).map(|text| note(Tone::Deny, Some("alert"), text));
    Ok(any_view! {
        <a class="skip" href="#main">
            {messages::SKIP}
        </a>
        <main id="main" class="public sign-in">
            <div class="sign-in-form">
                <a href="/" class="brand">
                    {logo()}
                    {messages::PRODUCT}
                </a>
                <div class="stack">
                    <Heading title="Sign in" />
                    <p class="text-muted">"To the decisions and policies of your organization."</p>
                    {setup_note}
                    {rejection}
                    {content}
                    <p class="text-muted text-xs">
                        "Signing a policy asks you to confirm your identity again."
                    </p>
                </div>
                <nav class="public-links" aria-label="Public pages">
                    <a href=url::VERIFY>"Verify a decision"</a>
                    <a href=url::TRUST>"Signing keys"</a>
                    <a href="/help">{messages::HELP}</a>
                </nav>
            </div>
            <div class="sign-in-panel">
                <p>"Every decision with its reason, every reason with its proof."</p>
            </div>
        </main>
    })
}

/// Renders the ways to sign in. A user who is already signed in is redirected to `next`, unless the page shows a `problem`.
async fn content(next: String, problem: &str) -> PageResult {
    let is_signed_in = request::parts().extensions.get::<SignedIn>().is_some();
    let is_done = is_signed_in && problem.is_empty();
    let (providers, rejected) = if is_done {
        request::redirect(&next);
        (Vec::new(), None)
    } else {
        (providers().await?, request::take_rejected_cookie(url::LOGIN))
    };
    Ok(any_view! {
        {provider_links(providers, &next)}
        {form(rejected, &next)}
        {step::passkey_sign_in(&next, true)}
    })
}

/// Returns the identity providers of the tenant in the address, or of the tenant of the last sign-in in this browser.
async fn providers() -> Result<Vec<oidc::SignInProvider>, Problem> {
    let tenant = Some(page::query("tenant")).filter(|tenant| !tenant.is_empty());
    let tenant = tenant.or_else(request::last_tenant).and_then(|tenant| tenant.parse().ok());
    match tenant {
        Some(tenant) => Ok(oidc::providers(&request::governance(), tenant).await?),
        None => Ok(Vec::new()),
    }
}

/// Renders the links to the identity providers of a tenant. They come before the password, because a tenant that has a
/// provider wants its members to use it.
fn provider_links(providers: Vec<oidc::SignInProvider>, next: &str) -> Option<AnyView> {
    if providers.is_empty() {
        return None;
    }
    let link = |provider: oidc::SignInProvider| {
        let address = url::with_query(&provider.path.sign_in(), &[("next", next)]);
        let label = format!("Sign in with {}", provider.name);
        view! {
            // The address is not a page of the console, so the router must not handle it.
            <a class="button w-full" href=address rel="external">
                {label}
            </a>
        }
    };
    Some(any_view! {
        <div class="stack">{providers.into_iter().map(link).collect_view()}</div>
        <p class="text-muted text-xs">"Or sign in with a password:"</p>
    })
}

fn form(rejected: Option<RejectedForm>, next: &str) -> AnyView {
    let email = rejected.as_ref().map(|rejected| rejected.text.clone()).unwrap_or_default();
    any_view! {
        <form method="post" action=LogIn::url() class="stack">
            {rejected.map(|rejected| rejected_note(&rejected, WRONG))}
            <input type="hidden" name="next" value=next.to_owned() />
            <TextField
                label="Email"
                name="email"
                kind="email"
                value=email
                autocomplete="username webauthn"
                required=true
                autofocus=true
            />
            {password_field(false)}
            <button class="primary w-full">"Sign in"</button>
            <p>
                <a href=url::RESET>"Forgot password?"</a>
            </p>
        </form>
    }
}

/// Renders the field of the current password.
pub fn password_field(autofocus: bool) -> AnyView {
    any_view! {
        <TextField
            label="Password"
            name="password"
            kind="password"
            autocomplete="current-password"
            required=true
            autofocus
        />
    }
}

/// Renders the error of a failed sign-in, or of a failed confirmation. A wrong email and a wrong password have the same
/// message, which does not reveal whether an account exists.
fn rejected_note(rejected: &RejectedForm, wrong: &'static str) -> AnyView {
    let problem = &rejected.problem;
    let text = if problem.code == "UNAUTHORIZED" { wrong.to_owned() } else { summary(problem) };
    note(Tone::Deny, Some("alert"), text)
}

/// Returns why a sign-in with an identity provider or a passkey was rejected, or why a sign-in ended; `None` for an unknown
/// reason.
fn rejection(reason: &str) -> Option<&'static str> {
    Some(match reason {
        "passkey" => {
            "The passkey was not accepted. Sign in with your password, or try another passkey."
        }
        "expired" => "The sign-in took too long. Start it again.",
        "unknown" => {
            "This sign-in is not available. Ask an admin of your organization for the address."
        }
        "not_started" => {
            "This sign-in took too long, was used already, or another browser started it. Start it again."
        }
        "not_fresh" => {
            "The identity provider did not ask you to sign in again. Sign out, then sign in again."
        }
        "refused" => "The identity provider did not sign you in. Try again.",
        "unavailable" => {
            "The identity provider is not available. Try again later, or sign in with a password."
        }
        "invalid" => {
            "The response of the identity provider is not valid. Try again. If it happens again, report it to \
             an admin."
        }
        "unverified" => {
            "The identity provider does not confirm your email address. Verify the address there, then try again."
        }
        "domain" => "Email addresses of your domain cannot sign in with this identity provider.",
        "no_role" => {
            "The identity provider gives you no role in this organization. Ask an admin for access."
        }
        "roles_omitted" => {
            "The identity provider left out your groups, because there are too many. Ask an admin to limit the groups \
             that it sends, or to add you as a member first."
        }
        "removed" => {
            "You are no longer a member of this organization. Ask an admin for an invitation."
        }
        "invited" => {
            "Your address already has an account. Sign in with its password and accept the invitation first."
        }
        _ => return None,
    })
}

/// Signs a user in and redirects to `next`, or to the page of the second factor. The sign-in dialog of a page gets the error
/// of a failed sign-in as the response, also if the account has a second factor.
#[server(prefix = "/console", endpoint = "log-in", output = JsonCodec)]
pub async fn log_in(email: String, password: String, next: String) -> Result<(), Problem> {
    let (governance, client) = (request::governance(), request::client());
    let body = SignInRequest { email: email.clone(), password };
    let signed_in = sign_in::sign_in(&governance, &client, body).await;
    let session = request::cookie_session()?;
    let result = match signed_in {
        Ok(SignIn::Complete(signed_in)) => session::start(&session, &signed_in, &client).await,
        Ok(SignIn::Pending(pending)) => {
            session::start_pending(&session, &pending).await?;
            if !request::wants_page() {
                return Err(request::second_factor_missing(pending.methods()));
            }
            request::redirect(&url::with_query(url::SECOND_FACTOR, &[("next", &next)]));
            return Ok(());
        }
        Err(error) => Err(error),
    };
    match result.map_err(Problem::from) {
        Ok(()) => request::redirect(&next),
        Err(problem) if !request::wants_page() => return Err(problem),
        Err(problem) => {
            request::set_rejected_cookie(&problem, &email, url::LOGIN);
            request::redirect(&url::with_query(url::LOGIN, &[("next", &next)]));
        }
    }
    Ok(())
}

/// Extends the session, as every request does, and redirects to the current page.
#[server(prefix = "/console", endpoint = "stay-signed-in", output = JsonCodec)]
pub async fn stay_signed_in() -> Result<(), Problem> {
    let page = request::current_page();
    request::signed_in(&page)?;
    request::redirect(&page);
    Ok(())
}

/// Signs the user out and redirects to the sign-in page, or to the sign-out of the identity provider that signed the user
/// in.
#[server(prefix = "/console", endpoint = "log-out", output = JsonCodec)]
pub async fn log_out() -> Result<(), Problem> {
    let parts = request::parts();
    let signed_in = parts.extensions.get::<SignedIn>();
    if signed_in.is_some_and(|signed_in| signed_in.provider.is_some()) {
        request::redirect(url::SIGN_OUT_AT_PROVIDER);
        return Ok(());
    }
    if let Some(session) = request::session() {
        session::destroy(&request::governance(), &session).await?;
    }
    request::delete_sign_ins();
    request::redirect(url::LOGIN);
    Ok(())
}
