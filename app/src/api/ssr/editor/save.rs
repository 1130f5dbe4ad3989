//! Saving what was typed, and saying why it could not be saved.

use contract::{
    error::{ErrorCode, FieldError},
    json::{Limits, Object, Value},
    policy::PolicyVersion,
    read,
    rule::Rule,
};
use governance::{
    Cx, member,
    policy::{self, authored::Edit},
};

use super::{
    draft::{self, Draft, text_of},
    held::{self, Held},
};
use crate::{
    api::ssr::{answer, go, keep, refuse, tried as samples},
    problem::Problem,
    text::{rule::sentence, sentence::Sentence, url, words},
    view::{
        decision::explain::RuleBook,
        editor::{
            InDraft, JsonText, Moved, Place, Saved, Trial, Unsaved, gate::GateChange,
            rule::RuleForm,
        },
        people::known,
        tried::{Fault, Found, Tried},
        version::RuleLine,
    },
};

/// Saves what was typed. What cannot be saved is held, so that it outlives the page.
pub(in crate::api) async fn save(
    cx: &Cx,
    place: &Place,
    form: &RuleForm,
) -> Result<Saved, Problem> {
    let saved = store(cx, place, form).await?;
    held::follow(place, form, &saved).await?;
    Ok(saved)
}

/// Puts a rule into its draft, or moves or removes it, as the pressed button says.
async fn store(cx: &Cx, place: &Place, form: &RuleForm) -> Result<Saved, Problem> {
    let draft = Draft::read(cx, place).await?;
    draft.must_be_open()?;
    let mut faults = Vec::new();
    let rule = form.rule(&mut faults);
    if draft.version.draft_revision != place.revision {
        let moved = moved(cx, place, &draft.version, Some((&draft, &rule))).await?;
        return Ok(Saved::Not(Unsaved::Moved(Box::new(moved))));
    }
    let is_removal = place.act == "remove";
    let code = if is_removal { String::new() } else { text_of(&rule, "code").to_owned() };
    let (rules, index) = draft.changed(place, rule.clone());
    if rules == draft.rules {
        return Ok(Saved::Kept(kept(cx, code, &draft.version)));
    }
    let edit = checked(place.revision, &rules, index, if is_removal { Vec::new() } else { faults });
    let edit = match edit {
        Ok(edit) => edit,
        Err(faults) => return Ok(Saved::Not(Unsaved::Faults(faults))),
    };
    match policy::version::edit(cx, place.policy, place.version, edit).await {
        Ok(version) => Ok(Saved::Kept(kept(cx, code, &version))),
        Err(error) if is_stale(&error) => {
            let now = Draft::read(cx, place).await?;
            let moved = moved(cx, place, &now.version, Some((&now, &rule))).await?;
            Ok(Saved::Not(Unsaved::Moved(Box::new(moved))))
        }
        Err(error) => Err(refuse(&error)),
    }
}

/// The edit, or all that is wrong: what the form could not write, then what the service says of
/// other places.
fn checked(
    revision: u32,
    rules: &[Value],
    index: usize,
    own: Vec<FieldError>,
) -> Result<Edit, Vec<FieldError>> {
    let mut faults = own;
    match draft::edit(revision, rules.to_vec()) {
        Ok(edit) if faults.is_empty() => Ok(edit),
        Ok(_) => Err(faults),
        Err(more) => {
            let told = |path: &str| faults.iter().any(|fault| fault.path == path);
            let more = draft::beside(more, index, rules);
            let more: Vec<_> = more.into_iter().filter(|fault| !told(&fault.path)).collect();
            faults.extend(more);
            Err(faults)
        }
    }
}

fn is_stale(error: &governance::Error) -> bool {
    error.problem().code == ErrorCode::StaleDraftRevision.as_str()
}

fn kept(cx: &Cx, code: String, version: &PolicyVersion) -> InDraft {
    let lines = version.rules.iter().flatten().map(RuleLine::from).collect();
    InDraft { revision: version.draft_revision, at: cx.now, code, lines }
}

