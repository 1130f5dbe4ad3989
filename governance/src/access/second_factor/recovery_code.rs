//! Recovery codes, each of which replaces a lost second factor once.

use contract::second_factor::{RECOVERY_CODES, RecoveryCodes};
use entity::recovery_code as table;
use sea_orm::{PaginatorTrait, SelectExt};

use super::change::Change;
use crate::{
    SignedIn,
    access::{
        audit_logs::AuditLogs,
        mail::{self, FactorChange, Notice},
        second_factor::methods::methods_in,
        session,
    },
    base::prelude::*,
};

/// The characters of a code: those of Base32 by Crockford, without look-alikes.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The number of characters of a code, 80 random bits.
const CODE_CHARS: usize = 16;

/// Replaces the recovery codes of the signed-in user. The caller stores the returned value in a new session.
///
/// # Errors
/// As the other changes of second factors; `CONFLICT` for an account without a passkey or an authenticator app.
pub async fn replace(cx: &Cx, signed_in: &SignedIn) -> Result<(RecoveryCodes, SignedIn)> {
    let change = Change::begin(cx, signed_in).await?;
    let (connection, user_id) = (change.tx.connection(), change.user_id());
    if methods_in(connection, user_id).await?.is_empty() {
        return Err(conflict("add a passkey or an authenticator app first").into());
    }
    let codes = delete_untenanted::<table::Entity>();
    codes.filter(table::Column::UserId.eq(user_id.0)).exec(connection).await?;
    let recovery_codes = create(&change.cx, connection, user_id).await?;
    let event = Event::new("recovery_codes.replace", "user", user_id);
    change.commit(event, FactorChange::CodesReplaced, None).await?;
    Ok((RecoveryCodes { recovery_codes }, *signed_in))
}

/// Creates codes for an account that has none. Returns an empty list for others.
pub(super) async fn create_missing(
    cx: &Cx,
    connection: &impl ConnectionTrait,
    user_id: UserId,
) -> Result<Vec<String>> {
    let codes = untenanted::<table::Entity>().filter(table::Column::UserId.eq(user_id.0));
    if codes.exists(connection).await? {
        return Ok(Vec::new());
    }
    create(cx, connection, user_id).await
}

async fn create(
    cx: &Cx,
    connection: &impl ConnectionTrait,
    user_id: UserId,
) -> Result<Vec<String>> {
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| random(&cx.governance)).collect();
    let rows = codes.iter().map(|code| table::ActiveModel {
        user_id: Set(user_id.0),
        digest: Set(digest(&cx.governance, user_id, code)),
        created_at: Set(to_column(cx.now)),
    });
    table::Entity::insert_many(rows).exec_without_returning(connection).await?;
    Ok(codes.iter().map(|code| display(code)).collect())
}

fn random(governance: &Governance) -> String {
    let bytes: [u8; CODE_CHARS] = governance.entropy().bytes();
    // 32 divides 256, so the characters are equally likely.
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// Returns a code in groups of four characters.
fn display(code: &str) -> String {
    let mut text = String::with_capacity(CODE_CHARS + CODE_CHARS / 4);
    for (index, character) in code.chars().enumerate() {
        if index > 0 && index % 4 == 0 {
            text.push('-');
        }
        text.push(character);
    }
    text
}

/// Returns a code as a user may type it, without spaces, hyphens and look-alikes.
pub(super) fn normalize(code: &str) -> String {
    let characters = code.chars().filter(|c| !c.is_whitespace() && *c != '-');
    let replace = |c: char| match c.to_ascii_lowercase() {
        'o' => '0',
        'i' | 'l' => '1',
        other => other,
    };
    characters.map(replace).collect()
}

fn digest(governance: &Governance, user_id: UserId, code: &str) -> Vec<u8> {
    let message = [user_id.0.as_bytes(), code.as_bytes()].concat();
    governance.pepper().digest("recovery-code", &message).to_vec()
}

/// Returns the number of unused codes.
pub(super) async fn count(governance: &Governance, user_id: UserId) -> Result<u32> {
    let codes = untenanted::<table::Entity>().filter(table::Column::UserId.eq(user_id.0));
    let count = codes.count(governance.database()).await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Uses a normalized code. Returns whether it was valid. Of concurrent calls, only one returns true.
pub(super) async fn accept(governance: &Governance, user_id: UserId, code: &str) -> Result<bool> {
    let email = session::user(governance, user_id).await?.email;
    let cx = governance.public(governance.correlation_id());
    let cx = cx.with_person(Person { user_id, email });
    let logs = AuditLogs::of_user(governance, user_id).await?;
    let tx = logs.begin(&cx).await?;
    let used = delete_untenanted::<table::Entity>()
        .filter(table::Column::UserId.eq(user_id.0))
        .filter(table::Column::Digest.eq(digest(governance, user_id, code)));
    if used.exec(tx.connection()).await?.rows_affected == 0 {
        tx.finish_read().await?;
        return Ok(false);
    }
    let notice = Notice::SecondFactor { at: cx.now, change: FactorChange::CodeUsed, name: None };
    mail::notify(&tx, &cx, user_id, notice).await?;
    logs.commit(tx, &cx, &[Event::new("recovery_code.use", "user", user_id)]).await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_code_equals_the_displayed_one() {
        let code = "0123abcdefgh0189";
        assert_eq!(display(code), "0123-abcd-efgh-0189");
        assert_eq!(normalize(&display(code)), code);
        assert_eq!(normalize(" O123 ABCD efgh-oi89 "), code);
        assert_eq!(normalize("123 456"), "123456");
    }
}
