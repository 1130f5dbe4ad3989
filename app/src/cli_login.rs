//! The page on which the user allows the command line to access a tenant; `program` is the request of the command line.

mod program;

use accounts::key;
use governance::access::{cli_login, permission::ADMINISTER_KEYS};
use page_kit::{
    prelude::*,
    text::url::{CLI_LOGIN, with_query},
};

use self::program::{AllowForm, DAYS, ProgramRequest};
use crate::frame::view::{TenantMembership, memberships};

/// `/cli-login`
pub(crate) async fn cli_login() -> PageResult {
    let content = page::or_problem(content(ProgramRequest::read(page::query)).await);
    Ok(any_view! {
        <PublicFrame width="reading">
            <div class="card panel roomy stack">
                <Heading title="Allow the command line" />
                {content}
            </div>
        </PublicFrame>
    })
}

async fn content(program: ProgramRequest) -> PageResult {
    let Some(login) = program.parse() else {
        let text = "This address is not complete. Start govern login again, and open the address that it prints.";
        return Ok(note(Tone::Deny, Some("alert"), text));
    };
    let page = program.page();
    let signed_in = request::signed_in(&page)?;
    if let Some(code) = request::take_created(CLI_LOGIN) {
        return Ok(code_box(code));
    }
    let user = request::user_tenants(&signed_in).await?;
    let email = &user.session().user.email;
    let mut tenants = memberships(user.session());
    tenants.retain(|membership| membership.role.has(ADMINISTER_KEYS.right));
    if tenants.is_empty() {
        return Ok(no_tenant(email));
    }
    let (problem, form) = request::take_input(&page).await.unzip();
    let form = form.unwrap_or_else(|| program.form());
    let cancel = match login.redirect_uri() {
        Some(uri) => {
            with_query(&uri, &[("error", "access_denied"), ("state", program.state.as_str())])
        }
        None => "/".to_owned(),
    };
    let question = format!(
        "govern on {} asks for access as {}.",
        isolated(&program.machine()),
        isolated(email)
    );
    let days = DAYS.map(|days| (days.to_string(), count(days as usize, "day", "days")));
    Ok(any_view! {
        <p class="font-semibold breaks">{question}</p>
        <p>
            "Allow access only if you have just started govern login. The program itself states the name of its machine."
        </p>
        <form method="post" action=AllowCliLogin::url() class="stack">
            {problem.map(problem_note)}
            {program.hidden()}
            {tenant_field(tenants, &form.tenant)}
            <TextField label="Name of the API key" name="name" value=form.name required=true />
            <p class="text-muted">{key::SCOPES_HELP}</p>
            <div class="scopes">{key::scope_groups(&form.scopes)}</div>
            <label class="field">
                <span>"Expires after"</span>
                <select name="days">{options(days, &form.days)}</select>
            </label>
            <div class="row end">
                <a class="button" href=cancel rel="external">
                    {messages::CANCEL}
                </a>
                <button class="primary">"Allow access"</button>
            </div>
        </form>
    })
}

/// Renders why a user without administered tenants cannot allow access, and the next step.
fn no_tenant(email: &str) -> AnyView {
    let text = "Only admins can create API keys. Ask an admin of your organization for an API key, and store it with govern login --key.";
    any_view! {
        {note(Tone::Warn, Some("alert"), text)}
        <p class="text-muted breaks">{format!("You are signed in as {}.", isolated(email))}</p>
        <p>
            <a href="/">"Go to Govern"</a>
        </p>
    }
}

/// Renders the code for the user to paste.
fn code_box(code: OneTimeSecret) -> AnyView {
    any_view! {
        <OneTimeSecretBox
            title="Access allowed".to_owned()
            secret=code.secret
            what="Login code"
            note="Paste the code into the terminal in which you started govern login. It can be used once, within five minutes. Give it to no other person."
            page="/".to_owned()
            done="I have pasted it"
        />
    }
}

/// Renders the choice of a tenant, or the name of the only one.
fn tenant_field(tenants: Vec<TenantMembership>, current: &str) -> AnyView {
    if let [only] = tenants.as_slice() {
        return any_view! {
            <p class="breaks">{format!("Tenant: {}", isolated(&only.name))}</p>
            <input type="hidden" name="tenant" value=only.tenant.to_string() />
        };
    }
    let choices = tenants.into_iter().map(|tenant| (tenant.tenant.to_string(), tenant.name));
    any_view! {
        <label class="field">
            <span>"Tenant"</span>
            <select name="tenant">{options(choices, current)}</select>
        </label>
    }
}

/// Allows the key and redirects to the program, or to the page with the code.
#[server(prefix = "/console", endpoint = "allow-cli-login", output = JsonCodec)]
async fn allow_cli_login(
    tenant: TenantId,
    program: ProgramRequest,
    #[server(default)] name: String,
    #[server(default)] scopes: Vec<String>,
    #[server(default)] days: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = program.page();
    let Some(login) = program.parse() else {
        // The page reports that the address is not complete.
        request::redirect(&page);
        return Ok(());
    };
    let form = AllowForm { tenant: tenant.to_string(), name, scopes, days };
    match (allow(&cx, &login, &form, &page).await, login.redirect_uri()) {
        (Ok(code), Some(uri)) => {
            let answer = [("code", code.as_str()), ("state", program.state.as_str())];
            request::redirect_to_program(&with_query(&uri, &answer));
        }
        (Ok(secret), None) => {
            request::set_created(&OneTimeSecret { name: form.name.clone(), secret }, CLI_LOGIN);
            request::redirect(&page);
        }
        (Err(problem), _) => {
            request::set_rejected(problem, page, request::form_json(&form)).await?;
        }
    }
    Ok(())
}

async fn allow(
    cx: &Cx,
    login: &cli_login::LoginRequest,
    form: &AllowForm,
    page: &str,
) -> Result<String, Problem> {
    let signed_in = request::signed_in(page)?;
    Ok(cli_login::allow(cx, &signed_in, login, form.draft(cx.now)?).await?)
}
