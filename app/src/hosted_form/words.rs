//! Texts of `/t/{tenant}/forms`.

use contract::{
    error::FieldError,
    form::{AccessMode, BudgetWindow, FieldType, FormLanguage},
    id::FormTokenId,
    text::isolated,
};

pub(crate) const TITLE: &str = "Forms";

pub(crate) const HEAD: [&str; 6] =
    ["Form", "Policy", "Status", "Language", "Submissions", "Budget left"];
pub(crate) const EMPTY: &str = "No forms yet";
pub(crate) const EMPTY_NEXT: &str = "Create a form from an active policy.";
pub(crate) const CREATE: &str = "Create form";
pub(crate) const NO_POLICY: &str =
    "Activate a policy first. Form fields are generated from its rules.";
pub(crate) const POLICY: &str = "Policy";
pub(crate) const NAME: &str = "Title";
pub(crate) const DECISION_TYPE: &str = "Decision type";
pub(crate) const TYPE_HINT: &str = "Leave empty to use the only decision type of the policy.";
pub(crate) const PUBLISHED: &str = "Published";
pub(crate) const UNPUBLISHED: &str = "Not published";
pub(crate) const PUBLISH: &str = "Publish";
pub(crate) const UNPUBLISH: &str = "Unpublish";
pub(crate) const LINK: &str = "Link to the form";
pub(crate) const LINK_INACTIVE: &str = "Publish the form to activate this link.";
/// The tabs of a form: the name in the address, and the label.
pub(crate) const TABS: [(&str, &str); 4] = [
    ("", "Fields"),
    (ACCESS_TAB, "Access"),
    (BRANDING_TAB, "Branding"),
    ("integrate", "Integrate"),
];
pub(crate) const ACCESS_TAB: &str = "access";
pub(crate) const BRANDING_TAB: &str = "branding";
pub(crate) const TOKENS: &str = "Tokens";
pub(crate) const DESCRIPTION: &str = "Description";
pub(crate) const ACCESS: &str = "Who can submit";
pub(crate) const PASSWORD: &str = "New password";
pub(crate) const PASSWORD_HINT: &str =
    "6 to 256 characters. Leave empty to keep the current password. It is not shown again.";
pub(crate) const LIMIT: &str = "Submissions";
pub(crate) const WINDOW: &str = "Per";
pub(crate) const ORGANIZATION: &str = "Organization name";
pub(crate) const ORGANIZATION_HINT: &str = "Leave empty to use the name of the tenant.";
pub(crate) const ORGANIZATION_DESCRIPTION: &str = "Organization description";
pub(crate) const CONFIRMATION: &str = "Confirmation message";
pub(crate) const LANGUAGE: &str = "Language";
pub(crate) const LANGUAGE_HINT: &str =
    "The language of buttons, notices and errors. Your own texts are not translated.";
pub(crate) const OPTIONAL: &str = "Optional.";
pub(crate) const QUESTIONS: &str = "Questions";
pub(crate) const JSON_HINT: &str = "JSON with name, label, type and the options of the type (docs/FORMS.md). Each name is a field that rules read.";
pub(crate) const JSON_ONLY: &str =
    "A question uses options that the form view does not support. Edit the questions as JSON.";
pub(crate) const AS_JSON: &str = "Questions as JSON";
pub(crate) const ONE_BY_ONE: &str = "Questions one by one";
pub(crate) const NO_QUESTIONS: &str = "No questions. A form needs at least one.";
pub(crate) const ADD: &str = "Add a question";
pub(crate) const UP: &str = "Up";
pub(crate) const DOWN: &str = "Down";
pub(crate) const REMOVE: &str = "Remove";
pub(crate) const QUESTION: &str = "Question";
pub(crate) const FIELD: &str = "Field name";
pub(crate) const FIELD_HINT: &str = "The name that rules read, such as contract.value.";
pub(crate) const TYPE: &str = "Type";
pub(crate) const REQUIRED: &str = "Required";
pub(crate) const REQUIRED_MARK: &str = "(required)";
pub(crate) const HELP: &str = "Help text";
pub(crate) const PLACEHOLDER: &str = "Placeholder";
pub(crate) const OPTIONS: &str = "Options";
pub(crate) const OPTIONS_HINT: &str = "One per line: value | label. Numbers, true and false keep their type; put text that looks like one in quotes: \"1\" | One.";
pub(crate) const MIN: &str = "Minimum";
pub(crate) const MAX: &str = "Maximum";
pub(crate) const MIN_LENGTH: &str = "Minimum length";
pub(crate) const MAX_LENGTH: &str = "Maximum length";
pub(crate) const PATTERN: &str = "Pattern";
pub(crate) const PATTERN_HINT: &str = "RE2 syntax. Use ^ and $ to match the whole answer.";
pub(crate) const UNSAVED_CHANGES: &str = "You have unsaved changes.";
pub(crate) const PASSWORD_NOT_STORED: &str = "Enter the new password again. It was not stored.";
pub(crate) const DISCARD: &str = "Discard the changes";
pub(crate) const PREVIEW: &str = "Preview";
pub(crate) const SAVE: &str = "Save";
pub(crate) const DELETE: &str = "Delete this form";
pub(crate) const DELETE_HELP: &str = "The link and all tokens stop working permanently. Recorded decisions and receipts are retained.";
pub(crate) const NO_TOKENS: &str = "No tokens.";
pub(crate) const NO_TOKENS_NEXT: &str = "A token gives access to a form that requires one.";
pub(crate) const TOKENS_HEAD: [&str; 5] =
    ["Token", "Uses", "Expires (UTC)", "Created (UTC)", "Revoked (UTC)"];
