//! `/f/{form}`: the words of the page that the public fills in.

/// The button.
pub const SUBMIT: &str = "Submit";
/// Beside questions that must be answered.
pub const REQUIRED: &str = "(required)";
/// The first choice of a list.
pub const CHOOSE: &str = "Choose one";
/// The answers to a question of yes or no.
pub const YES: &str = "Yes";
/// The other one.
pub const NO: &str = "No";
/// Which zone a date and time is in.
pub const UTC: &str = "In UTC.";
/// What happens to the answers.
pub const WHAT_HAPPENS: &str =
    "Your answers are checked against a policy, and the outcome is recorded. You get a receipt.";
/// Before the title of a page with refused answers.
pub const ERROR: &str = "Error";
/// The gate of a form that asks for a token.
pub const TOKEN_TITLE: &str = "This form asks for an access token";
/// Where tokens come from.
pub const TOKEN_SAYS: &str = "Use the link that you were sent, or enter the token from it.";
/// The field.
pub const TOKEN: &str = "Access token";
/// The gate of a form that asks for a password.
pub const PASSWORD_TITLE: &str = "This form asks for a password";
/// Where it comes from.
pub const PASSWORD_SAYS: &str = "Whoever sent you the link can tell you the password.";
/// The field.
pub const PASSWORD: &str = "Password";
/// The gate of a form for members.
pub const SIGN_IN_TITLE: &str = "This form asks you to sign in";
/// Whom it is for.
pub const SIGN_IN_SAYS: &str = "It is for members of the organisation that asks.";
/// The link.
pub const SIGN_IN: &str = "Sign in";
/// The button of a gate.
pub const CONTINUE: &str = "Continue";
/// Above answers that were refused for their number.
pub const KEPT: &str = "Your answers are kept below. Submit them again then.";
/// Above answers that were sent before in other words.
pub const SENT_BEFORE: &str =
    "Other answers were sent from this page before. Submit again to send these as well.";
/// Where no policy decides any more.
pub const CLOSED: &str = "This form takes no answers at the moment.";
/// Before the request's name.
pub const CORRELATION_ID: &str = "Correlation id";

/// "Asked by Acme."
pub fn asked_by(name: &str) -> String {
    format!("Asked by {name}.")
}

/// "2 answers need a change"
pub fn need_a_change(count: usize) -> String {
    match count {
        1 => "1 answer needs a change".to_owned(),
        count => format!("{count} answers need a change"),
    }
}

/// When to submit again.
pub fn wait(seconds: u32) -> String {
    match seconds {
        0..=1 => "Try again in a second.".to_owned(),
        2..=119 => format!("Try again in {seconds} seconds."),
        120..=7_199 => format!("Try again in {} minutes.", seconds.div_ceil(60)),
        _ => format!("Try again in {} hours.", seconds.div_ceil(3_600)),
    }
}
