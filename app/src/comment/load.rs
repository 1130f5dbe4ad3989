//! Comments on a version: their threads, and the form that changes them.

use contract::{
    id::{CommentId, PolicyId, TenantId},
    policy::{Comment, PolicyVersion},
};
use governance::{
    Cx,
    authoring::policy::version::comment::{self, CommentThread},
};

use super::{
    view::{CommentAct, CommentForm, Discussion, Entry, Subject, Thread, UnsentComments},
    words,
};
use crate::{
    clause::view::Clauses,
    member::names::Names,
    problem::Problem,
    request::{self, directory, into_problem, redirect, set_result, take_result, wants_page},
    text::url,
    version::{actions::VersionAction, view::VersionPage},
};

/// The address of a version: tenant, policy and version number.
pub(crate) type VersionAddress = (TenantId, PolicyId, u32);

/// Returns the threads of a version for `page`, with the input that was not stored.
pub(crate) async fn discussion(
    cx: &Cx,
    version: &VersionPage,
    page: String,
) -> Result<Discussion, Problem> {
    let details = request::version(cx, version.policy, version.version).await?;
    let clauses = version.clauses.as_ref();
    let discussion = threads(cx, version.tenant, &details.version, clauses).await?;
    let rules = Discussion::rule_codes(&version.rules.rules);
    Ok(with_page(Discussion { rules, ..discussion }, page).await)
}

/// Returns the threads of a version, without a page. `clauses` are those of the version.
pub(crate) async fn threads(
    cx: &Cx,
    tenant: TenantId,
    version: &PolicyVersion,
    clauses: Option<&Clauses>,
) -> Result<Discussion, Problem> {
    let threads = into_problem(comment::threads(cx, version).await)?;
    let names = &directory(cx).await?.names;
    Ok(Discussion {
        tenant,
        policy: version.policy_id,
        version: version.version,
        page: String::new(),
        threads: threads.into_iter().map(|one| thread(one, clauses, names)).collect(),
        rules: Vec::new(),
        unsent: UnsentComments::default(),
        resolved: None,
    })
}

/// Returns the threads for `page`, with the input that was not stored and the thread that was resolved.
pub(crate) async fn with_page(discussion: Discussion, page: String) -> Discussion {
    let unsent = take_result(&unsent_key(&page)).await.unwrap_or_default();
    let resolved = take_result(&resolved_key(&page)).await;
    Discussion { page, unsent, resolved, ..discussion }
}

fn thread(thread: CommentThread, clauses: Option<&Clauses>, names: &Names) -> Thread {
    let CommentThread { first, replies, is_outdated } = thread;
    let name = |id: contract::id::UserId| {
        let id = id.to_string();
        names.get(&id).cloned().unwrap_or(id)
    };
    let entry = |comment: Comment| Entry {
        id: comment.id,
        by: name(comment.author),
        at: comment.created_at,
        revision: comment.draft_revision,
        text: comment.text,
    };
    Thread {
        subject: Subject::new(first.rule_code.clone(), first.unit_id.clone(), clauses),
        is_outdated,
        is_in_record: first.record_id.is_some(),
        resolved: first.resolved_by.map(name).zip(first.resolved_at),
        first: entry(first),
        replies: replies.into_iter().map(entry).collect(),
    }
}

/// The key of the input of `page` that was not stored. The page has other forms with their own input.
fn unsent_key(page: &str) -> String {
    format!("comments {page}")
}

/// The key of the thread that the user has resolved on `page`.
fn resolved_key(page: &str) -> String {
    format!("resolved {page}")
}

/// Performs the action of the pressed button, and redirects to the page of the form.
pub(crate) async fn act(cx: &Cx, at: VersionAddress, mut form: CommentForm) -> Result<(), Problem> {
    let page = form.page(at.0, at.1, at.2);
    let (target, problem) = match perform(cx, at, &page, &mut form).await {
        Ok(target) => (target, None),
        Err(problem) if !wants_page() => return Err(problem),
        Err(problem) => (format!("{page}#discussion"), Some(problem)),
    };
    let unsent = form.unsent(problem);
    if !unsent.is_empty() {
        set_result(&unsent_key(&page), &unsent).await?;
    }
    redirect(&target);
    Ok(())
}

/// Performs the action of the pressed button. Returns the address that shows the result.
async fn perform(
    cx: &Cx,
    at: VersionAddress,
    page: &str,
    form: &mut CommentForm,
) -> Result<String, Problem> {
    let Some(act) = CommentAct::read(&form.act) else {
        return Err(Problem::of_form(words::EMPTY));
    };
    let (tenant, policy, version) = at;
    let comment = match act {
        CommentAct::New | CommentAct::Reply(_) => create(cx, at, form, act).await?,
        CommentAct::Resolve(id) => {
            let resolved = into_problem(comment::resolve(cx, policy, version, id).await)?;
            // Another user may have resolved it before.
            if resolved.resolved_at == Some(cx.now) {
                set_result(&resolved_key(page), &resolved.id).await?;
            }
            resolved.id
        }
        CommentAct::Reopen(id) => into_problem(comment::reopen(cx, policy, version, id).await)?.id,
        CommentAct::Submit(submitted) => {
            for act in form.acts_with_text() {
                create(cx, at, form, act).await?;
                form.texts.retain(|name, _| act.field().as_ref() != Some(name));
            }
            let submitted = url::version(tenant, policy, submitted);
            return Ok(format!("{submitted}/{}", VersionAction::Send.word()));
        }
    };
    Ok(format!("{page}#comment-{comment}"))
}

/// Stores the text of the field of a button.
async fn create(
    cx: &Cx,
    (_, policy, version): VersionAddress,
    form: &CommentForm,
    act: CommentAct,
) -> Result<CommentId, Problem> {
    let draft = form.draft(act).map_err(|_| Problem::of_form(words::EMPTY))?;
    Ok(into_problem(comment::create(cx, policy, version, draft).await)?.id)
}
