//! One-time codes of authenticator apps: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds, which all apps
//! support.

use contract::{
    second_factor::{RecoveryCodes, Totp, TotpConfirmation, TotpSetup},
    settings::AuthMethod,
};
use data_encoding::BASE32_NOPAD;
use entity::totp_secret as table;
use ring::hmac;
use subtle::ConstantTimeEq as _;
use url::form_urlencoded::byte_serialize;

use super::{
    change::{Change, delete_unneeded_codes},
    recovery_code,
};
use crate::{
    SignedIn,
    access::{
        attempts::{self, Subject},
        mail::FactorChange,
        session::Client,
    },
    base::prelude::*,
};

/// The length of a secret in bytes (RFC 4226, section 4).
const SECRET_LEN: usize = 20;

/// The length of a time step in milliseconds.
const STEP_MS: i64 = 30_000;

/// The accepted difference of the clocks, in steps (RFC 6238, section 5.2).
const DRIFT: i64 = 1;

const DIGITS: usize = 6;

/// The purpose of the key that encrypts secrets.
const ENCRYPTION_CONTEXT: &str = "totp";

/// Creates the secret of an authenticator app. It takes effect with [`confirm`], and replaces an unconfirmed one.
///
/// # Errors
/// As the other changes of second factors; `CONFLICT` for an account with an app.
pub async fn set_up(cx: &Cx, signed_in: &SignedIn) -> Result<TotpSetup> {
    let change = Change::begin_addition(cx, signed_in).await?;
    let (connection, user_id) = (change.tx.connection(), change.user_id());
    if find(connection, user_id).await?.is_some_and(|row| row.confirmed_at.is_some()) {
        return Err(has_totp());
    }
    delete(connection, user_id).await?;
    let governance = &cx.governance;
    let secret: [u8; SECRET_LEN] = governance.entropy().bytes();
    let owner = user_id.0.as_bytes();
    let encrypted =
        governance.pepper().encrypt(governance.entropy(), ENCRYPTION_CONTEXT, owner, &secret);
    let row = table::ActiveModel {
        user_id: Set(user_id.0),
        secret: Set(encrypted.bytes),
        secret_key: Set(encrypted.version),
        last_step: Set(0),
        created_at: Set(to_column(cx.now)),
        confirmed_at: Set(None),
        last_used_at: Set(None),
    };
    table::Entity::insert(row).exec_without_returning(connection).await?;
    let secret = BASE32_NOPAD.encode(&secret);
    let account: String = byte_serialize(change.email.as_bytes()).collect();
    let uri = format!(
        "otpauth://totp/Govern:{account}?secret={secret}&issuer=Govern&algorithm=SHA1&digits=6&period=30"
    );
    // An unconfirmed secret has no effect, so it has no audit event.
    change.tx.commit_without_event().await?;
    Ok(TotpSetup { secret, uri })
}

fn has_totp() -> Error {
    conflict("the account has an authenticator app already; remove it first").into()
}

/// Confirms the secret of [`set_up`] with a code of the app. Returns recovery codes for an account without any. The caller
/// stores the returned session.
///
/// # Errors
/// As the other changes of second factors; `NOT_FOUND` without an unconfirmed secret; `VALIDATION_ERROR` at `/code` for
/// a wrong code; `TOO_MANY_REQUESTS` after too many of them.
pub async fn confirm(
    cx: &Cx,
    signed_in: &SignedIn,
    client: &Client,
    request: TotpConfirmation,
) -> Result<(RecoveryCodes, SignedIn)> {
    let change = Change::begin_addition(cx, signed_in).await?;
    let (connection, user_id) = (change.tx.connection(), change.user_id());
    let row = find(connection, user_id).await?;
    let row = row.or_not_found(ResourceKind::Totp)?;
    if row.confirmed_at.is_some() {
        return Err(has_totp());
    }
    let subject = Subject::SecondFactor(user_id);
    let attempt = attempts::begin(&cx.governance, subject, client.address).await?;
    let code = recovery_code::normalize(&request.code);
    let step = matching_step(&cx.governance, &row, &code, cx.now)?;
    let step = step.ok_or_else(|| {
        invalid_field(
            "/code",
            "incorrect",
            "is not the current code; check the clock of the device",
        )
    })?;
    attempt.succeed().await;
    let confirmed = table::ActiveModel {
        last_step: Set(step),
        confirmed_at: Set(Some(to_column(cx.now))),
        ..Default::default()
    };
    let update = update_untenanted::<table::Entity>().set(confirmed);
    update.filter(table::Column::UserId.eq(user_id.0)).exec(connection).await?;
    let recovery_codes = recovery_code::create_missing(&change.cx, connection, user_id).await?;
    let event = Event::new("totp.create", "user", user_id);
    let signed_in = change.with_added(AuthMethod::PasswordTotp);
    change.commit(event, FactorChange::TotpAdded, None).await?;
    Ok((RecoveryCodes { recovery_codes }, signed_in))
}

