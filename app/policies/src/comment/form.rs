//! The form of the comments on a version, and the actions of its buttons.

use contract::policy::CommentDraft;
use governance::authoring::policy::version::comment;
use page_kit::{
    prelude::*,
    request::{redirect, set_result, wants_page},
};

use crate::version::actions::VersionAction;

const EMPTY: &str = "enter a comment of 1 to 4,000 characters";

/// The address of a version: tenant, policy and version number.
type VersionAddress = (TenantId, PolicyId, u32);

/// The pressed button of the form of comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommentAct {
    New,
    Reply(CommentId),
    Resolve(CommentId),
    Reopen(CommentId),
    /// Stores the texts of all fields and opens the page that submits this version.
    Submit(u32),
}

/// The name of the field with the text of a new comment.
pub(super) const NEW_COMMENT: &str = "new";

/// Returns the name of the field with the text of a reply to the thread `id`. It starts with a letter: the form
/// decoder reads a name that starts with a digit as the index of a list.
pub(super) fn reply_field(id: CommentId) -> String {
    format!("reply-{id}")
}

impl CommentAct {
    /// Returns the value of its button.
    pub(crate) fn word(self) -> String {
        match self {
            Self::New => NEW_COMMENT.to_owned(),
            Self::Reply(id) => format!("reply:{id}"),
            Self::Resolve(id) => format!("resolve:{id}"),
            Self::Reopen(id) => format!("reopen:{id}"),
            Self::Submit(version) => format!("submit:{version}"),
        }
    }

    /// Reads the value of a button.
    fn read(word: &str) -> Option<Self> {
        if word == NEW_COMMENT {
            return Some(Self::New);
        }
        let (act, id) = word.split_once(':')?;
        if act == "submit" {
            return id.parse().ok().map(Self::Submit);
        }
        let id = id.parse().ok()?;
        match act {
            "reply" => Some(Self::Reply(id)),
            "resolve" => Some(Self::Resolve(id)),
            "reopen" => Some(Self::Reopen(id)),
            _ => None,
        }
    }

    /// Returns the name of its text field, if it has one.
    fn field(self) -> Option<String> {
        match self {
            Self::New => Some(NEW_COMMENT.to_owned()),
            Self::Reply(id) => Some(reply_field(id)),
            Self::Resolve(_) | Self::Reopen(_) | Self::Submit(_) => None,
        }
    }

    /// Returns the button that stores the text of a field.
    fn of_field(name: &str) -> Option<Self> {
        match name.strip_prefix("reply-") {
            Some(id) => id.parse().ok().map(Self::Reply),
            None => (name == NEW_COMMENT).then_some(Self::New),
        }
    }
}

/// The form of comments: one form for all threads of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct CommentForm {
    /// The pressed button ([`CommentAct`]).
    act: String,
    /// The page that contains the form.
    page: String,
    /// The code of the rule that a new comment concerns; empty for the version.
    rule: String,
    /// The texts of all fields, by their names.
    texts: BTreeMap<String, String>,
}

impl CommentForm {
    /// Returns the page that contains the form: the page of a version of the policy, or a page below it. The
    /// editor of a draft shows the comments on the earlier draft that it replaces.
    fn page(&self, tenant: TenantId, policy: PolicyId, version: u32) -> String {
        let own = url::version(tenant, policy, version);
        let versions = format!("{}/versions/", url::policy(tenant, policy));
        let is_below = self
            .page
            .strip_prefix(&versions)
            .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
        // A redirect header contains only ASCII characters.
        let is_own = is_below && self.page.is_ascii() && url::own_path(&self.page) == self.page;
        if is_own { self.page.clone() } else { own }
    }

    /// Returns the buttons whose fields contain a text.
    fn acts_with_text(&self) -> Vec<CommentAct> {
        let filled = self.texts.iter().filter(|(_, text)| !text.trim().is_empty());
        filled.filter_map(|(name, _)| CommentAct::of_field(name)).collect()
    }

    /// Returns the comment of a button with a text field, as a request body.
    ///
    /// # Errors
    /// Returns the field errors.
    fn draft(&self, act: CommentAct) -> Result<CommentDraft, Vec<FieldError>> {
        let text = act.field().and_then(|field| self.texts.get(&field));
        let text = text.map(|text| text.trim().replace("\r\n", "\n")).unwrap_or_default();
        let mut body = Object::from([("text", Value::from(text))]);
        if act == CommentAct::New && !self.rule.is_empty() {
            body.insert("rule_code", self.rule.as_str());
        }
        if let CommentAct::Reply(id) = act {
            body.insert("in_reply_to", id.to_string());
        }
        contract::read::body(&Value::Object(body))
    }

