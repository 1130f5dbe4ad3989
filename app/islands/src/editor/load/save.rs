//! Saves editor forms and reports why saving failed.

use contract::error::ErrorCode;
use governance::{
    authoring::policy::{self, rule_input::VersionEdit},
    deciding::decision,
};

use super::{
    draft::{self, Draft, text_of},
    pending_form::{self, PendingForm},
    sample,
};
use crate::{
    editor::{
        view::{
            DraftConflict, EditorTarget, JsonText, REPLACE_SAMPLE, RuleOutcome, SampleResult,
            SaveRejection, SaveResult, SavedRule,
            gate::{GateChange, gates},
            rule::RuleForm,
        },
        words,
    },
    explanation::{ExplainedStatus, RuleBook, RuleExplanation},
    prelude::*,
    request::{directory, redirect, set_rejected, to_problem, too_large},
    rule::RuleLine,
    text::rule::sentence,
    try_decision::{
        load as samples,
        view::{Evaluation, TextError, TryResult},
    },
};

/// Saves the form. Input that cannot be saved is stored in the session, so that it survives leaving the page.
pub async fn save(cx: &Cx, target: &EditorTarget, form: &RuleForm) -> Result<SaveResult, Problem> {
    let saved = store(cx, target, form).await?;
    pending_form::store_or_clear(target, form, &saved).await?;
    Ok(saved)
}

/// Saves a rule in its draft, or moves or removes it, depending on the pressed button.
async fn store(cx: &Cx, target: &EditorTarget, form: &RuleForm) -> Result<SaveResult, Problem> {
    let draft = Draft::read(cx, target).await?;
    draft.require_open()?;
    let mut errors = Vec::new();
    let rule = form.rule(&mut errors);
    if draft.version.draft_revision != target.revision {
        let conflict = draft_conflict(cx, target, &draft.version, Some((&draft, &rule))).await?;
        return Ok(SaveResult::Not(SaveRejection::Moved(Box::new(conflict))));
    }
    let is_removal = target.act == "remove";
    let code = if is_removal { String::new() } else { text_of(&rule, "code").to_owned() };
    let (rules, index) = draft.apply(target, rule.clone());
    if rules == draft.rules {
        return Ok(SaveResult::Saved(draft_state(cx, code, &draft.version)));
    }
    let edit =
        check_edit(target.revision, &rules, index, if is_removal { Vec::new() } else { errors });
    let edit = match edit {
        Ok(edit) => edit,
        Err(errors) => return Ok(SaveResult::Not(SaveRejection::Errors(errors))),
    };
    match policy::version::edit_with_recall(cx, target.policy, target.version, edit).await {
        Ok(version) => Ok(SaveResult::Saved(draft_state(cx, code, &version))),
        Err(error) if is_stale(&error) => {
            let now = Draft::read(cx, target).await?;
            let conflict = draft_conflict(cx, target, &now.version, Some((&now, &rule))).await?;
            Ok(SaveResult::Not(SaveRejection::Moved(Box::new(conflict))))
        }
        Err(error) => Err(to_problem(&error)),
    }
}

/// Returns the edit, or all errors: those of the form, then those of the service for other fields.
fn check_edit(
    revision: u32,
    rules: &[Value],
    index: usize,
    own: Vec<FieldError>,
) -> Result<VersionEdit, Vec<FieldError>> {
    let mut errors = own;
    match draft::edit(revision, rules.to_vec()) {
        Ok(edit) if errors.is_empty() => Ok(edit),
        Ok(_) => Err(errors),
        Err(more) => {
            let is_reported = |path: &str| errors.iter().any(|error| error.path == path);
            let more = draft::errors_for_rule(more, index, rules);
            let more: Vec<_> = more.into_iter().filter(|error| !is_reported(&error.path)).collect();
            errors.extend(more);
            Err(errors)
        }
    }
}

fn is_stale(error: &governance::Error) -> bool {
    error.code() == ErrorCode::StaleDraftRevision
}

fn draft_state(cx: &Cx, code: String, version: &PolicyVersion) -> SavedRule {
    let lines = version.rules.iter().flatten().map(RuleLine::from).collect();
    SavedRule { revision: version.draft_revision, at: cx.now, code, lines }
}

