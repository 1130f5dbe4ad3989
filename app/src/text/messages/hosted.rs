//! Texts of `/t/{tenant}/forms`.

use contract::{
    error::FieldError,
    form::{AccessMode, BudgetWindow, FieldType},
    id::FormTokenId,
};

pub(crate) use super::menu::FORMS as TITLE;
pub(crate) const HEAD: [&str; 5] = ["Form", "Policy", "State", "Submissions", "Budget left"];
pub(crate) const EMPTY: &str = "No forms yet.";
pub(crate) const EMPTY_NEXT: &str = "Make one from an active policy.";
pub(crate) const CREATE: &str = "Make a form";
pub(crate) const NO_POLICY: &str =
    "No policy is active. Activate one first: a form's questions are drawn from its rules.";
pub(crate) const POLICY: &str = "Policy that decides";
pub(crate) const NAME: &str = "Title";
pub(crate) const DECISION_TYPE: &str = "Decision type";
pub(crate) const TYPE_HINT: &str = "Empty: the policy's own, when it decides on exactly one.";
pub(crate) const PUBLISHED: &str = "Published";
pub(crate) const UNPUBLISHED: &str = "Not published";
pub(crate) const PUBLISH: &str = "Publish";
pub(crate) const UNPUBLISH: &str = "Unpublish";
pub(crate) const LINK: &str = "Link to the form";
pub(crate) const LINK_DEAD: &str = "The link leads nowhere until the form is published.";
pub(crate) const TABS: [(&str, &str); 3] =
    [("", "Form"), ("tokens", "Tokens"), ("integrate", "Integrate")];
pub(crate) const DESCRIPTION: &str = "What it is for";
pub(crate) const ACCESS: &str = "Who may submit";
pub(crate) const PASSWORD: &str = "New password";
pub(crate) const PASSWORD_HINT: &str =
    "6 to 256 characters; empty leaves the one there is. It is not shown again.";
pub(crate) const LIMIT: &str = "Submissions";
pub(crate) const WINDOW: &str = "In each";
pub(crate) const ASKER: &str = "Who asks";
pub(crate) const ASKER_HINT: &str = "Empty: the name of the tenant.";
pub(crate) const ABOUT: &str = "About who asks";
pub(crate) const THANKS: &str = "After a submission";
pub(crate) const OPTIONAL: &str = "Optional.";
pub(crate) const QUESTIONS: &str = "Questions";
pub(crate) const JSON_HINT: &str = "As JSON: name, label, type, and what the type allows (docs/FORMS.md). Each name is a field that rules read.";
pub(crate) const JSON_ONLY: &str =
    "One of the questions holds what no field can show, so they stand here as JSON.";
pub(crate) const AS_JSON: &str = "Questions as JSON";
pub(crate) const ONE_BY_ONE: &str = "Questions one by one";
pub(crate) const NO_QUESTIONS: &str = "There is no question. A form asks at least one.";
pub(crate) const ADD: &str = "Add a question";
pub(crate) const UP: &str = "Up";
pub(crate) const DOWN: &str = "Down";
pub(crate) const REMOVE: &str = "Remove";
pub(crate) const QUESTION: &str = "Question";
pub(crate) const FIELD: &str = "Field that takes the answer";
pub(crate) const FIELD_HINT: &str = "The name that rules read, such as contract.value.";
pub(crate) const TYPE: &str = "Type";
pub(crate) const REQUIRED: &str = "Must be answered";
pub(crate) const HELP: &str = "Help beside it";
pub(crate) const PLACEHOLDER: &str = "Example inside the empty field";
pub(crate) const OPTIONS: &str = "Options";
pub(crate) const OPTIONS_HINT: &str = "One a line: value | label. Numbers, true and false are taken as such; a text that looks like one stands in quotes: \"1\" | One.";
pub(crate) const MIN: &str = "Least number";
pub(crate) const MAX: &str = "Greatest number";
pub(crate) const MIN_LENGTH: &str = "Fewest characters";
pub(crate) const MAX_LENGTH: &str = "Most characters";
pub(crate) const PATTERN: &str = "Pattern that it must match";
pub(crate) const PATTERN_HINT: &str = "RE2 syntax, searched: anchor it with ^ and $.";
pub(crate) const NOT_SAVED: &str = "What you changed here is not saved yet.";
pub(crate) const PASSWORD_AGAIN: &str = "Type the new password again: it is not kept.";
pub(crate) const DISCARD: &str = "Discard the changes";
pub(crate) const PREVIEW: &str = "Preview";
pub(crate) const SAVE: &str = "Save";
pub(crate) const DELETE: &str = "Delete this form";
pub(crate) const DELETE_SAYS: &str = "Its link and its tokens end for good. The decisions that it led to stay, with their receipts under /r.";
pub(crate) const NO_TOKENS: &str = "No tokens.";
pub(crate) const NO_TOKENS_NEXT: &str = "A token opens the form while it asks for one.";
pub(crate) const TOKENS_HEAD: [&str; 5] =
    ["Token", "Uses", "Expires (UTC)", "Made (UTC)", "Revoked (UTC)"];
