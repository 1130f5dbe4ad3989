//! Passkeys of an account: adding, removing, and authenticating with one.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::{
    second_factor::{
        PASSKEYS_MAX, Passkey, PasskeyCreated, PasskeyDraft, PasskeyOptions, PasskeyPatch,
        PasskeySignIn,
    },
    settings::AuthMethod,
};
use entity::passkey as table;
use sea_orm::sea_query::ExprTrait;

use super::{
    challenge::{self, Step},
    change::{Change, check_proven, delete_unneeded_codes},
    recovery_code,
    webauthn::{self, ALGORITHMS, Assertion, Rejection, RelyingParty},
};
use crate::{
    SignedIn,
    access::{
        attempts::{self, Subject},
        audit_logs::AuditLogs,
        authorization::check_recent,
        mail::FactorChange,
        session::{self, Client, PendingSignIn},
    },
    base::{error::invalid_passkey, prelude::*},
};

/// Returns the options with which a browser creates a passkey.
///
/// # Errors
/// `FORBIDDEN` for a session of an identity provider, and for an account whose address is not proven;
/// `CONFIRMATION_REQUIRED` for a sign-in that is too old.
pub async fn creation_options(
    governance: &Governance,
    signed_in: &SignedIn,
) -> Result<PasskeyOptions> {
    signed_in.require_unconfined()?;
    check_recent(signed_in.confirmed_at, governance.clock().now())?;
    let user = session::user(governance, signed_in.user_id).await?;
    check_proven(&user)?;
    let existing = rows(governance.database(), signed_in.user_id).await?;
    let party = RelyingParty::new(governance);
    let parameter = |algorithm: i32| {
        Value::from(Object::from([("type", "public-key".into()), ("alg", algorithm.into())]))
    };
    let public_key = Object::from([
        ("rp", Object::from([("id", party.id.into()), ("name", "Govern".into())]).into()),
        (
            "user",
            Object::from([
                ("id", URL_SAFE_NO_PAD.encode(user.user_id).into()),
                ("name", user.email.into()),
                ("displayName", user.display_name.into()),
            ])
            .into(),
        ),
        ("challenge", challenge::issue(governance, Step::create(signed_in)).into()),
        ("pubKeyCredParams", ALGORITHMS.into_iter().map(parameter).collect()),
        ("timeout", challenge::LIFETIME_MS.into()),
        ("excludeCredentials", existing.iter().map(descriptor).collect()),
        (
            "authenticatorSelection",
            Object::from([
                ("residentKey", "preferred".into()),
                ("requireResidentKey", false.into()),
                ("userVerification", "preferred".into()),
            ])
            .into(),
        ),
        ("attestation", "none".into()),
    ]);
    Ok(PasskeyOptions { public_key })
}

/// Adds a passkey. Returns recovery codes for an account without any. The caller stores the returned session.
///
/// # Errors
/// As the other changes of second factors; `VALIDATION_ERROR` at `/credential` for a credential that is not valid;
/// `CONFLICT` for a passkey that was added before, and for an account with 20 passkeys.
pub async fn create(
    cx: &Cx,
    signed_in: &SignedIn,
    draft: PasskeyDraft,
) -> Result<(PasskeyCreated, SignedIn)> {
    let governance = &cx.governance;
    let change = Change::begin_addition(cx, signed_in).await?;
    let (connection, user_id) = (change.tx.connection(), change.user_id());
    let party = RelyingParty::new(governance);
    let step = Step::create(signed_in);
    let is_issued = |challenge: &[u8]| challenge::is_issued(governance, step, challenge);
    let created = webauthn::register(&party, &draft.credential, is_issued).map_err(refuse_new)?;
    if !challenge::consume(connection, created.challenge, cx.now).await? {
        return Err(refuse_new(Rejection::Challenge));
    }
    if rows(connection, user_id).await?.len() >= PASSKEYS_MAX {
        return Err(conflict("the account has 20 passkeys; remove one first").into());
    }
    let row = table::Model {
        passkey_id: governance.entropy().id(),
        user_id: user_id.0,
        credential_id: created.credential_id,
        public_key: created.public_key,
        sign_count: created.sign_count.into(),
        name: draft.name,
        verifies_user: created.is_user_verified,
        is_backed_up: created.is_backed_up,
        transports: created.transports,
        created_at: to_column(cx.now),
        last_used_at: None,
    };
    let insert = table::Entity::insert(table::ActiveModel::from(row.clone()));
    insert.exec_without_returning(connection).await.map_err(|error| {
        map_violation(error, &["passkeys_credential_id_key"], || {
            conflict("the passkey was added before")
        })
    })?;
    let recovery_codes = recovery_code::create_missing(&change.cx, connection, user_id).await?;
    let event = Event::new("passkey.create", "passkey", row.passkey_id);
    let signed_in = change.with_added(AuthMethod::PasswordPasskey);
    change.commit(event, FactorChange::PasskeyAdded, Some(row.name.clone())).await?;
    Ok((PasskeyCreated { passkey: to_wire(row), recovery_codes }, signed_in))
}

