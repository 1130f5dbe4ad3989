//! Texts of `/f/{form}`, the public page of a hosted form.

pub const SUBMIT: &str = "Submit";
pub const REQUIRED: &str = "(required)";
/// The first choice of a list.
pub const CHOOSE: &str = "Choose one";
pub const YES: &str = "Yes";
pub const NO: &str = "No";
pub const UTC: &str = "In UTC.";
pub const DATA_NOTICE: &str =
    "Your answers are checked against a policy, and the result is recorded. You get a receipt.";
/// The prefix of the page title when answers contain errors.
pub const ERROR: &str = "Error";
pub const TOKEN_TITLE: &str = "Access token required";
pub const TOKEN_HELP: &str = "Use the link that you were sent, or enter the token from it.";
pub const TOKEN: &str = "Access token";
pub const PASSWORD_TITLE: &str = "Password required";
pub const PASSWORD_HELP: &str = "Ask the sender of the link for the password.";
pub const PASSWORD: &str = "Password";
pub const SIGN_IN_TITLE: &str = "Sign-in required";
pub const SIGN_IN_HELP: &str = "Only members of this organization can submit.";
pub const SIGN_IN: &str = "Sign in";
/// The button that submits a token or password.
pub const CONTINUE: &str = "Continue";
/// The notice above answers that were rejected by a rate limit or a budget.
pub const ANSWERS_PRESERVED: &str = "Your answers are preserved below. Submit them again then.";
pub const ALREADY_SUBMITTED: &str =
    "You already submitted different answers from this page. Submit again to send these too.";
/// The message when no active policy can decide.
pub const CLOSED: &str = "This form is not accepting submissions.";
pub const CORRELATION_ID: &str = "Correlation ID";

pub fn asked_by(name: &str) -> String {
    format!("Requested by {name}.")
}

pub fn need_a_change(count: usize) -> String {
    match count {
        1 => "1 answer needs attention".to_owned(),
        count => format!("{count} answers need attention"),
    }
}

/// Returns when to submit again.
pub fn wait(seconds: u32) -> String {
    match seconds {
        0..=1 => "Try again in a second.".to_owned(),
        2..=119 => format!("Try again in {seconds} seconds."),
        120..=7_199 => format!("Try again in {} minutes.", seconds.div_ceil(60)),
        _ => format!("Try again in {} hours.", seconds.div_ceil(3_600)),
    }
}