pub(crate) const TOKEN: &str = "Link with token";
pub(crate) const MAKE_TOKEN: &str = "Make a token";
pub(crate) const REVOKE: &str = "Revoke";
pub(crate) const REVOKE_FINAL: &str =
    "The form opens no more with this token. That is final: a revoked token does not come back.";
pub(crate) const NOT_REVOKED: &str = "No";
pub(crate) const USES: &str = "Uses; empty for any number";
pub(crate) const EXPIRES: &str = "Expires (UTC); empty for never";
pub(crate) const TOKEN_MADE: &str = "The token is made.";
pub(crate) const TOKEN_SAYS: &str =
    "Copy the link now. It is shown this once: the service keeps only a digest of the token.";
pub(crate) const TOKEN_SAVED: &str = "I have copied it";
pub(crate) const SCHEMA: &str = "JSON Schema";
pub(crate) const CURL: &str = "curl";
pub(crate) const JAVASCRIPT: &str = "JavaScript";
pub(crate) const PYTHON: &str = "Python";
pub(crate) const OPENAPI: &str = "OpenAPI";

/// The labels of the wire members.
pub(crate) const FIELDS: [(&str, &str); 13] = [
    ("/policy_id", POLICY),
    ("/title", NAME),
    ("/description", DESCRIPTION),
    ("/decision_type", DECISION_TYPE),
    ("/access_mode", ACCESS),
    ("/password", PASSWORD),
    ("/token_budget/limit", LIMIT),
    ("/token_budget/window", WINDOW),
    ("/branding/label", ASKER),
    ("/branding/description", ABOUT),
    ("/success_message", THANKS),
    ("/fields", QUESTIONS),
    ("/max_uses", USES),
];

/// The labels of the members of a question.
const MEMBERS: [(&str, &str); 12] = [
    ("label", QUESTION),
    ("name", FIELD),
    ("type", TYPE),
    ("required", REQUIRED),
    ("help", HELP),
    ("placeholder", PLACEHOLDER),
    ("options", OPTIONS),
    ("min", MIN),
    ("max", MAX),
    ("min_length", MIN_LENGTH),
    ("max_length", MAX_LENGTH),
    ("pattern", PATTERN),
];

/// Returns, for example, "Question 2: Amount".
pub(crate) fn question(index: usize, label: &str) -> String {
    format!("{QUESTION} {}: {label}", index + 1)
}

/// Returns the label of a button of a question, for example "Remove question 2: Amount".
pub(crate) fn at_question(action: &str, index: usize, label: &str) -> String {
    format!("{action} {}: {label}", question_number(index).to_lowercase())
}

fn question_number(index: usize) -> String {
    format!("{QUESTION} {}", index + 1)
}