    /// Returns the texts that are not stored after a button was pressed, and the error if it failed.
    fn unsent(mut self, problem: Option<Problem>) -> Unsent {
        if problem.is_none()
            && let Some(field) = CommentAct::read(&self.act).and_then(CommentAct::field)
        {
            self.texts.remove(&field);
        }
        self.texts.retain(|_, text| !text.trim().is_empty());
        Unsent { problem, rule: self.rule, texts: self.texts }
    }
}

/// Input of the form of comments that is not stored, and why.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Unsent {
    pub(super) problem: Option<Problem>,
    /// The code of the rule of the new comment.
    pub(super) rule: String,
    texts: BTreeMap<String, String>,
}

impl Unsent {
    fn is_empty(&self) -> bool {
        self.problem.is_none() && self.texts.is_empty()
    }

    pub(super) fn text(&self, field: &str) -> String {
        self.texts.get(field).cloned().unwrap_or_default()
    }
}

/// The key of the input of `page` that was not stored. The page has other forms with their own input.
pub(super) fn unsent_key(page: &str) -> String {
    format!("comments {page}")
}

/// The key of the thread that the user has resolved on `page`.
pub(super) fn resolved_key(page: &str) -> String {
    format!("resolved {page}")
}

/// Creates a comment or a reply, or resolves or reopens a thread, and redirects to the page of the form.
#[server(prefix = "/console", endpoint = "comment", output = JsonCodec)]
async fn post_comment(
    tenant: TenantId,
    policy: PolicyId,
    version: u32,
    #[server(default)] form: CommentForm,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let (page, mut form) = (form.page(tenant, policy, version), form);
    let at = (tenant, policy, version);
    let (target, problem) = match perform(&cx, at, &page, &mut form).await {
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
        return Err(Problem::of_form(EMPTY));
    };
    let (tenant, policy, version) = at;
    let comment = match act {
        CommentAct::New | CommentAct::Reply(_) => create(cx, at, form, act).await?,
        CommentAct::Resolve(id) => {
            let resolved = comment::resolve(cx, policy, version, id).await?;
            // Another user may have resolved it before.
            if resolved.resolved_at == Some(cx.now) {
                set_result(&resolved_key(page), &resolved.id).await?;
            }
            resolved.id
        }
        CommentAct::Reopen(id) => comment::reopen(cx, policy, version, id).await?.id,
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
    let draft = form.draft(act).map_err(|_| Problem::of_form(EMPTY))?;
    Ok(comment::create(cx, policy, version, draft).await?.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id() -> CommentId {
        CommentId(uuid::Uuid::from_u128(7))
    }

    #[test]
    fn a_button_is_read_from_its_value() {
        let acts = [
            CommentAct::New,
            CommentAct::Reply(id()),
            CommentAct::Resolve(id()),
            CommentAct::Reopen(id()),
            CommentAct::Submit(7),
        ];
        for act in acts {
            assert_eq!(CommentAct::read(&act.word()), Some(act));
        }
        for word in ["", "reply", "reply:", "reply:none", "delete:7", "submit:x"] {
            assert_eq!(CommentAct::read(word), None, "{word}");
        }
    }

    #[test]
    fn a_form_returns_only_to_pages_of_versions_of_its_policy() {
        let (tenant, policy) = (TenantId(uuid::Uuid::nil()), PolicyId(uuid::Uuid::nil()));
        let own = url::version(tenant, policy, 1);
        let page =
            |page: String| CommentForm { page, ..CommentForm::default() }.page(tenant, policy, 1);
        let successor = url::edit_version(tenant, policy, 2);
        let compare = format!("{own}/compare?against=2");
        for below in [own.clone(), format!("{own}/review"), compare, successor] {
            assert_eq!(page(below.clone()), below);
        }
        let other_policy = own.replacen("/policies/0", "/policies/1", 1);
        for other in ["", "/account", "//evil.example", "https://evil.example", &other_policy] {
            assert_eq!(page(other.to_owned()), own);
        }
        for altered in [format!("{own}/é"), format!("{own}/a\r\nb")] {
            assert_eq!(page(altered), own);
        }
    }

    #[test]
    fn other_texts_are_preserved_when_a_comment_is_stored() {
        let texts = [("new", "Text"), (&*reply_field(id()), "Sent."), ("other", " ")];
        let form = CommentForm {
            act: CommentAct::Reply(id()).word(),
            texts: texts.map(|(name, text)| (name.to_owned(), text.to_owned())).into(),
            ..CommentForm::default()
        };
        let draft = form.draft(CommentAct::Reply(id())).unwrap();
        assert_eq!((draft.text.as_str(), draft.in_reply_to), ("Sent.", Some(id())));
        let unsent = form.clone().unsent(None);
        assert_eq!(unsent.texts.into_iter().collect::<Vec<_>>(), [("new".into(), "Text".into())]);
        assert_eq!(form.clone().unsent(Some(Problem::default())).texts.len(), 2);
        assert_eq!(form.acts_with_text(), [CommentAct::New, CommentAct::Reply(id())]);
    }
}
