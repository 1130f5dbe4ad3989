//! The fields of the editor of a form: their labels, and their errors as text next to each field.

use page_kit::prelude::*;

/// The labels of the members of a form, and of a token.
pub(super) const FIELDS: [(&str, &str); 14] = [
    ("/policy_id", "Policy"),
    ("/title", "Title"),
    ("/description", "Description"),
    ("/decision_type", "Decision type"),
    ("/access_mode", "Who can submit"),
    ("/password", "New password"),
    ("/token_budget/limit", "Submissions"),
    ("/token_budget/window", "Per"),
    ("/branding/label", "Organization name"),
    ("/branding/description", "Organization description"),
    ("/success_message", "Confirmation message"),
    ("/language", "Language"),
    ("/fields", "Questions"),
    ("/max_uses", "Maximum uses (optional)"),
];

/// The labels of the members of a question.
const MEMBERS: [(&str, &str); 12] = [
    ("label", QUESTION),
    ("name", "Field name"),
    ("type", "Type"),
    ("required", "Required"),
    ("help", "Help text"),
    ("placeholder", "Placeholder"),
    ("options", "Options"),
    ("min", "Minimum"),
    ("max", "Maximum"),
    ("min_length", "Minimum length"),
    ("max_length", "Maximum length"),
    ("pattern", "Pattern"),
];

const QUESTION: &str = "Question";

/// The hint of a field that may stay empty.
pub(super) const OPTIONAL: &str = "Optional.";

/// Returns the label of the member at a wire path.
pub(super) fn label(path: &str) -> &'static str {
    let in_question = path.strip_prefix("/fields/").and_then(|path| path.split('/').nth(1));
    in_question.map_or_else(|| find(&FIELDS, path), |name| find(&MEMBERS, name)).unwrap_or_default()
}

fn find(labels: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    labels.iter().find(|(own, _)| *own == name).map(|(_, label)| *label)
}

pub(super) fn question_number(index: usize) -> String {
    format!("{QUESTION} {}", index + 1)
}

/// Formats an error of a member with its location, for example "Question 2, type: must be one of …".
pub(super) fn sentence(error: &FieldError) -> String {
    let location = location(&error.path).unwrap_or_else(|| error.path.clone());
    let stop = if error.message.ends_with('.') { "" } else { "." };
    format!("{location}: {}{stop}", error.message)
}

fn location(path: &str) -> Option<String> {
    if let Some(label) = find(&FIELDS, path) {
        return Some(label.to_owned());
    }
    let mut segments = path.strip_prefix("/fields/")?.split('/');
    let number = |segment: &str| segment.parse::<usize>().ok();
    let mut location = question_number(number(segments.next()?)?);
    if let Some(member) = segments.next() {
        location = format!("{location}, {}", find(&MEMBERS, member)?.to_lowercase());
        if let Some(line) = segments.next().and_then(number) {
            location = format!("{location}, line {}", line + 1);
        }
    }
    Some(location)
}

/// Returns the ID of the field that shows the value at a wire path. All options share one field, and so do questions
/// that are edited as JSON.
pub(super) fn anchor(path: &str, is_json: bool) -> String {
    let depth = match path.strip_prefix("/fields/") {
        Some(_) if is_json => 1,
        Some(_) => 3,
        None => 2,
    };
    path.split('/').skip(1).take(depth).collect::<Vec<_>>().join("-")
}

/// Creates the field of the member at a wire path. `name` is its name in the request.
pub(super) fn field<'a>(
    errors: &'a [FieldError],
    path: &str,
    name: impl Into<String>,
    hint: &'static str,
) -> MemberField<'a> {
    let member = path.trim_start_matches('/');
    MemberField::new(errors, label(path), member, name).hint(hint).parts(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_its_location_with_the_labels_of_the_page() {
        let message_at = |path: &str| {
            let (code, message) = ("x".to_owned(), "must not be empty".to_owned());
            sentence(&FieldError { path: path.to_owned(), code, message })
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
