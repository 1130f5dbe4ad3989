//! The page of the editor of drafts.

mod json;
mod requested_changes;

use governance::authoring::policy::version::VersionDetails;
use islands::editor::{
    Editor, EditorActions, RecallNote, Revision, RuleForm, RuleNav, SamplePanel, Submission,
    act::SaveChangeReason,
    load::{self as source, EditorQuery},
    view::{EditorPage, EditorTarget, Open, OpenRule},
    words,
};
use page_kit::prelude::*;

use self::{json::json_view, requested_changes::RequestedChanges};
use crate::version::actions::VersionAction;

/// The draft, with everything that its page shows.
struct Draft {
    policy_name: String,
    stage: VersionStage,
    /// The active version of the policy.
    active_version: Option<u32>,
    change_reason: Option<String>,
    page: EditorPage,
    /// Why saving the change reason was rejected, and the input.
    rejected: Option<RejectedForm>,
    request: Option<RequestedChanges>,
}

/// `/t/{tenant}/policies/{policy}/versions/{version}/edit`. The query contains the open rule, the rule that a new one
/// copies, the display of the rules, and the state of their list.
pub async fn edit_page() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let target = EditorTarget::of(tenant, page::param("policy")?, page::param("version")?);
    let [rule, from, look, saved, find, part] =
        ["rule", "from", "look", "saved", "find", "rules"].map(page::query);
    let draft = read(&cx, target, EditorQuery { rule, from, look }).await?;
    Ok(draft_view(draft, saved, find, part))
}

async fn read(cx: &Cx, target: EditorTarget, query: EditorQuery) -> Result<Draft, Problem> {
    let details = request::version(cx, target.policy, target.version).await?;
    let rejected = request::take_rejected(&request::current_page()).await;
    let request = requested_changes::read(cx, &target, &details).await?;
    let VersionDetails { policy, progress, version, .. } = &*details;
    let rules = version.rules.as_deref().unwrap_or_default();
    let requested = request.as_ref().map(|request| request.first_rule(rules));
    let page = source::page(cx, &details, target, query, requested).await?;
    let request = match request {
        Some(request) => Some(request.on_page(&page).await),
        None => None,
    };
    let PolicyVersion { change_reason, version: number, .. } = version;
    Ok(Draft {
        policy_name: policy.name.clone(),
        stage: progress.get(number).map_or(VersionStage::Draft, |own| own.stage),
        active_version: policy.active_version,
        change_reason: change_reason.clone(),
        page,
        rejected,
        request,
    })
}

fn draft_view(draft: Draft, saved: String, find: String, part: String) -> AnyView {
    let Draft { policy_name, stage, active_version, change_reason, page, rejected, request } =
        draft;
    let EditorPage { target, lines, open, sample, decisions } = page;
    let crumbs = crumbs(&target, &policy_name);
    let head = PageHead {
        title: words::title(&policy_name, target.version),
        stage,
        compare: (
            url::compare(target.tenant, target.policy, target.version),
            words::compare(active_version),
        ),
        submission: submission(&target, request.as_ref()),
    };
    let problem = rejected.as_ref().map(|rejected| rejected.problem.clone());
    let problem = problem.map(problem_note);
    let reason = reason(&target, change_reason, rejected);
    let (open_rule, has_form) = match open {
        Open::Rule(open_rule) => (*open_rule, true),
        Open::Unshown => (OpenRule::default(), false),
        Open::Json(json) => {
            let note = request.as_ref().map(|request| {
                view! {
                    {request.note()}
                    {request.recall_note()}
                }
            });
            return any_view! {
                {crumbs}
                {head.without_actions(target.revision)}
                {problem}
                {note}
                {reason}
                {json_view(&target, *json, &saved)}
            };
        }
        Open::Closed(input) => {
            return any_view! {
                {crumbs}
                {head.without_actions(target.revision)}
                {problem}
                {request.as_ref().map(RequestedChanges::note)}
                {closed_version(&target, stage, input)}
            };
        }
    };
    let revision = target.revision;
    let note = request.as_ref().map(RequestedChanges::note);
    let is_submitted = request.as_ref().is_some_and(|request| request.is_submitted);
    let threads = request.as_ref().and_then(RequestedChanges::threads);
    let comments = request.as_ref().map(RequestedChanges::comments);
    let page = target.page();
    // Islands inside the editor use its state, so they are created inside it.
    let content = move || {
        let form = if has_form {
            any_view! {
                <section class="card rule-panel" aria-labelledby="rule-title">
                    {threads}
                    <RuleForm saved />
                </section>
                <SamplePanel text=sample decisions />
            }
        } else {
            only_json(&page, threads)
        };
        view! {
            <div class="rule-editor">
                <RuleNav find part />
                {form}
            </div>
        }
    };
    any_view! {
        {crumbs}
        <Editor target rules=lines open=open_rule>
            {head.with_actions()}
            {problem}
            {note}
            {is_submitted.then(|| view! { <RecallNote revision /> })}
            {reason}
            {content()}
            {comments}
        </Editor>
    }
}