/// Returns who changed the draft in the meantime, and how the open rule differs from it.
pub(super) async fn draft_conflict(
    cx: &Cx,
    target: &EditorTarget,
    now: &PolicyVersion,
    mine: Option<(&Draft, &Value)>,
) -> Result<DraftConflict, Problem> {
    let last_change = policy::version::last_change(cx, target.policy, target.version).await?;
    let names = &directory(cx).await?.names;
    let (by, at) = last_change.map(|change| (change.by, change.at)).unzip();
    let theirs = mine.map(|(draft, mine)| (draft.find(&target.was).map(|(_, rule)| rule), mine));
    Ok(DraftConflict {
        from: target.revision,
        revision: now.draft_revision,
        by: by.map(|id| names.get(&id).cloned().unwrap_or(id)),
        at,
        is_gone: matches!(theirs, Some((None, _))) && !target.was.is_empty(),
        differences: match theirs {
            Some((Some(theirs), mine)) => differences(theirs, mine),
            _ => Vec::new(),
        },
    })
}

/// The members of a rule, in the order in which rules are written.
const MEMBERS: [&str; 10] = [
    "code",
    "name",
    "rule_type",
    "condition",
    "severity",
    "description",
    "is_active",
    "when",
    "source_ref",
    "replaces_rule_code",
];

fn differences(theirs: &Value, mine: &Value) -> Vec<(String, String, String)> {
    let json = |rule: &Value, name| rule.get(name).map(Value::to_canonical).unwrap_or_default();
    let differing = MEMBERS.into_iter().filter(|name| theirs.get(name) != mine.get(name));
    differing
        .map(|name| (words::member(name).to_owned(), json(theirs, name), json(mine, name)))
        .collect()
}

/// Handles a form sent without scripts: saves the rule, or stores the input for the page to show again.
pub async fn post_rule(
    cx: &Cx,
    target: EditorTarget,
    mut form: RuleForm,
    sample: String,
) -> Result<SaveResult, Problem> {
    let replaces_sample = target.act == REPLACE_SAMPLE;
    let sample = if replaces_sample { sample::make(cx, &target, &form).await? } else { sample };
    pending_form::store_sample(&target, sample).await?;
    let mut is_rejected = false;
    let change = GateChange::of(&target.act);
    let saved = match (change, target.act.as_str()) {
        (None, "run" | REPLACE_SAMPLE) => None,
        (None, _) => match save(cx, &target, &form).await {
            // The page shows the current status of the version and the input.
            Err(problem) if problem.code == ErrorCode::InvalidTransition.as_str() => None,
            Err(problem) => {
                set_rejected(problem, target.rule(&target.was), String::new()).await?;
                is_rejected = true;
                None
            }
            Ok(saved) => Some(saved),
        },
        (Some(change), _) => {
            change.apply(&mut form.gate);
            None
        }
    };
    match &saved {
        Some(SaveResult::Saved(rule)) => {
            let done = format!("r{}", rule.revision);
            redirect(&url::with_query(&target.page(), &[("rule", &rule.code), ("saved", &done)]));
        }
        Some(SaveResult::Not(_)) => redirect(&target.rule(&target.was)),
        None => {
            let page = target.rule(&target.was);
            redirect(&page);
            let form =
                PendingForm::Rule { target: target.clone(), form: Box::new(form), unsaved: None };
            if !pending_form::store(&target, form).await? && !is_rejected {
                set_rejected(too_large(), page, String::new()).await?;
            }
        }
    }
    Ok(saved.unwrap_or(SaveResult::Not(SaveRejection::Errors(Vec::new()))))
}

/// Evaluates the sample with the draft, including the rule as entered.
pub async fn dry_run(
    cx: &Cx,
    target: &EditorTarget,
    form: &RuleForm,
    sample: &str,
) -> Result<SampleResult, Problem> {
    let draft = Draft::read(cx, target).await?;
    let mut errors = Vec::new();
    let unmoved = EditorTarget { act: String::new(), ..target.clone() };
    let (rules, index) = draft.apply(&unmoved, form.rule(&mut errors));
    let is_unsaved = rules != draft.rules;
    let edit = match check_edit(target.revision, &rules, index, errors) {
        Ok(edit) => edit,
        Err(errors) => return Ok(SampleResult { errors, ..SampleResult::default() }),
    };
    let context = match samples::context(sample) {
        Ok(context) => context,
        Err(errors) => {
            let evaluation = Some(Evaluation::Errors(errors));
            let sentence = sentence_of(&rules, index);
            return Ok(SampleResult { evaluation, sentence, ..SampleResult::default() });
        }
    };
    let result =
        decision::evaluate_version(cx, target.policy, target.version, edit.rules, &context).await;
    let mut result = TryResult::new(&result?, &book(target, &rules));
    result.draft = Some((draft.version.draft_revision, is_unsaved));
    let outcomes = result.policies.iter().flat_map(|policy| &policy.rules).map(outcome).collect();
    result.shorten(&form.code, RESULTS_MAX);
    Ok(SampleResult {
        evaluation: Some(Evaluation::Verdict(Box::new(result))),
        errors: Vec::new(),
        sentence: sentence_of(&rules, index),
        outcomes,
        gate: decision::matching_gates(&gates(&form.gate), &context),
    })
}

