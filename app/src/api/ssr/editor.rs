//! What the page of a draft is made of, and how its forms are saved.

mod draft;
mod held;
mod save;

use contract::{
    decision::DecisionFilter,
    error::ErrorCode,
    id::{PolicyId, TenantId},
    json::{Object, Value},
    policy::VersionStatus,
    rule::RuleType,
};
use governance::{
    Cx, PageRequest, decision, permission,
    policy::{self, authored::NewVersion},
};

pub(in crate::api) use self::save::{post_json, post_reason, posted, save, trial};
use self::{
    draft::{Draft, text_of},
    held::Held,
};
use super::answer;
use crate::{
    problem::Problem,
    text::json::indented,
    view::{
        editor::{Bench, EditorPage, JsonText, NEW, Open, Place, Unsaved, rule::RuleForm},
        version::RuleLine,
    },
};

/// What the address asks for.
pub(in crate::api) struct Asked {
    /// The rule to open.
    pub(in crate::api) rule: String,
    /// The rule that a new one copies.
    pub(in crate::api) from: String,
    /// How to look at the rules.
    pub(in crate::api) look: String,
}

/// The word of the address for all rules as JSON.
const JSON: &str = "json";
/// The end of the address of a page that gives up what is held.
const FRESH: &str = "fresh";

impl Asked {
    /// Whether the page is the one of the rule that stands at `place`.
    fn is_about(&self, place: &Place) -> bool {
        let is_new = self.rule == NEW && self.from.is_empty();
        self.rule.is_empty() || self.rule == place.was || (place.was.is_empty() && is_new)
    }
}

/// The page of a draft, for whoever may write it.
pub(in crate::api) async fn page(
    cx: &Cx,
    (tenant, policy, version): (TenantId, PolicyId, u32),
    asked: Asked,
) -> Result<EditorPage, Problem> {
    answer(cx.tenant(permission::WRITE_POLICIES).map(drop))?;
    let place = Place {
        tenant,
        policy,
        version,
        revision: 0,
        was: String::new(),
        to: String::new(),
        act: String::new(),
    };
    let draft = Draft::read(cx, &place).await?;
    let policy_row = answer(policy::read(cx, policy, None).await)?;
    let decision_type = policy_row.decision_types.first().map_or("", String::as_str);
    if asked.look.ends_with(FRESH) {
        held::clear(&place).await?;
    }
    let held = held::get(&place).await;
    let sample = match held::sample(&place).await {
        Some(sample) => sample,
        None => sample(cx, policy, decision_type).await?,
    };
    let mut page = EditorPage {
        kept: super::kept(&super::page()).await,
        place: Place { revision: draft.version.draft_revision, ..place },
        policy_name: policy_row.name,
        status: draft.version.status,
        lines: draft.lines(),
        change_reason: draft.version.change_reason.clone(),
        open: Open::Unshown,
        sample,
    };
    if draft.version.status != VersionStatus::Draft {
        page.open = Open::Closed(held.map(typed));
        return Ok(page);
    }
    let is_json = asked.look.starts_with(JSON);
    match held {
        Some(Held::Json { place, mut json }) if is_json => {
            if place.revision != page.place.revision {
                json.moved = Some(save::moved(cx, &place, &draft.version, None).await?);
            }
            page.open = Open::Json(Box::new(json));
        }
        _ if is_json => {
            let text = indented(&Value::from(draft.rules.clone()));
            page.open = Open::Json(Box::new(JsonText { text, ..JsonText::default() }));
        }
        Some(Held::Rule { place, form, mut unsaved }) if asked.is_about(&place) => {
            if place.revision != page.place.revision {
                let mine = form.rule(&mut Vec::new());
                let moved = save::moved(cx, &place, &draft.version, Some((&draft, &mine))).await?;
                unsaved = Some(Unsaved::Moved(Box::new(moved)));
            }
            page.place.was = place.was;
            page.open = Open::Rule(Box::new(Bench { form: *form, unsaved, tried: None }));
        }
        _ => open(&draft, &asked, &mut page)?,
    }
    if let Open::Rule(bench) = &mut page.open {
        bench.tried = Some(trial(cx, &page.place, &bench.form, &page.sample).await?);
    }
    Ok(page)
}

/// What was typed for a draft that is none any more.
fn typed(held: Held) -> String {
    match held {
        Held::Rule { form, .. } => indented(&form.rule(&mut Vec::new())),
        Held::Json { json, .. } => json.text,
    }
}