fn crumbs(target: &EditorTarget, policy_name: &str) -> AnyView {
    let EditorTarget { tenant, policy, version, .. } = *target;
    any_view! {
        <nav class="crumbs" aria-label=messages::CRUMBS>
            <a href=url::policies(tenant)>"Policies"</a>
            {icon(Icon::Next)}
            <a href=url::policy(tenant, policy)>
                <bdi>{policy_name.to_owned()}</bdi>
            </a>
            {icon(Icon::Next)}
            <a href=url::version(tenant, policy, version)>"v" {version}</a>
        </nav>
    }
}

struct PageHead {
    title: String,
    stage: VersionStage,
    /// The address and the label of the comparison.
    compare: (String, String),
    submission: Submission,
}

impl PageHead {
    fn with_actions(self) -> AnyView {
        let Self { title, stage, compare, submission } = self;
        any_view! {
            <div class="page-head">
                <Heading title />
                {stage_badge(stage)}
                <Revision />
                <EditorActions compare submission />
            </div>
        }
    }

    fn without_actions(self, revision: u32) -> AnyView {
        let Self { title, stage, .. } = self;
        any_view! {
            <div class="page-head">
                <Heading title />
                {stage_badge(stage)}
                <span class="tag">"r" {revision}</span>
            </div>
        }
    }
}

fn submission(target: &EditorTarget, request: Option<&RequestedChanges>) -> Submission {
    let EditorTarget { tenant, policy, version, .. } = *target;
    match request {
        Some(request) => request.submission(version),
        None => Submission::Page {
            href: format!(
                "{}/{}",
                url::version(tenant, policy, version),
                VersionAction::Send.word()
            ),
            label: VersionAction::Send.button(version),
        },
    }
}

/// The change reason of the version, for reviewers.
fn reason(
    target: &EditorTarget,
    change_reason: Option<String>,
    rejected: Option<RejectedForm>,
) -> AnyView {
    let rejected_input = rejected.map(|rejected| rejected.text).filter(|text| !text.is_empty());
    let summary = match change_reason.clone() {
        Some(reason) => any_view! {
            {words::REASON}
            ": "
            <bdi>{reason}</bdi>
        },
        None => words::NO_REASON.into_any(),
    };
    let is_open = rejected_input.is_some();
    let value = rejected_input.or(change_reason).unwrap_or_default();
    any_view! {
        <details class="disclosure" open=is_open>
            <summary>{summary}</summary>
            <form method="post" action=SaveChangeReason::url() class="stack reason">
                {target_fields(target)}
                <TextArea
                    label=words::REASON
                    hint=words::REASON_HINT
                    name="text"
                    id="reason".to_owned()
                    value=value
                    maxlength=500
                    required=true
                />
                <div class="row">
                    <button>{words::SAVE_REASON}</button>
                </div>
            </form>
        </details>
    }
}

/// The target of a form, as hidden fields.
fn target_fields(target: &EditorTarget) -> AnyView {
    any_view! {
        <input type="hidden" name="place[tenant]" value=target.tenant.to_string() />
        <input type="hidden" name="place[policy]" value=target.policy.to_string() />
        <input type="hidden" name="place[version]" value=target.version />
        <input type="hidden" name="place[revision]" value=target.revision />
    }
}

/// Renders a rule that the form cannot show. `page` is the address of the editor.
fn only_json(page: &str, threads: Option<AnyView>) -> AnyView {
    let href = url::with_query(page, &[("look", "json")]);
    any_view! {
        <section class="card">
            {threads} <p>{words::ONLY_JSON}</p> <p>
                <a class="button" href=href>
                    {words::AS_JSON}
                </a>
            </p>
        </section>
    }
}

/// Renders a version that is no longer a draft, and the input that was not saved.
fn closed_version(target: &EditorTarget, stage: VersionStage, input: Option<String>) -> AnyView {
    let EditorTarget { tenant, policy, version, .. } = *target;
    any_view! {
        {note(Tone::Warn, None, words::not_editable(stage))}
        <p>
            <a class="button" href=url::version(tenant, policy, version)>
                {words::VERSION}
            </a>
        </p>
        {input.map(|text| code_block(text, words::UNSAVED_INPUT))}
    }
}
