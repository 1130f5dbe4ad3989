//! Choosing a password with a one-time link: the first password, or a new one after a reset.

use contract::member::AccountSetup;
use governance::access::account;
use page_kit::prelude::*;

const INVALID_LINK: &str = "This link has expired or was already used. Sign in, or request a new link on the sign-in page or from an admin.";

/// `/setup?token=`
pub async fn setup() -> PageResult {
    let content = page::or_problem(content(page::query("token")).await);
    Ok(card_page("Choose a password", "card panel", content))
}

async fn content(token: String) -> PageResult {
    let cx = request::governance().public(request::correlation_id());
    if !account::is_link_valid(&cx, &token).await? {
        return Ok(rejected_note(INVALID_LINK.to_owned(), true));
    }
    let rejected = request::take_rejected_cookie(url::SETUP);
    Ok(any_view! {
        <form method="post" action=SetPassword::url() class="stack" data-once="">
            {rejected.map(rejected_form)}
            <p>
                "You sign in with your email address and the password that you choose here. All sessions of the account end."
            </p>
            <input type="hidden" name="token" value=token />
            // Password managers and browsers expect a user name, which is unknown here.
            <input type="text" autocomplete="username" hidden=true />
            <HintedField
                label="Password"
                hint="12 to 256 characters. Avoid common passwords."
                name="password"
                id="password"
                kind="password"
                autocomplete="new-password"
                required=true
            />
            <button class="primary w-full">"Set the password"</button>
        </form>
    })
}

/// Renders the reason why no password was set. Unknown, used and expired links have the same message.
fn rejected_form(rejected: RejectedForm) -> AnyView {
    match rejected.problem.code.as_str() {
        "NOT_FOUND" => rejected_note(INVALID_LINK.to_owned(), true),
        "CONFLICT" => rejected_note(
            "Your email address already has an account. Sign in, and accept the invitation on your account page.".to_owned(),
            true,
        ),
        _ if rejected.text.is_empty() => rejected_note(summary(&rejected.problem), false),
        _ => rejected_note(rejected.text, false),
    }
}

fn rejected_note(text: String, shows_sign_in: bool) -> AnyView {
    let sign_in = shows_sign_in.then(|| {
        view! {
            <p>
                <a href="/login">"Go to the sign-in page"</a>
            </p>
        }
    });
    let paragraphs = view! {
        <p>{text}</p>
        {sign_in}
    };
    long_note(Tone::Deny, Some("alert"), paragraphs)
}

/// Sets the password of the account whose setup link contains `token`, and redirects to the sign-in page.
#[server(prefix = "/console", endpoint = "set-password", output = JsonCodec)]
async fn set_password(token: String, password: String) -> Result<(), Problem> {
    let cx = request::governance().public(request::correlation_id());
    let page = match account::set_up(&cx, AccountSetup { token: token.clone(), password }).await {
        Ok(_) => url::with_query("/login", &[("done", "setup")]),
        Err(error) => {
            request::set_rejected_fields(&error, &[("/password", "Password")], url::SETUP);
            url::with_query(url::SETUP, &[("token", &token)])
        }
    };
    request::redirect(&page);
    Ok(())
}