/// Returns the refusal of a new passkey.
fn refuse_new(rejection: Rejection) -> Error {
    invalid_field("/credential", rejection.as_str(), "is not a passkey that this service can add")
        .into()
}

/// Changes the name of a passkey.
///
/// # Errors
/// `FORBIDDEN` for a session of an identity provider; `NOT_FOUND`.
pub async fn rename(
    cx: &Cx,
    signed_in: &SignedIn,
    id: PasskeyId,
    patch: PasskeyPatch,
) -> Result<Passkey> {
    signed_in.require_unconfined()?;
    let (governance, user_id) = (&cx.governance, signed_in.user_id);
    let email = session::user(governance, user_id).await?.email;
    let cx = cx.with_person(Person { user_id, email });
    let logs = AuditLogs::of_user(governance, user_id).await?;
    let tx = logs.begin(&cx).await?;
    let renamed = update_untenanted::<table::Entity>()
        .set(table::ActiveModel { name: Set(patch.name), ..Default::default() })
        .filter(table::Column::UserId.eq(user_id.0))
        .filter(table::Column::PasskeyId.eq(id.0));
    let renamed = renamed.exec_with_returning(tx.connection()).await?;
    let row = renamed.into_iter().next().or_not_found(ResourceKind::Passkey)?;
    logs.commit(tx, &cx, &[Event::new("passkey.rename", "passkey", id)]).await?;
    Ok(to_wire(row))
}

/// Removes a passkey of the signed-in user. The caller stores the returned session; `None` if it has ended, because the
/// user signed in with a passkey alone and has no other one.
///
/// # Errors
/// As the other changes of second factors; `NOT_FOUND`.
pub async fn remove(cx: &Cx, signed_in: &SignedIn, id: PasskeyId) -> Result<Option<SignedIn>> {
    let change = Change::begin(cx, signed_in).await?;
    let (connection, user_id) = (change.tx.connection(), change.user_id());
    let removed = delete_untenanted::<table::Entity>()
        .filter(table::Column::UserId.eq(user_id.0))
        .filter(table::Column::PasskeyId.eq(id.0));
    let removed = removed.exec_with_returning(connection).await?;
    let row = removed.into_iter().next().or_not_found(ResourceKind::Passkey)?;
    delete_unneeded_codes(connection, user_id).await?;
    let event = Event::new("passkey.delete", "passkey", id);
    let signed_in = change.without_removed().await?;
    change.commit(event, FactorChange::PasskeyRemoved, Some(row.name)).await?;
    Ok(signed_in)
}

/// Returns the passkeys of an account, oldest first.
pub(super) async fn list(governance: &Governance, user_id: UserId) -> Result<Vec<Passkey>> {
    let rows = rows(governance.database(), user_id).await?;
    Ok(rows.into_iter().map(to_wire).collect())
}

