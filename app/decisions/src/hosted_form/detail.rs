//! One hosted form: its status and link, its editor, its tokens, and its integration guide.

use contract::form::{AccessMode, FormContract, FormTokenDraft};
use governance::deciding::form::{self, ExpectedForm, IssuedToken};
use page_kit::prelude::*;

use super::{
    FIELDS, TITLE,
    edit::{ACCESS, BRANDING, editor, pending_key},
    field::label,
    input::{FormEdit, PendingFormEdit},
    may_write, non_empty, status_badge,
};

/// The name of the tab with the integration guide.
const INTEGRATE: &str = "integrate";

/// `/t/{tenant}/forms/{form}/edit`
pub async fn form() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("form")?;
    let form = form::read(&cx, id).await?;
    let tokens = form::tokens(&cx, id).await?;
    let current = FormEdit::stored(&form)?;
    let may_write = may_write(&cx);
    let pending: Option<PendingFormEdit> =
        if may_write { request::get(&pending_key(id)).await } else { None };
    let path = url::form(tenant, id);
    let problem = take_rejected(&path).await.map(|rejected| rejected.problem);
    let tab = page::query("tab");
    // Only the tabs of the editor show the list of errors.
    let shown_errors = pending.as_ref().filter(|_| tab != INTEGRATE);
    let error_count = shown_errors.map_or(0, |pending| pending.errors.len());
    let token = take_created(&path).map(|token| {
        view! {
            <OneTimeSecretBox
                title="Token created.".to_owned()
                secret=token.secret
                what="Link with token"
                note="Copy the link now. It will not be shown again."
                page=url::form_tab(tenant, id, ACCESS)
                done="I have copied it"
            />
        }
    });
    let link = link(tenant, &form, current.seen.clone(), may_write);
    let delete = may_write.then(|| delete_card(tenant, &form, current.seen.clone()));
    let content = if tab == INTEGRATE {
        integration_guide(form::contract_of(&cx, &form))
    } else {
        let tokens = (tab == ACCESS).then(|| tokens_section(tenant, id, &tokens, may_write));
        (editor(tenant, id, &tab, current, pending, may_write), tokens).into_any()
    };
    let tabs =
        [("", "Fields"), (ACCESS, "Access"), (BRANDING, "Branding"), (INTEGRATE, "Integrate")].map(
            |(name, label)| {
                let (href, is_current) = (url::form_tab(tenant, id, name), tab == name);
                Tab { href, label, count: None, is_current }
            },
        );
    Ok(any_view! {
        <Crumb href=url::forms(tenant) label=TITLE />
        <div class="page-head">
            <Heading title=messages::title_with_errors(
                &isolated(&form.title),
                error_count,
            )>{bdi(&form.title)}</Heading>
            {status_badge(form.is_published)}
        </div>
        {problem.map(problem_note)}
        {token}
        {link}
        {tab_links(TITLE, tabs.into())}
        {content}
        {delete}
    })
}

/// Renders the link of the form, a note about who can use it, and the button that publishes or unpublishes the form.
fn link(tenant: TenantId, form: &Form, seen: String, may_write: bool) -> AnyView {
    let help = match form.access_mode {
        _ if !form.is_published => "Publish the form to activate this link.",
        AccessMode::Open => "Anyone with this link can submit.",
        AccessMode::Token => "A token is also required.",
        AccessMode::Password => "The password is also required.",
        AccessMode::Console => "Submitters must be members and sign in.",
    };
    let (label, class) = if form.is_published { ("Unpublish", "") } else { ("Publish", "primary") };
    let publish = may_write.then(|| {
        view! {
            <form method="post" action=PublishForm::url() data-once="">
                {seen_form(tenant, form.id, !form.is_published, seen)}
                <button class=class>{label}</button>
            </form>
        }
    });
    let address = url::hosted_form(form.id);
    let full = request::governance().link(&address);
    let what = "Link to the form";
    let open = form.is_published.then(|| {
        view! {
            <a class="button" href=address rel="external">
                {what}
            </a>
        }
    });
    any_view! {
        <section class="card stack" aria-label=what>
            {id_code(full, what)}
            <p>{help}</p>
            <div class="row">{open} {publish}</div>
        </section>
    }
}

fn delete_card(tenant: TenantId, form: &Form, seen: String) -> AnyView {
    let label = "Delete this form";
    any_view! {
        <details class="card disclosure">
            <summary>{label}</summary>
            <form method="post" action=DeleteForm::url() class="stack" data-once="">
                {seen_form(tenant, form.id, form.is_published, seen)}
                <p>
                    "The link and all tokens stop working permanently. Recorded decisions and receipts are retained."
                </p>
                {submit("danger", label)}
            </form>
        </details>
    }
}

/// Renders the hidden fields of an action for a form. `seen` is the digest of the form that the user has seen.
fn seen_form(tenant: TenantId, id: FormId, published: bool, seen: String) -> AnyView {
    let mut fields = ids(tenant, id);
    fields.extend([("published", published.to_string()), ("seen", seen)]);
    hidden(fields).into_any()
}

fn ids(tenant: TenantId, id: FormId) -> Vec<(&'static str, String)> {
    vec![("tenant", tenant.to_string()), ("id", id.to_string())]
}

/// Publishes or unpublishes a form, unless it has changed since the user read it, and redirects to it.
#[server(prefix = "/console", endpoint = "publish-form", output = JsonCodec)]
async fn publish_form(
    tenant: TenantId,
    id: FormId,
    published: bool,
    seen: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = url::form(tenant, id);
    request::act(&page, String::new(), async {
        let body = Object::from([("is_published", published.into())]);
        let expected = ExpectedForm { digest: seen, is_published: None };
        form::edit(&cx, id, request::read_form(body, &[])?, Some(&expected)).await?;
        Ok(page.clone())
    })
    .await
}

