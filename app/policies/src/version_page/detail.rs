//! The page of one version.

use governance::authoring::policy;
use islands::editor::{act::OpenDraft, words as editor_words};
use page_kit::{prelude::*, text::verdict::stage_meaning};
use rules::{
    clause::{
        markup::{ClauseText, document_name, lint_failed},
        view::{ClauseLine, Clauses},
        words as clause_words,
    },
    rule::{markup::RulePages, view::RulePosition},
};

use super::action;
use crate::{
    comment,
    version::{Version, lifecycle::StepKind},
};

/// `/t/{tenant}/policies/{policy}/versions/{version}`
pub async fn version() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let (policy, number) = (page::param("policy")?, page::param("version")?);
    let position = RulePosition { number: page::query("rules"), code: page::query("rule") };
    let (done, shows_bytes) = (page::query("done"), !page::query("bytes").is_empty());
    let own = url::version(tenant, policy, number);
    let version = Version::read(&cx, policy, number).await?;
    let discussion = comment::discussion(&cx, &version, own.clone()).await?;
    let approval = approval_card(&cx, &version).await?;
    let submission = action::submission(&cx, &version).await?;
    let version = version.at(&position, shows_bytes);
    let rejected = take_rejected(&own).await;
    let (name, revision) = (version.policy_name().to_owned(), version.revision());
    let path = own.clone();
    let clauses = version.clauses.clone();
    let clauses = clauses.map(|clauses| clause_list(clauses, version.rules.is_paged()));
    Ok(any_view! {
        {version.crumbs()}
        <div class="page-head">
            <Heading title=version.title()>
                <bdi>{name}</bdi>
                <span class="tabular-nums">" v" {number}</span>
            </Heading>
            {stage_badge(version.stage)}
            <span class="tag">"r" {revision}</span>
        </div>
        {action_notice(&version, &done)}
        {status_text(&version)}
        {version.lifecycle()}
        <div class="row">
            {edit_actions(&version)} <a class="button" href=url::review(tenant, policy, number)>
                {format!("Review v{number}")}
            </a> <a class="button" href=url::compare(tenant, policy, number)>
                "Compare"
            </a> {action::buttons(&version, rejected.as_ref(), submission)}
        </div>
        <div class="with-rail">
            <div class="rail">
                <section class="card">
                    <div class="card-head">
                        <h2>"Rules"</h2>
                        <p class="text-muted text-xs">{version.rules.count()}</p>
                    </div>
                    <RulePages path page=version.rules.clone() />
                </section>
                {clauses}
                <div>{comment::section(&discussion, &[])}</div>
            </div>
            <aside class="rail">{version.timeline()} {version.digest_card(None)} {approval}</aside>
        </div>
        {version.bytes(Some("bytes"))}
    })
}

/// Renders the notice of a completed action, if it matches the current state of the version.
fn action_notice(version: &Version, done: &str) -> Option<AnyView> {
    let (number, own) = (version.version, version.own());
    let has = |status| own.status == status;
    let (is_done, text) = match done {
        "send" => {
            (has(VersionStatus::Submitted), format!("Version {number} submitted for review."))
        }
        "accept" => (true, format!("Your acceptance of version {number} is recorded.")),
        "return" => (true, format!("Your request for changes to version {number} is recorded.")),
        "set-aside" => (has(VersionStatus::SetAside), format!("Version {number} is set aside.")),
        "recall" => (has(VersionStatus::Draft), format!("Version {number} is a draft again.")),
        "reject" => (has(VersionStatus::Draft), format!("Version {number} rejected.")),
        "ratify" => (
            has(VersionStatus::Ratified),
            format!("Version {number} is ratified. It takes effect when it is activated."),
        ),
        "activate" => (own.is_active, format!("Version {number} is now active.")),
        _ => return None,
    };
    is_done.then(|| note(Tone::Allow, Some("status"), text))
}

/// Renders the meaning of the status, with a link to a newer version and the reason of a rejection.
fn status_text(version: &Version) -> AnyView {
    let own = version.own();
    let is_closed = matches!(own.status, VersionStatus::Replaced | VersionStatus::SetAside);
    let by_version = own.superseded_by_version.filter(|_| is_closed);
    let newest = version.details.versions.iter().map(|other| other.version).max();
    let newest = newest.filter(|newest| *newest > own.version && version.is_history());
    let successor = match by_version {
        Some(number) => Some(("It was replaced by", number)),
        None => newest.map(|number| ("The newest version is", number)),
    };
    let successor = successor.map(|(label, number)| {
        let href = url::version(version.tenant, version.policy, number);
        view! {
            " "
            {label}
            " "
            <a href=href>"v" {number}</a>
            "."
        }
    });
    let closed = own.closed_reason.clone().filter(|_| is_closed);
    let closed = closed.map(|reason| view! { <p>"Reason: " <bdi>{reason}</bdi></p> });
    // The reason of the last rejection matters while it is a draft again.
    let rejection = own.rejection_reason.clone().filter(|_| own.status == VersionStatus::Draft);
    let rejection = rejection.map(|reason| {
        let text = view! {
            "Rejected: "
            <bdi>{reason}</bdi>
        };
        note(Tone::Warn, None, text)
    });
    any_view! {
        <p class="intro">{stage_meaning(version.stage)} {successor}</p>
        {closed}
        {rejection}
    }
}