/// Removes the authenticator app of the signed-in user. The caller stores the returned session; `None` if it has ended.
///
/// # Errors
/// As the other changes of second factors; `NOT_FOUND` without an app.
pub async fn remove(cx: &Cx, signed_in: &SignedIn) -> Result<Option<SignedIn>> {
    let change = Change::begin(cx, signed_in).await?;
    let (connection, user_id) = (change.tx.connection(), change.user_id());
    let row = find(connection, user_id).await?;
    row.filter(|row| row.confirmed_at.is_some()).or_not_found(ResourceKind::Totp)?;
    delete(connection, user_id).await?;
    delete_unneeded_codes(connection, user_id).await?;
    let event = Event::new("totp.delete", "user", user_id);
    let signed_in = change.without_removed().await?;
    change.commit(event, FactorChange::TotpRemoved, None).await?;
    Ok(signed_in)
}

/// Returns the authenticator app of an account.
pub(super) async fn read(governance: &Governance, user_id: UserId) -> Result<Option<Totp>> {
    let row = find(governance.database(), user_id).await?;
    Ok(row.and_then(|row| {
        let created_at = from_column(row.confirmed_at?);
        Some(Totp { created_at, last_used_at: row.last_used_at.map(from_column) })
    }))
}

async fn find(connection: &impl ConnectionTrait, user_id: UserId) -> Result<Option<table::Model>> {
    let row = untenanted::<table::Entity>().filter(table::Column::UserId.eq(user_id.0));
    Ok(row.one(connection).await?)
}

async fn delete(connection: &impl ConnectionTrait, user_id: UserId) -> Result<()> {
    let secret = delete_untenanted::<table::Entity>();
    secret.filter(table::Column::UserId.eq(user_id.0)).exec(connection).await?;
    Ok(())
}

/// Returns whether a normalized code has the form of a one-time code.
pub(super) fn is_code(code: &str) -> bool {
    code.len() == DIGITS && code.bytes().all(|byte| byte.is_ascii_digit())
}

/// Uses a code. Returns whether it was valid. Of concurrent calls with codes of the same step, only one returns true.
pub(super) async fn accept(governance: &Governance, user_id: UserId, code: &str) -> Result<bool> {
    let now = governance.clock().now();
    let row = find(governance.database(), user_id).await?;
    let Some(row) = row.filter(|row| row.confirmed_at.is_some()) else { return Ok(false) };
    let Some(step) = matching_step(governance, &row, code, now)? else { return Ok(false) };
    let used = table::ActiveModel {
        last_step: Set(step),
        last_used_at: Set(Some(to_column(now))),
        ..Default::default()
    };
    let update = update_untenanted::<table::Entity>()
        .set(used)
        .filter(table::Column::UserId.eq(user_id.0))
        .filter(table::Column::LastStep.lt(step));
    Ok(update.exec(governance.database()).await?.rows_affected > 0)
}

/// Returns the time step of a code that is later than that of the last accepted one.
///
/// # Errors
/// Internal error when the secret cannot be decrypted with the keys of the process.
fn matching_step(
    governance: &Governance,
    row: &table::Model,
    code: &str,
    now: Timestamp,
) -> Result<Option<i64>> {
    let owner = row.user_id.as_bytes();
    let secret =
        governance.pepper().decrypt(row.secret_key, ENCRYPTION_CONTEXT, owner, &row.secret);
    let secret = secret.ok_or_else(|| {
        Error::bug(
            "the secret of an authenticator app cannot be decrypted with the keys of the process",
        )
    })?;
    let current = now.millis() / STEP_MS;
    let mut steps = (current - DRIFT..=current + DRIFT).filter(|step| *step > row.last_step);
    Ok(steps.find(|step| bool::from(code_at(&secret, *step).as_bytes().ct_eq(code.as_bytes()))))
}

/// Returns the code of a time step (RFC 4226, section 5.3).
fn code_at(secret: &[u8], step: i64) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret);
    let tag = hmac::sign(&key, &step.to_be_bytes());
    let bytes = tag.as_ref();
    let offset = usize::from(bytes.last().copied().unwrap_or_default() & 0xf);
    let truncated = bytes.get(offset..).and_then(|bytes| bytes.first_chunk::<4>());
    let number = truncated.map_or(0, |bytes| u32::from_be_bytes(*bytes) & 0x7fff_ffff);
    format!("{:06}", number % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_rfc_6238() {
        // RFC 6238, appendix B: the last six digits of the codes with SHA-1.
        let secret = b"12345678901234567890";
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(code_at(secret, seconds * 1_000 / STEP_MS), code, "{seconds}");
        }
    }

    #[test]
    fn six_digits_are_a_code() {
        assert!(is_code("012345"));
        for other in ["01234", "0123456", "01234a", "", "٠١٢٣٤٥"] {
            assert!(!is_code(other), "{other}");
        }
    }
}