/// Deletes a form, unless it has changed since the user read it, and redirects to the list.
#[server(prefix = "/console", endpoint = "delete-form", output = JsonCodec)]
async fn delete_form(
    tenant: TenantId,
    id: FormId,
    published: bool,
    seen: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let expected = ExpectedForm { digest: seen, is_published: Some(published) };
    let deleted = form::delete(&cx, id, Some(&expected)).await.map_err(Problem::from);
    request::respond(deleted, &url::forms(tenant), &url::form(tenant, id), String::new()).await
}

/// Renders how programs submit to the form.
fn integration_guide(contract: FormContract) -> AnyView {
    let parts = [
        ("curl", contract.curl_example),
        ("JavaScript", contract.sdk_examples.javascript),
        ("Python", contract.sdk_examples.python),
        ("JSON Schema", json::indented(&contract.json_schema)),
        ("OpenAPI", json::indented(&contract.openapi_snippet)),
    ];
    let part = |(label, text): (&'static str, String)| {
        view! {
            <section class="stack">
                <h2>{label}</h2>
                {code_block(text, label)}
            </section>
        }
    };
    any_view! { <div class="stack">{parts.map(part)}</div> }
}

/// Renders the tokens of a form, and the form that creates one.
fn tokens_section(
    tenant: TenantId,
    id: FormId,
    tokens: &[IssuedToken],
    may_write: bool,
) -> AnyView {
    let create = may_write.then(|| {
        view! {
            <form method="post" action=MakeFormToken::url() class="card filters" data-once="">
                {hidden(ids(tenant, id))}
                <TextField label=label("/max_uses") name="uses" />
                <TextField label="Expires (UTC, optional)" name="expires" kind="datetime-local" />
                <button class="primary">"Create token"</button>
            </form>
        }
    });
    let table = Table::new("Tokens")
        .column("Token", |token: &IssuedToken| {
            view! { <span class="font-mono">{token.id.to_string()}</span> }
        })
        .numbers("Uses", |token| match token.max_uses {
            Some(max) => format!("{} of {max}", token.uses),
            None => token.uses.to_string(),
        })
        .column("Expires (UTC)", |token| time_or(token.expires_at, "Never"))
        .column("Created (UTC)", |token| second(token.created_at))
        .column("Revoked (UTC)", |token| {
            if token.revoked_at.is_none() && may_write {
                return revoke_card(tenant, id, token.id);
            }
            time_or(token.revoked_at, "No")
        });
    let empty = ["No tokens.", "A token gives access to a form that requires one."];
    any_view! {
        <section class="stack" aria-labelledby="tokens">
            <h2 id="tokens">"Tokens"</h2>
            {create}
            {table.or_empty(tokens, empty)}
        </section>
    }
}

/// Renders the form that revokes a token, collapsed under its title.
fn revoke_card(tenant: TenantId, id: FormId, token: FormTokenId) -> AnyView {
    any_view! {
        <details class="disclosure">
            <summary aria-label=format!("Revoke {token}")>"Revoke"</summary>
            <form method="post" action=RevokeFormToken::url() class="stack">
                {hidden(ids(tenant, id))}
                <input type="hidden" name="token" value=token.to_string() />
                <p>"This token stops working immediately. This cannot be undone."</p>
                {submit("danger", "Revoke")}
            </form>
        </details>
    }
}

/// Issues a token for a form, and redirects to the form, which shows the token once.
#[server(prefix = "/console", endpoint = "form-token", output = JsonCodec)]
async fn make_form_token(
    tenant: TenantId,
    id: FormId,
    #[server(default)] uses: String,
    #[server(default)] expires: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = url::form(tenant, id);
    request::act(&page, String::new(), async {
        let token = form::issue_token(&cx, id, token_draft(&uses, &expires)?).await?;
        let secret = OneTimeSecret { name: token.id.to_string(), secret: token.url };
        request::set_created(&secret, &page);
        Ok(url::form_tab(tenant, id, ACCESS))
    })
    .await
}

/// Returns the requested token.
///
/// # Errors
/// Returns `VALIDATION_ERROR` with one sentence per error.
fn token_draft(uses: &str, expires: &str) -> Result<FormTokenDraft, Problem> {
    let mut body = Object::new();
    if let Some(uses) = non_empty(uses) {
        body.insert("max_uses", uses.parse::<u32>().map_or_else(|_| uses.into(), Value::from));
    }
    if let Some(at) = end_instant(expires).map_err(|()| Problem::of_form(BAD_EXPIRES))? {
        body.insert("expires_at", at.to_string());
    }
    request::read_form(body, &FIELDS)
}

/// Revokes a form token, and redirects to the tokens.
#[server(prefix = "/console", endpoint = "revoke-form-token", output = JsonCodec)]
async fn revoke_form_token(
    tenant: TenantId,
    id: FormId,
    token: FormTokenId,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let revoked = form::revoke_token(&cx, id, token).await.map_err(Problem::from);
    let (done, page) = (url::form_tab(tenant, id, ACCESS), url::form(tenant, id));
    request::respond(revoked, &done, &page, String::new()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_draft_parses_its_input() {
        assert!(token_draft("x", "").is_err() && token_draft("", "soon").is_err());
        assert_eq!(token_draft("3", "").unwrap().max_uses, Some(3));
    }
}