/// Renders the link to edit this draft, or the button to open a new draft based on this version.
fn edit_actions(version: &Version) -> Option<AnyView> {
    let is_draft = version.own().status == VersionStatus::Draft;
    let has_request = version.has_requested_changes();
    let Version { tenant, policy, version: number, .. } = *version;
    if has_request || (is_draft && version.may_write) {
        let label =
            if has_request { editor_words::ADDRESS.to_owned() } else { editor_words::edit(number) };
        let issue = is_draft.then(|| {
            view! {
                <a class="button" href=url::grant_on(tenant, policy, number)>
                    "Issue to a program"
                </a>
            }
        });
        let links = view! {
            <p class="row">
                <a class="button primary" href=url::edit_version(tenant, policy, number)>
                    {label}
                </a>
                {issue}
            </p>
        };
        return Some(links.into_any());
    }
    // A draft can be based on it while the policy has no open version.
    let may_start = version.may_write && version.details.policy.draft_version.is_none();
    // The main action of a ratified version is its activation.
    let is_main = version.stage != VersionStage::Ratified;
    may_start.then(|| new_draft(tenant, policy, number, is_main))
}

/// Renders the button that opens a draft based on a version, or an empty draft if there is none.
pub(crate) fn new_draft(
    tenant: TenantId,
    policy: PolicyId,
    based_on: u32,
    is_main: bool,
) -> AnyView {
    any_view! {
        <form method="post" action=OpenDraft::url()>
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="policy" value=policy.to_string() />
            <input type="hidden" name="based_on" value=based_on />
            <button class:primary=is_main data-key="n">
                {editor_words::NEW_DRAFT}
            </button>
        </form>
    }
}

/// Renders the clauses in document order. `is_paged` states whether the rules of the version are on several pages.
fn clause_list(clauses: Clauses, is_paged: bool) -> AnyView {
    let Clauses { document, url, lines, linted, .. } = clauses;
    let clause_count = count(lines.len(), "clause", "clauses");
    let failed = linted.failed.map(lint_failed);
    let item = |line: ClauseLine| {
        view! {
            <li>
                <ClauseText line linked=true is_paged />
            </li>
        }
    };
    any_view! {
        <section class="card">
            <div class="card-head">
                <h2>{clause_words::TITLE}</h2>
                <p class="text-muted text-xs">
                    {clause_count} " · " {document_name(document, url)}
                </p>
            </div>
            {failed}
            <ol class="rules">{lines.into_iter().map(item).collect_view()}</ol>
        </section>
    }
}

/// Renders the signed approval of a ratified version.
async fn approval_card(cx: &Cx, version: &Version) -> Result<Option<AnyView>, Problem> {
    let ratified = version.steps.iter().find(|step| step.what == StepKind::Ratified);
    let Some(ratified) = ratified else { return Ok(None) };
    let stored = match policy::version::approval(cx, version.policy, version.version).await {
        Err(error) if error.code() == ErrorCode::NotFound => return Ok(None),
        stored => stored?,
    };
    let (digest, at) = (stored.approval_digest, ratified.at);
    let key = match stored.approval.get("kid").and_then(Value::as_str) {
        Some(key) => short_id_fact(action::SIGNED_WITH, key.to_owned()),
        None => fact(action::SIGNED_WITH, "Not signed"),
    };
    let entry = match stored.transparency_anchor {
        Some(_) => any_view! { <a href=url::log_entry(&digest)>"Anchored"</a> },
        None => "Anchor pending".into_any(),
    };
    let what = "Approval digest";
    let card = view! {
        <section class="card" aria-labelledby="approval">
            <h2 id="approval">"Approval"</h2>
            <p class="text-xs text-muted">
                "The signed record of the ratification. Receipts of decisions refer to it."
            </p>
            <dl class="viewed">
                {fact("Ratified", minute(at))} {fact(what, short_digest(digest, what))} {key}
                {fact("Transparency log", entry)}
            </dl>
        </section>
    };
    Ok(Some(card.into_any()))
}
