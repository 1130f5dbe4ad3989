//! Texts of `/t/{tenant}/policies/{policy}/versions/{version}/edit`.

use contract::{policy::VersionStage, text::isolated};

use crate::{decision::view::explain::Counts, text::verdict::stage};

pub(crate) const ADDRESS: &str = "Address requested changes";
pub(crate) const SUBMIT_AGAIN: &str = "Submit again";
pub(crate) const RECALLS: &str =
    "This version is still submitted. The first change that you save recalls it.";
pub(crate) const NEW_DRAFT: &str = "New draft";
pub(crate) const RULE: &str = "Rule";
pub(crate) const RULES: &str = "Rules";
pub(crate) const FIND_RULE: &str = "Search rules";
pub(crate) const ADD: &str = "Add a rule";
pub(crate) const NEW_RULE: &str = "New rule";
pub(crate) const COPY: &str = "Copy this rule";
pub(crate) const AS_JSON: &str = "All rules as JSON";
pub(crate) const AS_FORM: &str = "Form view";
pub(crate) const VERSION: &str = "Back to the version";
pub(crate) const SAVE: &str = "Save";
pub(crate) const UP: &str = "Move up";
pub(crate) const DOWN: &str = "Move down";
pub(crate) const MOVE_TO: &str = "Move to position";
pub(crate) const MOVE: &str = "Move";
pub(crate) const MORE: &str = "Move to position, copy or remove";
pub(crate) const REMOVE: &str = "Remove this rule";
pub(crate) const REMOVE_HELP: &str = "Removed from this draft only. Other versions do not change.";

pub(crate) const CODE: &str = "Code";
pub(crate) const CODE_HINT: &str = "Unique in the version: letters, digits, . _ and -";
pub(crate) const NAME: &str = "Name";
pub(crate) const TYPE: &str = "Type";
pub(crate) const SEVERITY: &str = "Severity";
pub(crate) const ACTIVE: &str = "Active: takes part in decisions";
pub(crate) const CONDITION: &str = "Condition";
pub(crate) const WHEN: &str = "Gate";
pub(crate) const ALWAYS: &str = "Applies to every decision. Add a gate to limit it.";
pub(crate) const NEVER_COERCED: &str =
    "Values are compared by kind: the text \"5\" is not the number 5.";
pub(crate) const ABOUT: &str = "Details";
pub(crate) const DESCRIPTION: &str = "Description";
pub(crate) const SOURCE: &str = "Source: document";
pub(crate) const SECTION: &str = "Section";
pub(crate) const URL: &str = "Link";
pub(crate) const REPLACES: &str = "Replaces the rule (code in an earlier version)";
pub(crate) const LENGTH_FIELD: &str = "Field";
pub(crate) const LENGTH_MIN: &str = "At least";
pub(crate) const TEST: &str = "Test";
pub(crate) const VALUE: &str = "Value";
pub(crate) const TRUTH: &str = "True or false";
pub(crate) const VALUE_KIND: &str = "Value type";
pub(crate) const AGAINST_FIELD: &str = "another field";

pub(crate) const GATE_FIELD: &str = "Field";
pub(crate) const GATE_VALUES: &str = "Values, one per line";
pub(crate) const GATE_EXACT: &str = "Case-sensitive";
pub(crate) const GATE_CONDITION: &str = "Add a condition";
pub(crate) const GATE_GROUP: &str = "Add a group";
pub(crate) const GATE_REMOVE: &str = "Remove";
pub(crate) const GATE_MATCHES: &str = "Matches the sample";
pub(crate) const GATE_MISMATCH: &str = "Does not match the sample";

pub(crate) const SAMPLE: &str = "Sample context (JSON)";
pub(crate) const SAMPLE_HINT: &str =
    "Evaluated against the draft as shown in the form. Nothing is recorded.";
pub(crate) const SAMPLE_FROM: &str = "Sample from";
pub(crate) const SAMPLE_OF_FIELDS: &str = "the fields of the rules";
pub(crate) const REPLACE_SAMPLE: &str = "Replace sample";
pub(crate) const RUN: &str = "Run sample";
pub(crate) const NOT_RUN: &str = "The rule is not complete yet, so nothing was evaluated.";

