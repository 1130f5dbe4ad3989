//! The section of the account page with the second factors, and the page for members of a tenant that requires one.

use contract::second_factor::{Passkey, PasskeyDraft, SecondFactors};
use governance::access::second_factor::{self, passkey};
use page_kit::prelude::*;

use super::{
    LABELS, PasskeyUse, account, authenticator, codes, parse, passkey_form, read_form, renew,
    respond, respond_to_removal,
};

pub const TITLE: &str = "Sign-in and security";
const PASSKEYS: &str = "Passkeys";
const PASSKEYS_HELP: &str = "A passkey is stored on your device, in a password manager or on a security key. You unlock it with a fingerprint, your face or a PIN. It signs you in without a password, and it works only at this address.";
const AUTHENTICATOR: &str = "Authenticator app";
const AUTHENTICATOR_HELP: &str = "An app on your phone shows a new code every 30 seconds. After your password, you enter the current code.";

/// Renders the second factors of the account. `rejected` is the last change if it was rejected; its text is the entered
/// name of a passkey.
pub async fn section(signed_in: &SignedIn, rejected: Option<RejectedForm>) -> PageResult {
    let governance = request::governance();
    let SecondFactors { passkeys, totp, recovery_codes_left } =
        second_factor::list(&governance, signed_in).await?;
    let tenants = request::user_tenants(signed_in).await?;
    let required_by = tenants.session().second_factor_required.iter();
    let names: Vec<_> = required_by.map(|tenant| &*tenant.tenant_name).collect();
    let can_add = second_factor::can_add(&governance, signed_in).await?;
    let has_factors = !passkeys.is_empty() || totp.is_some();
    let required =
        (!names.is_empty()).then(|| note(Tone::Warn, None, required_by_tenants(&names.join(", "))));
    let (problem, name) = rejected.map(|rejected| (rejected.problem, rejected.text)).unzip();
    let new_passkey = can_add.then(|| {
        let next = url::with_query(url::ACCOUNT, &[("done", "passkey")]);
        new_passkey(name.unwrap_or_default(), url::SECURITY.to_owned(), next)
    });
    Ok(any_view! {
        <section class="card stack" id="security">
            <h2>{TITLE}</h2>
            {required}
            {problem.map(problem_note)}
            {(!can_add).then(not_proven)}
            <h3>{PASSKEYS}</h3>
            <p class="text-muted">{PASSKEYS_HELP}</p>
            {passkey_table(&passkeys, can_add)}
            {new_passkey}
            <h3>{AUTHENTICATOR}</h3>
            <p class="text-muted">{AUTHENTICATOR_HELP}</p>
            {authenticator::app(totp.as_ref(), can_add)}
            <h3>"Recovery codes"</h3>
            <p class="text-muted">
                "A recovery code replaces a passkey or the authenticator app, for example if you lose your phone. Each code works once."
            </p>
            {codes::left(has_factors, recovery_codes_left)}
        </section>
    })
}

/// `/account/second-factor`, for a member of a tenant that requires a second factor. If the session gives access to the
/// tenant, it redirects to `next`.
pub async fn required() -> PageResult {
    let content = page::or_problem(required_content(page::query("next")).await);
    Ok(any_view! {
        <PublicFrame width="reading">
            <Heading title="Add a second factor" />
            {content}
        </PublicFrame>
    })
}

async fn required_content(next: String) -> PageResult {
    let tenant: TenantId = page::query("tenant").parse().map_err(|_| page_not_found())?;
    let page = url::required_second_factor(tenant, &next);
    let signed_in = request::signed_in(&page)?;
    let tenants = request::user_tenants(&signed_in).await?;
    let mut required = tenants.session().second_factor_required.iter();
    let Some(tenant) = required.find(|required| required.tenant_id == tenant) else {
        request::redirect(&next);
        return Err(Problem::missing());
    };
    let why = required_by_tenants(&tenant.tenant_name);
    let rejected = request::take_rejected(&page).await;
    let can_add = second_factor::can_add(&request::governance(), &signed_in).await?;
    let (problem, name) = rejected.map(|rejected| (rejected.problem, rejected.text)).unzip();
    let forms = can_add.then(|| {
        view! {
            <section class="card stack">
                <h2>{PASSKEYS}</h2>
                <p class="text-muted">{PASSKEYS_HELP}</p>
                {new_passkey(name.unwrap_or_default(), page.clone(), next.clone())}
            </section>
            <section class="card stack">
                <h2>{AUTHENTICATOR}</h2>
                <p class="text-muted">{AUTHENTICATOR_HELP}</p>
                {authenticator::set_up_form(page, next)}
            </section>
        }
    });
    Ok(any_view! {
        <p>{why}</p>
        {problem.map(problem_note)}
        {(!can_add).then(not_proven)}
        {forms}
        <p>
            <a href=url::ACCOUNT>"Back to your account"</a>
        </p>
    })
}

fn required_by_tenants(names: &str) -> String {
    format!(
        "{} requires a second factor, in addition to your password. Add a passkey or an authenticator app to continue.",
        isolated(names)
    )
}

/// Says how the user proves the address of the account, before factors can be added.
fn not_proven() -> AnyView {
    note(
        Tone::Warn,
        None,
        "You can add a passkey or an authenticator app as soon as your email address is confirmed. Sign out, select \"Forgot password?\" on the sign-in page, and open the link in the email. If the service sends no email, ask your admin to have your address verified.",
    )
}