async fn rows(connection: &impl ConnectionTrait, user_id: UserId) -> Result<Vec<table::Model>> {
    let rows = untenanted::<table::Entity>()
        .filter(table::Column::UserId.eq(user_id.0))
        .order_by_asc(table::Column::CreatedAt)
        .order_by_asc(table::Column::PasskeyId);
    Ok(rows.all(connection).await?)
}

fn to_wire(row: table::Model) -> Passkey {
    Passkey {
        id: row.passkey_id.into(),
        name: row.name,
        is_backed_up: row.is_backed_up,
        can_sign_in: row.verifies_user,
        created_at: from_column(row.created_at),
        last_used_at: row.last_used_at.map(from_column),
    }
}

/// Returns the options for signing in with a passkey alone. The authenticator offers the accounts that it has passkeys
/// for.
pub fn sign_in_options(governance: &Governance) -> PasskeyOptions {
    request_options(governance, Step::sign_in(), &[], "required")
}

/// Returns the options for the second factor of a pending sign-in.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn second_factor_options(
    governance: &Governance,
    pending: &PendingSignIn,
) -> Result<PasskeyOptions> {
    let passkeys = rows(governance.database(), pending.user_id).await?;
    // The password was checked, so the presence of the user is enough.
    Ok(request_options(governance, Step::second_factor(pending), &passkeys, "preferred"))
}

/// Returns the options for confirming a session.
///
/// # Errors
/// `FORBIDDEN` for a session of an identity provider.
pub async fn confirm_options(
    governance: &Governance,
    signed_in: &SignedIn,
) -> Result<PasskeyOptions> {
    signed_in.require_unconfined()?;
    let passkeys = rows(governance.database(), signed_in.user_id).await?;
    Ok(request_options(governance, Step::confirm(signed_in), &passkeys, "preferred"))
}

fn request_options(
    governance: &Governance,
    step: Step,
    passkeys: &[table::Model],
    user_verification: &str,
) -> PasskeyOptions {
    let public_key = Object::from([
        ("challenge", challenge::issue(governance, step).into()),
        ("timeout", challenge::LIFETIME_MS.into()),
        ("rpId", RelyingParty::new(governance).id.into()),
        ("allowCredentials", passkeys.iter().map(descriptor).collect()),
        ("userVerification", user_verification.into()),
    ]);
    PasskeyOptions { public_key }
}

/// Returns the `PublicKeyCredentialDescriptorJSON` of a passkey.
fn descriptor(row: &table::Model) -> Value {
    let transports = row.transports.iter().map(|transport| Value::from(transport.as_str()));
    Object::from([
        ("type", "public-key".into()),
        ("id", URL_SAFE_NO_PAD.encode(&row.credential_id).into()),
        ("transports", transports.collect()),
    ])
    .into()
}

/// Signs a user in with a passkey alone, which must verify its user and name the account. The caller starts a session
/// with the result.
///
/// # Errors
/// `UNAUTHORIZED` for a passkey that is not valid.
pub async fn sign_in(governance: &Governance, request: PasskeySignIn) -> Result<SignedIn> {
    let user_id = verify(governance, Step::sign_in(), &request.credential, Use::SignIn).await?;
    let user = session::user(governance, user_id).await?;
    Ok(SignedIn {
        session_id: governance.entropy().id(),
        password_generation: user.password_generation,
        auth_method: AuthMethod::Passkey,
        ..SignedIn::new(user_id, governance.clock().now())
    })
}

/// Checks a passkey of a signed-in user without the password. It must verify its user.
///
/// # Errors
/// `UNAUTHORIZED` for a passkey that is not valid; `TOO_MANY_REQUESTS` after too many failures.
pub(crate) async fn confirm(
    governance: &Governance,
    signed_in: &SignedIn,
    client: &Client,
    credential: &Object,
) -> Result<()> {
    let user_id = signed_in.user_id;
    let subject = Subject::SecondFactor(user_id);
    let attempt = attempts::begin(governance, subject, client.address).await?;
    let step = Step::confirm(signed_in);
    let result = verify(governance, step, credential, Use::Alone(user_id)).await;
    match &result {
        Ok(_) => attempt.succeed().await,
        Err(_) => session::record_failures(governance, vec![user_id], client),
    }
    result.map(drop)
}