/// Returns the display name of a field type.
pub(crate) const fn kind(kind: FieldType) -> &'static str {
    match kind {
        FieldType::Text => "One line of text",
        FieldType::Textarea => "Several lines of text",
        FieldType::Number => "Number",
        FieldType::Date => "Day",
        FieldType::Datetime => "Day and time",
        FieldType::Boolean => "Yes or no",
        FieldType::Select => "One of the options",
        FieldType::Multiselect => "Any of the options",
        FieldType::Email => "E-mail address",
        FieldType::Url => "Address of the web",
    }
}

/// Formats an error of a member with its location, for example "Question 2, type: must be one of …".
pub(crate) fn fault(fault: &FieldError) -> String {
    let location = location(&fault.path).unwrap_or_else(|| fault.path.clone());
    let stop = if fault.message.ends_with('.') { "" } else { "." };
    format!("{location}: {}{stop}", fault.message)
}

fn location(path: &str) -> Option<String> {
    if let Some((_, label)) = FIELDS.iter().find(|(member_path, _)| *member_path == path) {
        return Some((*label).to_owned());
    }
    let mut segments = path.strip_prefix("/fields/")?.split('/');
    let number = |segment: &str| segment.parse::<usize>().ok();
    let mut label = question_number(number(segments.next()?)?);
    if let Some(member) = segments.next() {
        let (_, member_label) = MEMBERS.iter().find(|(name, _)| *name == member)?;
        label = format!("{label}, {}", member_label.to_lowercase());
        if let Some(line) = segments.next().and_then(number) {
            label = format!("{label}, line {}", line + 1);
        }
    }
    Some(label)
}

/// Returns the display name of an access mode.
pub(crate) const fn access(mode: AccessMode) -> &'static str {
    match mode {
        AccessMode::Open => "Anyone with the link",
        AccessMode::Token => "Anyone with a token",
        AccessMode::Password => "Anyone with the password",
        AccessMode::Console => "Members who sign in",
    }
}

/// Returns the note next to the link.
pub(crate) const fn link_says(mode: AccessMode) -> &'static str {
    match mode {
        AccessMode::Open => "Anyone with this link can submit.",
        AccessMode::Token => "Whoever has this link needs a token besides.",
        AccessMode::Password => "Whoever has this link needs the password besides.",
        AccessMode::Console => "Whoever has this link must be a member and sign in.",
    }
}

/// Returns the display name of a budget window.
pub(crate) const fn window(window: BudgetWindow) -> &'static str {
    match window {
        BudgetWindow::Hour => "hour",
        BudgetWindow::Day => "day",
        BudgetWindow::Total => "its whole life",
    }
}

/// Returns, for example, "12 this hour".
pub(crate) fn left(left: u32, window: BudgetWindow) -> String {
    match window {
        BudgetWindow::Hour => format!("{left} this hour"),
        BudgetWindow::Day => format!("{left} today"),
        BudgetWindow::Total => format!("{left} in all"),
    }
}

/// Returns, for example, "1 of 3".
pub(crate) fn uses((used, max): (u32, Option<u32>)) -> String {
    max.map_or_else(|| used.to_string(), |max| format!("{used} of {max}"))
}

/// Returns the label of the revoke button of a row.
pub(crate) fn revoke(token: FormTokenId) -> String {
    format!("{REVOKE} {token}")
}

/// Returns the error for questions that are not JSON.
pub(crate) fn no_json(fault: &str) -> String {
    format!("this is not JSON ({fault})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_its_location_with_the_labels_of_the_page() {
        let message_at = |path: &str| {
            let (code, message) = ("x".to_owned(), "must not be empty".to_owned());
            fault(&FieldError { path: path.to_owned(), code, message })
        };
        for (path, expected) in [
            ("/title", "Title: must not be empty."),
            ("/fields", "Questions: must not be empty."),
            ("/fields/1", "Question 2: must not be empty."),
            ("/fields/1/max_length", "Question 2, most characters: must not be empty."),
            ("/fields/0/options/2/label", "Question 1, options, line 3: must not be empty."),
            ("/fields/0/lable", "/fields/0/lable: must not be empty."),
        ] {
            assert_eq!(message_at(path), expected);
        }
    }
}