/// Who has changed the draft meanwhile, and how the rule that is open differs now.
pub(super) async fn moved(
    cx: &Cx,
    place: &Place,
    now: &PolicyVersion,
    mine: Option<(&Draft, &Value)>,
) -> Result<Moved, Problem> {
    let touch = answer(policy::version::last_touch(cx, place.policy, place.version).await)?;
    let names = answer(member::names(cx).await)?;
    let (by, at) = touch.map(|touch| (touch.by, touch.at)).unzip();
    let theirs = mine.map(|(draft, mine)| (draft.find(&place.was).map(|(_, rule)| rule), mine));
    Ok(Moved {
        from: place.revision,
        revision: now.draft_revision,
        by: known(by, &names),
        at,
        is_gone: matches!(theirs, Some((None, _))) && !place.was.is_empty(),
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
    let shown = |rule: &Value, name| rule.get(name).map(Value::to_canonical).unwrap_or_default();
    let differing = MEMBERS.into_iter().filter(|name| theirs.get(name) != mine.get(name));
    differing
        .map(|name| {
            (words::editor::member(name).to_owned(), shown(theirs, name), shown(mine, name))
        })
        .collect()
}

/// A form of a page without scripts: saved, or held for the page to show again.
pub(in crate::api) async fn posted(
    cx: &Cx,
    place: Place,
    mut form: RuleForm,
    sample: String,
) -> Result<Saved, Problem> {
    held::remember(&place, sample).await?;
    let change = GateChange::of(&place.act);
    let saved = match (change, place.act.as_str()) {
        (None, "run") => None,
        (None, _) => match save(cx, &place, &form).await {
            // The page says what the version is now, and shows what was typed.
            Err(problem) if problem.code == ErrorCode::InvalidTransition.as_str() => None,
            Err(problem) => {
                keep(problem, place.rule(&place.was), String::new()).await?;
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
        Some(Saved::Kept(kept)) => {
            let done = format!("r{}", kept.revision);
            go(&url::with_query(&place.page(), &[("rule", &kept.code), ("saved", &done)]));
        }
        Some(Saved::Not(_)) => go(&place.rule(&place.was)),
        None => {
            go(&place.rule(&place.was));
            let form = Box::new(form);
            held::hold(&place.clone(), Held::Rule { place, form, unsaved: None }).await?;
        }
    }
    Ok(saved.unwrap_or(Saved::Not(Unsaved::Faults(Vec::new()))))
}

/// What the draft would decide on the sample, with the rule as it was typed.
pub(in crate::api) async fn trial(
    cx: &Cx,
    place: &Place,
    form: &RuleForm,
    sample: &str,
) -> Result<Trial, Problem> {
    let draft = Draft::read(cx, place).await?;
    let mut faults = Vec::new();
    let still = Place { act: String::new(), ..place.clone() };
    let (rules, index) = draft.changed(&still, form.rule(&mut faults));
    let edit = match checked(place.revision, &rules, index, faults) {
        Ok(edit) => edit,
        Err(faults) => return Ok(Trial { found: None, faults, sentence: None }),
    };
    let context = match samples::context(sample) {
        Ok(context) => context,
        Err(faults) => {
            let found = Some(Found::Faults(faults));
            return Ok(Trial { found, faults: Vec::new(), sentence: said(&rules, index) });
        }
    };
    let tried =
        policy::version::try_out(cx, place.policy, place.version, edit.rules, &context).await;
    let tried = Tried::new(&answer(tried)?, &book(place, &rules));
    let found = Some(Found::Verdict(Box::new(tried)));
    Ok(Trial { found, faults: Vec::new(), sentence: said(&rules, index) })
}

fn said(rules: &[Value], index: usize) -> Option<Sentence> {
    rules.get(index).and_then(typed).map(|rule| sentence(&rule))
}

fn book(place: &Place, rules: &[Value]) -> RuleBook {
    let rules = rules.iter().filter_map(typed);
    rules.map(|rule| ((place.policy, rule.code.clone()), rule)).collect()
}

fn typed(rule: &Value) -> Option<Rule> {
    serde_json::from_str(&rule.to_canonical()).ok()
}

/// All rules as JSON: saved, or held for the page to show again.
pub(in crate::api) async fn post_json(cx: &Cx, place: Place, text: String) -> Result<(), Problem> {
    let page = url::with_query(&place.page(), &[("look", "json")]);
    let (faults, moved) = match edit_of(&text, place.revision) {
        Err(faults) => (faults, None),
        Ok(edit) => match policy::version::edit(cx, place.policy, place.version, edit).await {
            Ok(version) => {
                held::clear(&place).await?;
                let done = format!("r{}", version.draft_revision);
                let pairs = [("look", "json"), ("saved", done.as_str())];
                go(&url::with_query(&place.page(), &pairs));
                return Ok(());
            }
            Err(error) if is_stale(&error) => {
                let now = Draft::read(cx, &place).await?;
                (Vec::new(), Some(moved(cx, &place, &now.version, None).await?))
            }
            Err(error) => {
                keep(refuse(&error), page.clone(), String::new()).await?;
                (Vec::new(), None)
            }
        },
    };
    let json = JsonText { text, faults, moved };
    held::hold(&place.clone(), Held::Json { place, json }).await?;
    go(&page);
    Ok(())
}

fn edit_of(text: &str, revision: u32) -> Result<Edit, Vec<Fault>> {
    let value = Value::parse(text.as_bytes(), &Limits::REQUEST)
        .map_err(|fault| vec![samples::unreadable(text, fault)])?;
    let Value::Array(rules) = value else {
        return Err(vec![samples::fault(text, "", "must be an array of rules".to_owned())]);
    };
    draft::edit(revision, rules).map_err(|faults| {
        let place = |path: &str| path.strip_prefix("/rules").unwrap_or(path).to_owned();
        let fault = |fault: FieldError| samples::fault(text, &place(&fault.path), fault.message);
        faults.into_iter().map(fault).collect()
    })
}

/// Says why the version is made.
pub(in crate::api) async fn post_reason(
    cx: &Cx,
    place: Place,
    text: String,
) -> Result<(), Problem> {
    let reason = text.trim().replace("\r\n", "\n");
    let body = [
        ("expected_revision", Value::from(place.revision)),
        ("change_reason", Value::from(reason)),
    ];
    let edit = read::body::<Edit>(&Value::Object(Object::from(body)));
    let edited = match edit {
        Ok(edit) => policy::version::edit(cx, place.policy, place.version, edit).await,
        Err(errors) => Err(governance::error::invalid(&errors).into()),
    };
    match answer(edited) {
        Ok(_) => go(&place.page()),
        Err(problem) => keep(problem, place.page(), text).await?,
    }
    Ok(())
}