/// The number of rules whose results the page shows. More would make typing slow.
const RESULTS_MAX: usize = 20;

fn outcome(rule: &RuleExplanation) -> (String, RuleOutcome) {
    let outcome = match rule.status {
        ExplainedStatus::Violated(_) => RuleOutcome::Violated,
        ExplainedStatus::NotApplicable(_) => RuleOutcome::NotApplicable,
        ExplainedStatus::Passed => RuleOutcome::Passed,
    };
    (rule.code.clone(), outcome)
}

fn sentence_of(rules: &[Value], index: usize) -> Option<Sentence> {
    rules.get(index).and_then(parse_rule).map(|rule| sentence(&rule))
}

fn book(target: &EditorTarget, rules: &[Value]) -> RuleBook {
    let rules = rules.iter().filter_map(parse_rule);
    rules.map(|rule| ((target.policy, rule.code.clone()), rule)).collect()
}

fn parse_rule(rule: &Value) -> Option<Rule> {
    serde_json::from_str(&rule.to_canonical()).ok()
}

/// Handles all rules as JSON: saves them, or stores the input for the page to show again.
pub async fn post_json(cx: &Cx, target: EditorTarget, text: String) -> Result<(), Problem> {
    let page = url::with_query(&target.page(), &[("look", "json")]);
    let (errors, conflict) = match edit_of(&text, target.revision) {
        Err(errors) => (errors, None),
        Ok(edit) => {
            match policy::version::edit_with_recall(cx, target.policy, target.version, edit).await {
                Ok(version) => {
                    pending_form::clear(&target).await?;
                    let done = format!("r{}", version.draft_revision);
                    let pairs = [("look", "json"), ("saved", done.as_str())];
                    redirect(&url::with_query(&target.page(), &pairs));
                    return Ok(());
                }
                Err(error) if is_stale(&error) => {
                    let now = Draft::read(cx, &target).await?;
                    (Vec::new(), Some(draft_conflict(cx, &target, &now.version, None).await?))
                }
                Err(error) => {
                    set_rejected(to_problem(&error), page.clone(), String::new()).await?;
                    (Vec::new(), None)
                }
            }
        }
    };
    let messages: Vec<String> = errors.iter().map(|error| error.message.clone()).collect();
    let json = JsonText { text, errors, moved: conflict };
    let form = PendingForm::Json { target: target.clone(), json };
    if pending_form::store(&target, form).await? {
        redirect(&page);
        return Ok(());
    }
    let problem =
        if messages.is_empty() { too_large() } else { Problem::of_form(messages.join("; ")) };
    set_rejected(Problem { is_input_lost: true, ..problem }, page, String::new()).await
}

fn edit_of(text: &str, revision: u32) -> Result<VersionEdit, Vec<TextError>> {
    let value = Value::parse(text.as_bytes(), &Limits::REQUEST)
        .map_err(|error| vec![samples::unreadable(text, error)])?;
    let Value::Array(rules) = value else {
        return Err(vec![samples::field_error(text, "", "must be an array of rules".to_owned())]);
    };
    draft::edit(revision, rules).map_err(|errors| {
        let relative = |path: &str| path.strip_prefix("/rules").unwrap_or(path).to_owned();
        let error =
            |error: FieldError| samples::field_error(text, &relative(&error.path), error.message);
        errors.into_iter().map(error).collect()
    })
}

pub async fn post_reason(cx: &Cx, target: EditorTarget, text: String) -> Result<(), Problem> {
    let reason = text.trim().replace("\r\n", "\n");
    let body = [
        ("expected_revision", Value::from(target.revision)),
        ("change_reason", Value::from(reason)),
    ];
    let edit = read::body::<VersionEdit>(&Value::Object(Object::from(body)));
    let edited = match edit {
        Ok(edit) => {
            policy::version::edit_with_recall(cx, target.policy, target.version, edit).await
        }
        Err(errors) => Err(governance::base::error::invalid(&errors).into()),
    };
    match edited.map_err(Problem::from) {
        Ok(_) => redirect(&target.page()),
        Err(problem) => set_rejected(problem, target.page(), text).await?,
    }
    Ok(())
}
