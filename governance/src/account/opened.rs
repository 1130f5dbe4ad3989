//! Choosing a password by a link: the first one, or another one after a reset.

use contract::{id::TenantId, member::SetUp, session::User};
use entity::user as table;
use sea_orm::{ColumnTrait, QueryFilter, SelectExt};
use uuid::Uuid;

use super::{
    end_sessions,
    link::{self, Link, Purpose},
    made, set_password,
};
use crate::{
    audit::Event,
    caller::Person,
    cx::Cx,
    database::untenanted,
    error::{Noun, Result, address_proven, invalid, not_found},
    mail::{self, Notice},
    member, password, session,
    tenancy::TenantTx,
};

/// Gives an account a password, by a link: once. All its sessions end, and all its other links are void. The
/// person signs in with the password afterwards.
///
/// A mailed link proves the address, so that the account is no longer confined to the tenant that made it. An
/// account that had a password before stays confined where the address has a proven account already. The first
/// password of an account of a tenant accepts the invitation of that tenant.
///
/// # Errors
/// `NOT_FOUND` for a link that was never made, was used, was replaced or has expired: all look alike;
/// `VALIDATION_ERROR` at `/password` for a weak one; `CONFLICT` for the first password by a mailed link, when
/// the address has a proven account: its holder signs in with that one and accepts there. A refusal leaves the
/// link as it is.
pub async fn set_up(cx: &Cx, set_up: SetUp) -> Result<User> {
    let governance = &cx.governance;
    let digest = link::digest(governance, &set_up.token);
    let link = link::find(governance, &digest, cx.now).await?.ok_or_else(no_link)?;
    if let Some(weak) = password::refuse(&set_up.password, &link.user.email) {
        return Err(invalid(&[weak]).into());
    }
    let proves = proves(cx, &link).await?;
    let salt = password::salt_of(governance, &link.user.email).await?;
    let hash = governance.passwords().hash(set_up.password, salt).await?;
    let person = link.user.id;
    let cx = cx.by(Person { user_id: person, email: link.user.email.clone() });
    let mut tenants = concerned(&cx, &link).await?.into_iter();
    // An account of no tenant has no log.
    let first = tenants.next();
    let mut tx = cx.tenant_unchecked(first.unwrap_or(TenantId(Uuid::nil()))).begin().await?;
    if !link::spend(tx.connection(), digest, cx.now).await? {
        return Err(no_link().into());
    }
    link::void(tx.connection(), person).await?;
    // A link gives a password whatever the one before was, so no generation is compared.
    set_password(&cx, person, hash).exec(tx.connection()).await?;
    if proves {
        made::prove(&tx, person).await?;
    }
    end_sessions(tx.connection(), person).await?;
    let action = match link.purpose {
        Purpose::SetUp => "user.set_up",
        Purpose::Reset => "user.reset_password",
    };
    if link.purpose == Purpose::Reset {
        let notice = Notice::PasswordChanged { at: cx.now };
        mail::notify(governance, tx.connection(), cx.now, person, notice).await?;
    }
    let event = || Event::new(action, "user", person);
    accept_own(&mut tx, &link).await?;
    for tenant in tenants {
        tx.also(event());
        tx = tx.go_on_in(&cx, tenant).await?;
    }
    match first {
        Some(_) => tx.commit(&cx, event()).await?,
        None => tx.settle().await?,
    }
    Ok(link.user)
}

fn no_link() -> crate::Refusal {
    not_found(Noun::SetupLink)
}

/// Returns whether the use of a link proves the address.
async fn proves(cx: &Cx, link: &Link) -> Result<bool> {
    if !link.is_mailed || link.confined_to.is_none() {
        return Ok(false);
    }
    let proven = untenanted::<table::Entity>()
        .filter(table::Column::Email.eq(link.user.email.as_str()))
        .filter(table::Column::ConfinedTenantId.is_null());
    let has_proven = proven.exists(cx.governance.database()).await?;
    if has_proven && !link.has_password {
        // The holder of the address has an account. A second one would be hard to tell from it.
        return Err(address_proven().into());
    }
    Ok(!has_proven)
}

/// Returns the tenants whose logs record the use of a link, in the order in which their heads are locked.
async fn concerned(cx: &Cx, link: &Link) -> Result<Vec<TenantId>> {
    let mut tenants = session::tenants(&cx.governance, link.user.id).await?;
    let own = match link.purpose {
        Purpose::SetUp => link.made_by,
        Purpose::Reset => link.confined_to,
    };
    tenants.extend(own.filter(|own| !tenants.contains(own)));
    tenants.sort_unstable();
    Ok(tenants)
}

/// Accepts the invitation of the tenant that the account was confined to: choosing the first password is how
/// the person accepts.
async fn accept_own(tx: &mut TenantTx, link: &Link) -> Result<()> {
    match (link.purpose, link.confined_to) {
        (Purpose::SetUp, Some(tenant)) if tenant == tx.tenant_id() => {
            member::activate(tx, link.user.id).await
        }
        _ => Ok(()),
    }
}