/// Checks a passkey of a user whose password was checked before.
pub(super) async fn check(
    governance: &Governance,
    step: Step,
    credential: &Object,
    user_id: UserId,
) -> Result<()> {
    verify(governance, step, credential, Use::AfterPassword(user_id)).await.map(drop)
}

/// The use of a passkey, and the account that it must belong to.
#[derive(Clone, Copy, Debug)]
enum Use {
    /// Without a password, for the account that the authenticator names.
    SignIn,
    /// Without a password, in a session of the account.
    Alone(UserId),
    AfterPassword(UserId),
}

/// Verifies a passkey and stores its use. Returns its account.
async fn verify(
    governance: &Governance,
    step: Step,
    credential: &Object,
    usage: Use,
) -> Result<UserId> {
    let refuse = |rejection: Rejection| Error::from(invalid_passkey(rejection.as_str()));
    let assertion = Assertion::parse(credential).map_err(refuse)?;
    let row = untenanted::<table::Entity>()
        .filter(table::Column::CredentialId.eq(assertion.credential_id.as_slice()));
    let row = row.one(governance.database()).await?;
    let is_permitted = |row: &table::Model| {
        let owner = UserId(row.user_id);
        let (is_named, is_owner) = match usage {
            Use::SignIn => (assertion.user_handle.is_some(), true),
            Use::Alone(user) | Use::AfterPassword(user) => (true, user == owner),
        };
        is_named && is_owner && assertion.user_handle.is_none_or(|handle| handle == owner)
    };
    let row = row.filter(is_permitted).ok_or_else(|| refuse(Rejection::Unknown))?;
    let party = RelyingParty::new(governance);
    let is_issued = |challenge: &[u8]| challenge::is_issued(governance, step, challenge);
    let verified = assertion.verify(&party, &row.public_key, is_issued).map_err(refuse)?;
    // A passkey that has not verified its user together with another factor cannot start to do so alone: a person who
    // found a security key could set its PIN (`uvInitialized` of section 4).
    let is_alone = !matches!(usage, Use::AfterPassword(_));
    if is_alone && !(verified.is_user_verified && row.verifies_user) {
        return Err(refuse(Rejection::UserVerification));
    }
    let now = governance.clock().now();
    if !challenge::consume(governance.database(), verified.challenge, now).await? {
        return Err(refuse(Rejection::Challenge));
    }
    let count = i64::from(verified.sign_count);
    let used = table::ActiveModel {
        sign_count: Set(count),
        verifies_user: Set(row.verifies_user || verified.is_user_verified),
        is_backed_up: Set(verified.is_backed_up),
        last_used_at: Set(Some(to_column(now))),
        ..Default::default()
    };
    // Authenticators without a counter always send 0.
    let stored = table::Column::SignCount;
    let is_later = if count == 0 { stored.eq(0) } else { stored.lt(count) };
    let update = update_untenanted::<table::Entity>()
        .set(used)
        .filter(table::Column::PasskeyId.eq(row.passkey_id).and(is_later));
    if update.exec(governance.database()).await?.rows_affected == 0 {
        record_copy(governance, &row).await?;
        return Err(refuse(Rejection::SignCount));
    }
    Ok(UserId(row.user_id))
}

/// Records that the signature counter of a passkey did not increase.
async fn record_copy(governance: &Governance, row: &table::Model) -> Result<()> {
    let cx = governance.public(governance.correlation_id());
    let logs = AuditLogs::of_user(governance, UserId(row.user_id)).await?;
    let tx = logs.begin(&cx).await?;
    let event = Event::new("passkey.refuse", "passkey", row.passkey_id)
        .with("reason", Rejection::SignCount.as_str());
    logs.commit(tx, &cx, &[event]).await
}