pub(crate) const TOKEN: &str = "Link with token";
pub(crate) const CREATE_TOKEN: &str = "Create token";
pub(crate) const REVOKE: &str = "Revoke";
pub(crate) const REVOKE_FINAL: &str =
    "This token stops working immediately. This cannot be undone.";
pub(crate) const NOT_REVOKED: &str = "No";
pub(crate) const USES: &str = "Maximum uses (optional)";
pub(crate) const EXPIRES: &str = "Expires (UTC, optional)";
pub(crate) const TOKEN_CREATED: &str = "Token created.";
pub(crate) const TOKEN_HELP: &str = "Copy the link now. It will not be shown again.";
pub(crate) const TOKEN_COPIED: &str = "I have copied it";
pub(crate) const SCHEMA: &str = "JSON Schema";
pub(crate) const CURL: &str = "curl";
pub(crate) const JAVASCRIPT: &str = "JavaScript";
pub(crate) const PYTHON: &str = "Python";
pub(crate) const OPENAPI: &str = "OpenAPI";

pub(crate) const FIELDS: [(&str, &str); 14] = [
    ("/policy_id", POLICY),
    ("/title", NAME),
    ("/description", DESCRIPTION),
    ("/decision_type", DECISION_TYPE),
    ("/access_mode", ACCESS),
    ("/password", PASSWORD),
    ("/token_budget/limit", LIMIT),
    ("/token_budget/window", WINDOW),
    ("/branding/label", ORGANIZATION),
    ("/branding/description", ORGANIZATION_DESCRIPTION),
    ("/success_message", CONFIRMATION),
    ("/language", LANGUAGE),
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

pub(crate) const fn language(language: FormLanguage) -> &'static str {
    match language {
        FormLanguage::Auto => "Browser language",
        FormLanguage::English => "English",
        FormLanguage::German => "German",
        FormLanguage::French => "French",
        FormLanguage::Spanish => "Spanish",
    }
}

pub(crate) fn question(index: usize, label: &str) -> String {
    format!("{}: {}", question_number(index), isolated(label))
}

/// Returns the label of a button of a question, for example "Remove question 2: Amount".
pub(crate) fn at_question(action: &str, index: usize, label: &str) -> String {
    format!("{action} {}: {}", question_number(index).to_lowercase(), isolated(label))
}

fn question_number(index: usize) -> String {
    format!("{QUESTION} {}", index + 1)
}

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
        FieldType::Email => "Email address",
        FieldType::Url => "URL",
    }
}

/// Formats an error of a member with its location, for example "Question 2, type: must be one of …".
pub(crate) fn error(error: &FieldError) -> String {
    let location = location(&error.path).unwrap_or_else(|| error.path.clone());
    let stop = if error.message.ends_with('.') { "" } else { "." };
    format!("{location}: {}{stop}", error.message)
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

pub(crate) const fn access(mode: AccessMode) -> &'static str {
    match mode {
        AccessMode::Open => "Anyone with the link",
        AccessMode::Token => "Anyone with a token",
        AccessMode::Password => "Anyone with the password",
        AccessMode::Console => "Members who sign in",
    }
}

pub(crate) const fn link_note(mode: AccessMode) -> &'static str {
    match mode {
        AccessMode::Open => "Anyone with this link can submit.",
        AccessMode::Token => "A token is also required.",
        AccessMode::Password => "The password is also required.",
        AccessMode::Console => "Submitters must be members and sign in.",
    }
}

pub(crate) const fn window(window: BudgetWindow) -> &'static str {
    match window {
        BudgetWindow::Hour => "hour",
        BudgetWindow::Day => "day",
        BudgetWindow::Total => "total",
    }
}

pub(crate) fn budget_left(left: u32, window: BudgetWindow) -> String {
    match window {
        BudgetWindow::Hour => format!("{left} this hour"),
        BudgetWindow::Day => format!("{left} today"),
        BudgetWindow::Total => format!("{left} in all"),
    }
}

pub(crate) fn uses((used, max): (u32, Option<u32>)) -> String {
    max.map_or_else(|| used.to_string(), |max| format!("{used} of {max}"))
}

pub(crate) fn revoke(token: FormTokenId) -> String {
    format!("{REVOKE} {token}")
}

pub(crate) fn no_json(error: &str) -> String {
    format!("this is not JSON ({error})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_its_location_with_the_labels_of_the_page() {
        let message_at = |path: &str| {
            let (code, message) = ("x".to_owned(), "must not be empty".to_owned());
            error(&FieldError { path: path.to_owned(), code, message })
        };
        for (path, expected) in [
            ("/title", "Title: must not be empty."),
            ("/fields", "Questions: must not be empty."),
            ("/fields/1", "Question 2: must not be empty."),
            ("/fields/1/max_length", "Question 2, maximum length: must not be empty."),
            ("/fields/0/options/2/label", "Question 1, options, line 3: must not be empty."),
            ("/fields/0/lable", "/fields/0/lable: must not be empty."),
        ] {
            assert_eq!(message_at(path), expected);
        }
    }
}
