//! Texts of `/t/{tenant}/policies/{policy}/versions/{version}/edit`.

use contract::{policy::VersionStage, text::isolated};

use crate::{explanation::Counts, text::verdict::stage};

pub const ADDRESS: &str = "Address requested changes";
pub const RECALLS: &str =
    "This version is still submitted. The first change that you save recalls it.";
pub const NEW_DRAFT: &str = "New draft";
pub const RULES: &str = "Rules";
pub const FIND_RULE: &str = "Search rules";
pub const NEW_RULE: &str = "New rule";
pub const AS_JSON: &str = "All rules as JSON";
pub const AS_FORM: &str = "Form view";
pub const VERSION: &str = "Back to the version";
pub const SAVE: &str = "Save";
pub const REMOVE: &str = "Remove this rule";

pub const CODE: &str = "Code";
pub const NAME: &str = "Name";
pub const TYPE: &str = "Type";
pub const SEVERITY: &str = "Severity";
pub const CONDITION: &str = "Condition";
pub const WHEN: &str = "Gate";
pub const ABOUT: &str = "Details";
pub const DESCRIPTION: &str = "Description";
pub const SOURCE: &str = "Source: document";
pub const SECTION: &str = "Section";
pub const URL: &str = "Link";
pub const REPLACES: &str = "Replaces the rule (code in an earlier version)";
pub const LENGTH_FIELD: &str = "Field";
pub const LENGTH_MIN: &str = "At least";
pub const TEST: &str = "Test";
pub const VALUE: &str = "Value";
pub const TRUTH: &str = "True or false";
pub const VALUE_KIND: &str = "Value type";

pub const GATE_FIELD: &str = "Field";
pub const GATE_VALUES: &str = "Values, one per line";
pub const GATE_CONDITION: &str = "Add a condition";
pub const GATE_GROUP: &str = "Add a group";

pub const REPLACE_SAMPLE: &str = "Replace sample";

pub const REASON: &str = "Reason for this version";
pub const REASON_HINT: &str = "Reviewers read it. Up to 500 characters.";
pub const NO_REASON: &str = "Enter a reason for this version";
pub const SAVE_REASON: &str = "Save the reason";

pub const DISCARD: &str = "Discard my changes";
pub const USE_DRAFT_VALUE: &str = "Use their version";
pub const DRAFT_VALUE: &str = "Current draft";
pub const YOUR_VALUE: &str = "Your version";
pub const PART: &str = "Part";
pub const ONLY_JSON: &str =
    "This rule uses options that the form does not support. Edit it as JSON.";
pub const JSON: &str = "Rules (JSON)";
pub const JSON_HINT: &str = "A list of rules, in the format of the API.";
pub const JSON_ERRORS: &str = "Invalid rules";
pub const UNSAVED_INPUT: &str = "Your unsaved input";

/// Returns the label of the link to the editor.
pub fn edit(version: u32) -> String {
    format!("Edit v{version}")
}

pub fn title(policy: &str, version: u32) -> String {
    format!("Edit {} v{version}", isolated(policy))
}

pub fn saved(clock: &str, revision: u32) -> String {
    format!("Saved {clock} UTC, r{revision}")
}

pub fn saved_as(revision: &str) -> String {
    format!("Saved as {revision}")
}

pub fn apply(revision: u32) -> String {
    format!("Apply mine to r{revision}")
}

/// Returns, for example, "with r6". `is_unsaved` says whether the form has changes that r6 does not have.
pub fn evaluated_with(revision: u32, is_unsaved: bool) -> String {
    let changes = if is_unsaved { " and the changes in the form" } else { "" };
    format!("with r{revision}{changes}")
}

/// Returns the results of rules that the list leaves out, for example "And 12 more: 8 passed, 4 not applicable."
pub fn omitted(rules: Counts) -> String {
    let Counts { violated, not_applicable, passed } = rules;
    let counts = [(violated, "violated"), (passed, "passed"), (not_applicable, "not applicable")];
    let counts = counts.into_iter().filter(|(number, _)| *number > 0);
    let counts = counts.map(|(number, result)| format!("{number} {result}")).collect::<Vec<_>>();
    format!("And {} more: {}.", rules.all(), counts.join(", "))
}

/// Returns the label of the link to the comparison.
pub fn compare(active: Option<u32>) -> String {
    match active {
        Some(active) => format!("Compare with v{active}"),
        None => "Compare".to_owned(),
    }
}

/// Returns the name of a decision as the source of a sample, for example "decision c87b4ab3: DENY".
pub fn decision(id: &str, verdict: contract::evaluation::Verdict) -> String {
    let short: String = id.chars().take(8).collect();
    format!("decision {short}: {}", verdict.as_str())
}

/// Returns the label of an error in the summary, for example "At most: ".
pub fn error_label(label: &str) -> String {
    format!("{label}: ")
}

pub fn draft_updated(from: u32, to: u32) -> String {
    format!("The draft was updated from r{from} to r{to}")
}

pub fn not_editable(now: VersionStage) -> String {
    format!("This version is now: {}. It can no longer be edited.", stage(now).to_lowercase())
}

pub fn gate_line(index: usize) -> String {
    format!("Condition {}", index + 1)
}

pub fn member(name: &str) -> &'static str {
    match name {
        "code" => CODE,
        "name" => NAME,
        "rule_type" => TYPE,
        "condition" => CONDITION,
        "severity" => SEVERITY,
        "description" => DESCRIPTION,
        "is_active" => "Active",
        "when" => WHEN,
        "source_ref" => "Source",
        _ => "Replaces",
    }
}