pub(crate) const REASON: &str = "Reason for this version";
pub(crate) const REASON_HINT: &str = "Reviewers read it. Up to 500 characters.";
pub(crate) const NO_REASON: &str = "Enter a reason for this version";
pub(crate) const SAVE_REASON: &str = "Save the reason";

pub(crate) const UNSAVED_CHANGES: &str = "Not saved yet";
pub(crate) const SAVING: &str = "Saving";
pub(crate) const UNSAVED: &str = "Not saved";
pub(crate) const DISCARD: &str = "Discard my changes";
pub(crate) const USE_DRAFT_VALUE: &str = "Use their version";
pub(crate) const SHOW_DIFFERENCES: &str = "Show differences";
pub(crate) const DRAFT_VALUE: &str = "Current draft";
pub(crate) const YOUR_VALUE: &str = "Your version";
pub(crate) const PART: &str = "Part";
pub(crate) const NOTHING: &str = "nothing";
pub(crate) const RULE_REMOVED: &str =
    "The rule is no longer in the draft. Applying your version adds it again.";
pub(crate) const SAME_RULE: &str = "This rule is the same in both; another one has changed.";
pub(crate) const ONLY_JSON: &str =
    "This rule uses options that the form does not support. Edit it as JSON.";
pub(crate) const JSON: &str = "Rules (JSON)";
pub(crate) const JSON_HINT: &str = "A list of rules, in the format of the API.";
pub(crate) const JSON_ERRORS: &str = "Invalid rules";
pub(crate) const UNSAVED_INPUT: &str = "Your unsaved input";

/// Returns the label of the link to the editor.
pub(crate) fn edit(version: u32) -> String {
    format!("Edit v{version}")
}

pub(crate) fn title(policy: &str, version: u32) -> String {
    format!("Edit {} v{version}", isolated(policy))
}

pub(crate) fn errors(number: usize) -> String {
    match number {
        1 => "1 field needs attention.".to_owned(),
        _ => format!("{number} fields need attention."),
    }
}

pub(crate) fn saved(clock: &str, revision: u32) -> String {
    format!("Saved {clock} UTC, r{revision}")
}

pub(crate) fn saved_as(revision: &str) -> String {
    format!("Saved as {revision}")
}

pub(crate) fn apply(revision: u32) -> String {
    format!("Apply mine to r{revision}")
}

/// Returns, for example, "with r6". `is_unsaved` says whether the form has changes that r6 does not have.
pub(crate) fn evaluated_with(revision: u32, is_unsaved: bool) -> String {
    let changes = if is_unsaved { " and the changes in the form" } else { "" };
    format!("with r{revision}{changes}")
}

/// Returns the results of rules that the list leaves out, for example "And 12 more: 8 passed, 4 not applicable."
pub(crate) fn omitted(rules: Counts) -> String {
    let Counts { violated, not_applicable, passed } = rules;
    let counts = [(violated, "violated"), (passed, "passed"), (not_applicable, "not applicable")];
    let counts = counts.into_iter().filter(|(number, _)| *number > 0);
    let counts = counts.map(|(number, result)| format!("{number} {result}")).collect::<Vec<_>>();
    format!("And {} more: {}.", rules.all(), counts.join(", "))
}

/// Returns the label of the link to the comparison.
pub(crate) fn compare(active: Option<u32>) -> String {
    match active {
        Some(active) => format!("Compare with v{active}"),
        None => "Compare".to_owned(),
    }
}

/// Returns the name of a decision as the source of a sample, for example "decision c87b4ab3: DENY".
#[cfg(feature = "ssr")]
pub(crate) fn decision(id: &str, verdict: contract::evaluation::Verdict) -> String {
    let short: String = id.chars().take(8).collect();
    format!("decision {short}: {}", verdict.as_str())
}

/// Returns the label of an error in the summary, for example "At most: ".
pub(crate) fn error_label(label: &str) -> String {
    format!("{label}: ")
}

pub(crate) fn draft_updated(from: u32, to: u32) -> String {
    format!("The draft was updated from r{from} to r{to}")
}

pub(crate) fn not_editable(now: VersionStage) -> String {
    format!("This version is now: {}. It can no longer be edited.", stage(now).to_lowercase())
}

pub(crate) fn gate_line(index: usize) -> String {
    format!("Condition {}", index + 1)
}

#[cfg(feature = "ssr")]
pub(crate) fn member(name: &str) -> &'static str {
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