/// Opens the rule that is asked for, else the first one, else a new one.
fn open(draft: &Draft, asked: &Asked, page: &mut EditorPage) -> Result<(), Problem> {
    let wanted = if asked.rule.is_empty() { draft.first_code() } else { asked.rule.as_str() };
    if wanted == NEW {
        let copied = draft.find(&asked.from).and_then(|(_, rule)| RuleForm::of(rule));
        let form = match copied {
            Some(form) => RuleForm { code: draft.free_code(&form.code), ..form },
            None => RuleForm::blank(RuleType::Presence),
        };
        page.open = Open::Rule(Box::new(Bench { form, ..Bench::default() }));
        return Ok(());
    }
    let (_, rule) = draft.find(wanted).ok_or_else(|| super::refuse(&missing()))?;
    wanted.clone_into(&mut page.place.was);
    if let Some(form) = RuleForm::of(rule) {
        page.open = Open::Rule(Box::new(Bench { form, ..Bench::default() }));
    }
    Ok(())
}

fn missing() -> governance::Error {
    governance::error::not_found(governance::error::Noun::Version).into()
}

/// The context of the newest decision that looked at the policy, else one without fields.
async fn sample(cx: &Cx, policy: PolicyId, decision_type: &str) -> Result<String, Problem> {
    let filter = DecisionFilter { policy_id: Some(policy), ..DecisionFilter::default() };
    let newest = decision::list(cx, filter, &PageRequest { limit: 1, cursor: None }).await;
    let newest = answer(newest)?.items.into_iter().next();
    if let Some(record) = newest {
        return Ok(indented(&sample_of(record.context)));
    }
    let decision_type = Value::from(decision_type).to_canonical();
    Ok(format!("{{\n  \"decision_type\": {decision_type},\n  \"fields\": {{\n  }}\n}}"))
}

/// What of a kept context can be asked again.
fn sample_of(context: Value) -> Value {
    let Value::Object(members) = context else { return context };
    let asked = ["decision_type", "fields", "evidence"];
    let kept = members.into_iter().filter(|(name, _)| asked.contains(&name.as_str()));
    let mut kept: Object = kept.collect();
    if let Some(Value::Array(items)) = kept.get("evidence") {
        let items = items.iter().cloned().map(without_digest).collect::<Vec<_>>();
        kept.insert("evidence", items);
    }
    Value::Object(kept)
}

/// A record keeps a digest in place of the data; a request has no such member.
fn without_digest(mut item: Value) -> Value {
    if let Value::Object(members) = &mut item {
        members.remove("data_digest");
    }
    item
}

/// Opens a draft with the rules of `based_on`; returns its number, or that of the open one.
pub(in crate::api) async fn open_version(
    cx: &Cx,
    id: PolicyId,
    based_on: u32,
) -> Result<u32, Problem> {
    let mut body = Object::from([("rules", Value::from(Vec::new()))]);
    if based_on > 0 {
        let based = answer(policy::version::read(cx, id, based_on).await)?;
        body.insert("rules", draft::values(&based)?);
        body.insert("based_on_version", based_on);
    }
    let new = contract::read::body::<NewVersion>(&Value::Object(body));
    let new = answer(new.map_err(|errors| governance::error::invalid(&errors).into()))?;
    match policy::version::create(cx, id, new).await {
        Ok(version) => Ok(version.version),
        Err(error) if error.problem().code == ErrorCode::DraftExists.as_str() => {
            let policy = answer(policy::read(cx, id, None).await)?;
            policy.draft_version.ok_or_else(|| super::refuse(&error))
        }
        Err(error) => Err(super::refuse(&error)),
    }
}

impl Draft {
    /// Refuses to write a version that is no draft any more.
    fn must_be_open(&self) -> Result<(), Problem> {
        let status = self.version.status;
        if status == VersionStatus::Draft {
            return Ok(());
        }
        let refusal =
            governance::error::invalid_transition("VERSION_NOT_DRAFT", status.as_str(), "edit");
        Err(super::refuse(&refusal.into()))
    }

    fn lines(&self) -> Vec<RuleLine> {
        self.version.rules.iter().flatten().map(RuleLine::from).collect()
    }

    fn first_code(&self) -> &str {
        self.rules.first().map_or(NEW, |rule| text_of(rule, "code"))
    }

    /// A code like `code` that no rule has.
    fn free_code(&self, code: &str) -> String {
        let free = (2..).map(|number| format!("{code}-{number}"));
        free.into_iter().find(|code| self.find(code).is_none()).unwrap_or_default()
    }
}
