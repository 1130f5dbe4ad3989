//! Data of the page that allows the command line.

use governance::{
    Cx,
    access::{
        cli_login::{self, LoginRequest},
        permission::ADMINISTER_KEYS,
    },
};

use super::view::{AllowForm, AllowPage, CliLogin, ProgramRequest};
use crate::{
    flash::OneTimeSecret,
    frame::view::{Person, memberships},
    problem::Problem,
    request::{
        form_json, into_problem, redirect, redirect_to_program, set_created, set_rejected,
        signed_in, take_created, take_input, user_tenants,
    },
    text::url::{CLI_LOGIN, with_query},
};

/// Returns the content of the page for the request of a program.
pub(crate) async fn read(program: ProgramRequest) -> Result<CliLogin, Problem> {
    let Some(login) = parse(&program) else { return Ok(CliLogin::Invalid) };
    let page = program.page();
    let signed_in = signed_in(&page)?;
    if let Some(code) = take_created(CLI_LOGIN) {
        return Ok(CliLogin::Code(code));
    }
    let tenants = user_tenants(&signed_in).await?;
    let person = Person::from(tenants.session());
    let mut tenants = memberships(tenants.session());
    tenants.retain(|membership| membership.role.has(ADMINISTER_KEYS.right));
    if tenants.is_empty() {
        return Ok(CliLogin::NoTenant(person));
    }
    let (problem, form) = take_input(&page).await.unzip();
    let cancel = match login.redirect_uri() {
        Some(uri) => {
            with_query(&uri, &[("error", "access_denied"), ("state", program.state.as_str())])
        }
        None => "/".to_owned(),
    };
    let form = form.unwrap_or_else(|| program.form());
    Ok(CliLogin::Form(Box::new(AllowPage { program, person, tenants, form, problem, cancel })))
}

/// Allows the key and redirects to the program, or to the page with the code.
pub(crate) async fn allow(
    cx: &Cx,
    program: &ProgramRequest,
    form: &AllowForm,
) -> Result<(), Problem> {
    let page = program.page();
    let Some(login) = parse(program) else {
        // The page reports that the address is not complete.
        redirect(&page);
        return Ok(());
    };
    let signed_in = signed_in(&page)?;
    let code = match form.draft(cx.now) {
        Ok(draft) => into_problem(cli_login::allow(cx, &signed_in, &login, draft).await),
        Err(problem) => Err(problem),
    };
    match (code, login.redirect_uri()) {
        (Ok(code), Some(uri)) => {
            let answer = [("code", code.as_str()), ("state", program.state.as_str())];
            redirect_to_program(&with_query(&uri, &answer));
        }
        (Ok(secret), None) => {
            set_created(&OneTimeSecret { name: form.name.clone(), secret }, CLI_LOGIN);
            redirect(&page);
        }
        (Err(problem), _) => set_rejected(problem, page, form_json(form)).await?,
    }
    Ok(())
}

fn parse(program: &ProgramRequest) -> Option<LoginRequest> {
    LoginRequest::parse(&program.code_challenge, &program.port)
}