fn passkey_table(passkeys: &[Passkey], can_add: bool) -> AnyView {
    let next = if can_add {
        "Add a passkey to sign in without a password, or as a second factor."
    } else {
        "Confirm your email address to add one."
    };
    Table::new(PASSKEYS)
        .column("Name", |passkey: &Passkey| {
            let limit = (!passkey.can_sign_in).then(|| {
                view! { <small class="block text-muted">"Only after the password"</small> }
            });
            view! {
                <bdi class="breaks">{passkey.name.clone()}</bdi>
                {limit}
            }
        })
        .column("Added", |passkey| day(passkey.created_at))
        .column("Last used", |passkey| authenticator::last_used(passkey.last_used_at))
        .column("Actions", passkey_actions)
        .or_empty(passkeys, ["No passkeys", next])
}

/// Renders the forms that rename and remove a passkey.
fn passkey_actions(passkey: &Passkey) -> AnyView {
    let (id, name) = (passkey.id.to_string(), passkey.name.clone());
    let field = format!("name-{id}");
    let label = |action: &str| format!("{action}: {}", isolated(&name));
    any_view! {
        <div class="row">
            <details class="disclosure">
                <summary aria-label=label("Rename")>"Rename"</summary>
                <form method="post" action=RenamePasskey::url() class="stack" data-once="">
                    <input type="hidden" name="id" value=id.clone() />
                    <div class="field">
                        <label for=field.clone()>"New name"</label>
                        <input
                            id=field
                            name="name"
                            value=name.clone()
                            maxlength="100"
                            required=true
                            autocomplete="off"
                        />
                    </div>
                    <div class="row">
                        <button>"Rename"</button>
                    </div>
                </form>
            </details>
            <details class="disclosure">
                <summary aria-label=label("Remove")>"Remove"</summary>
                <form method="post" action=RemovePasskey::url() class="stack" data-once="">
                    <input type="hidden" name="id" value=id />
                    <p>
                        "You can no longer sign in with this passkey. Also delete it on your device."
                    </p>
                    {submit("danger", "Remove passkey")}
                </form>
            </details>
        </div>
    }
}

/// Renders the form that adds a passkey. It continues at `next`; `page` is the page with the form.
fn new_passkey(name: String, page: String, next: String) -> AnyView {
    let fields = view! {
        <input type="hidden" name="page" value=page />
        <input type="hidden" name="next" value=next />
        <HintedField
            label="Name of the new passkey"
            hint="For example \"Laptop\" or \"Security key\"."
            name="name"
            id="passkey-name"
            value=name
            required=true
            maxlength=100
        />
        <div class="row end">
            <button>"Add passkey"</button>
        </div>
    };
    any_view! {
        {passkey_form(PasskeyUse::Create, CreatePasskey::url(), false, fields)}
        <noscript>
            <p class="text-muted">"Adding a passkey needs JavaScript."</p>
        </noscript>
    }
}

/// Adds a passkey to the account. It redirects to `next`, by way of the page with recovery codes if there are new ones.
/// `page` is the page of the form.
#[server(prefix = "/console", endpoint = "create-passkey", output = JsonCodec)]
async fn create_passkey(
    name: String,
    #[server(default)] credential: String,
    page: String,
    next: String,
) -> Result<(), Problem> {
    let (signed_in, cx) = account()?;
    let created = async {
        let codes = create(&cx, &signed_in, &name, &credential).await?;
        Ok(codes::before(&next, &codes))
    };
    request::act(&page, name.clone(), created).await
}

/// Returns the recovery codes if the passkey is the first second factor of the account.
async fn create(
    cx: &Cx,
    signed_in: &SignedIn,
    name: &str,
    credential: &str,
) -> Result<Vec<String>, Problem> {
    if credential.is_empty() {
        // The service refused the options, so it refuses them again, with the reason.
        passkey::creation_options(cx.governance(), signed_in).await?;
    }
    let body = [("name", name.trim().into()), ("credential", parse(credential)?.into())];
    let draft: PasskeyDraft = read_form(body)?;
    let created = passkey::create(cx, signed_in, draft).await;
    let (created, signed_in) = created.map_err(|error| request::labelled(&error, &LABELS))?;
    renew(&signed_in).await?;
    Ok(created.recovery_codes)
}

/// Renames a passkey and redirects to the account page.
#[server(prefix = "/console", endpoint = "rename-passkey", output = JsonCodec)]
async fn rename_passkey(id: PasskeyId, name: String) -> Result<(), Problem> {
    let (signed_in, cx) = account()?;
    let renamed = async {
        let patch = read_form([("name", name.trim().into())])?;
        let renamed = passkey::rename(&cx, &signed_in, id, patch).await;
        renamed.map_err(|error| request::labelled(&error, &LABELS))
    };
    respond(renamed.await, "passkey-renamed").await
}

/// Removes a passkey and redirects to the account page.
#[server(prefix = "/console", endpoint = "remove-passkey", output = JsonCodec)]
async fn remove_passkey(id: PasskeyId) -> Result<(), Problem> {
    let (signed_in, cx) = account()?;
    respond_to_removal(passkey::remove(&cx, &signed_in, id).await, "passkey-removed").await
}
