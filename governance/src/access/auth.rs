//! Authentication: checks that an API key or membership is valid and reads the tenant's current
//! activation counter.

mod key_usage;
mod reauthenticate;

use contract::{
    member::Member,
    settings::{AuthMethod, SignInPolicy},
};
use entity::{api_key, member, user};
use sea_orm::{
    RuntimeErr,
    sea_query::ExprTrait,
    sqlx::{self, Postgres, pool::PoolConnection},
};

use self::key_usage::KeyUsage;
pub(crate) use self::key_usage::write as write_uses;
use crate::{
    access::{
        membership::{self, MembershipRow},
        permission::Permission,
        session::{SignedIn, UserTenants},
    },
    base::{
        batch_lookup::{BatchLookup, Waiters, resolve},
        caller::ApiKeyCaller,
        database,
        error::{role_lacks_permission, second_factor_required, sign_in_excluded, tenant_mismatch},
        prelude::*,
        tenancy::see_tenant,
    },
};

/// The authentication state of a process: waiting look-ups and the recorded key usage.
#[derive(Debug, Default)]
pub(crate) struct Authenticator {
    keys: BatchLookup<KeyDigest, StoredKey>,
    uses: KeyUsage,
}

impl Authenticator {
    /// Returns the last use of a key, if this process has seen one that may not be stored yet.
    pub(crate) fn last_use(&self, id: ApiKeyId) -> Option<Timestamp> {
        self.uses.last(id)
    }
}

// SQL: runs for every request of a signed-in user.
const SELECT_MEMBER: &str = "SELECT m.role, u.email, h.activation_counter, s.sign_in, \
                      s.second_factor_required FROM members m \
                      JOIN users u ON u.user_id = m.user_id \
                      JOIN settings s ON s.tenant_id = m.tenant_id \
                      JOIN tenant_heads h ON h.tenant_id = m.tenant_id \
                      WHERE m.tenant_id = $1 AND m.user_id = $2 AND m.status = 'active'";

/// Resolves a signed-in user as a member of a tenant.
///
/// # Errors
/// `FORBIDDEN` when the user is not an active member, or the tenant excludes the sign-in; `SECOND_FACTOR_REQUIRED`.
pub(crate) async fn resolve_user(
    governance: &Governance,
    signed_in: &SignedIn,
    tenant: TenantId,
) -> Result<Human> {
    let user_id = signed_in.user_id;
    if !signed_in.gives_access_to(tenant) {
        return Err(tenant_mismatch().into());
    }
    let method = signed_in.method();
    let ActiveMember { role, email, activations, rules } =
        load_member(governance, tenant, user_id, method).await?;
    let (confirmed_at, confirmed_with) = rules.confirmation(signed_in);
    Ok(Human {
        tenant_id: tenant,
        user_id,
        role,
        method,
        email,
        confirmed_at,
        confirmed_with,
        activations,
    })
}

/// Resolves a signed-in user as a member of one of the user's tenants, which were read before.
///
/// # Errors
/// `FORBIDDEN` when the user is not an active member; `SECOND_FACTOR_REQUIRED`.
pub(crate) fn resolve_member(
    signed_in: &SignedIn,
    tenants: &UserTenants,
    tenant: TenantId,
) -> Result<Human> {
    let session = &tenants.session;
    if session.second_factor_required.iter().any(|other| other.tenant_id == tenant) {
        return Err(second_factor_required().into());
    }
    let mut memberships = session.memberships.iter().zip(&tenants.details);
    let found = memberships.find(|(membership, _)| membership.tenant_id == tenant);
    let (membership, details) = found.ok_or_else(tenant_mismatch)?;
    let (confirmed_at, confirmed_with) = details.rules.confirmation(signed_in);
    Ok(Human {
        tenant_id: tenant,
        user_id: signed_in.user_id,
        role: membership.role,
        method: signed_in.method(),
        email: session.user.email.clone(),
        confirmed_at,
        confirmed_with,
        activations: details.activations,
    })
}

/// An active member, as [`SELECT_MEMBER`] selects it.
struct ActiveMember {
    role: Role,
    email: String,
    activations: i64,
    rules: SignInRules,
}

/// Returns an active member.
///
/// # Errors
/// `FORBIDDEN` when the user is not an active member, or the tenant excludes the sign-in; `SECOND_FACTOR_REQUIRED`.
async fn load_member(
    governance: &Governance,
    tenant: TenantId,
    user_id: UserId,
    method: AuthMethod,
) -> Result<ActiveMember> {
    let tx = database::begin(governance.database()).await?;
    see_tenant(&tx, tenant).await?;
    let row = sql::optional(&tx, SELECT_MEMBER, [tenant.0.into(), user_id.0.into()]).await?;
    tx.rollback().await?;
    let (TextEnum(role), email, activations, TextEnum(policy), requires_second_factor) =
        row.ok_or_else(tenant_mismatch)?;
    let rules = SignInRules { policy, requires_second_factor };
    rules.check(method)?;
    Ok(ActiveMember { role, email, activations, rules })
}

/// The settings `sign_in` and `second_factor_required` of a tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SignInRules {
    pub(crate) policy: SignInPolicy,
    pub(crate) requires_second_factor: bool,
}

impl SignInRules {
    /// Checks that a sign-in gives access to the tenant.
    ///
    /// # Errors
    /// `FORBIDDEN` for a sign-in that the tenant excludes; `SECOND_FACTOR_REQUIRED` for one without a second factor.
    pub(crate) fn check(self, method: AuthMethod) -> Result<()> {
        if !self.policy.permits(method) {
            return Err(sign_in_excluded().into());
        }
        if self.requires_second_factor && !method.has_second_factor() {
            return Err(second_factor_required().into());
        }
        Ok(())
    }

    /// Returns the time and the method of the last authentication of a session that the tenant accepts. A confirmation
    /// in a way that the tenant excludes does not count.
    pub(crate) fn confirmation(self, signed_in: &SignedIn) -> (Timestamp, AuthMethod) {
        let method = signed_in.method();
        match signed_in.confirmed_with {
            Some(with) if self.check(with).is_ok() => (signed_in.confirmed_at, with),
            Some(_) => (signed_in.signed_in_at, method),
            None => (signed_in.confirmed_at, method),
        }
    }
}

/// Repeats the authorization for `permission` and locks the rows that it depends on: the membership of
/// the user, and the row of the calling key. A concurrent removal, role change or revocation waits for
/// this transaction, or is seen here.
///
/// Call it before any other row is locked: memberships come first in the lock order.
///
/// # Errors
/// `FORBIDDEN` for a user who lost the membership or the right; `UNAUTHORIZED` for a key that was
/// revoked; `CONFLICT` for a key that was transferred.
pub(crate) async fn lock_authority(tx: &TenantTx, cx: &Cx, permission: Permission) -> Result<()> {
    match &cx.caller {
        Caller::Human(human) => lock_human(tx, human, permission).await,
        Caller::Key(key) => lock_key(tx, key).await,
        _ => Ok(()),
    }
}

async fn lock_human(tx: &TenantTx, human: &Human, permission: Permission) -> Result<()> {
    let role = membership::lock_role(tx, human.user_id).await?.ok_or_else(tenant_mismatch)?;
    if role.has(permission.right) {
        return Ok(());
    }
    Err(role_lacks_permission(permission.name, permission.right, role).into())
}

async fn lock_key(tx: &TenantTx, key: &ApiKeyCaller) -> Result<()> {
    if let Some(owner) = key.owner {
        membership::lock_role(tx, owner).await?;
    }
    let rows = tx.find_by_id::<api_key::Entity>(key.id);
    let row = rows.lock_shared().one(tx.connection()).await?;
    let row = row.filter(|row| row.revoked_at.is_none()).ok_or_else(unauthorized)?;
    if row.owner.map(UserId) == key.owner {
        return Ok(());
    }
    Err(conflict("the key was transferred to another user; send the request again").into())
}

/// Locks the memberships of an email address and that of the caller, and repeats the authorization of
/// the caller. Rows of accounts come before memberships in the lock order.
pub(crate) async fn lock_inviter(
    tx: &TenantTx,
    cx: &Cx,
    permission: Permission,
    email: &str,
) -> Result<()> {
    let invited = user::Column::Email.eq(email);
    lock_memberships(tx, cx, permission, invited).await.map(drop)
}

/// Locks the memberships that match `condition` and that of the caller, repeats the authorization of the
/// caller and returns the memberships.
pub(crate) async fn lock_memberships(
    tx: &TenantTx,
    cx: &Cx,
    permission: Permission,
    condition: Expr,
) -> Result<Vec<Member>> {
    let is_caller = member::Column::UserId.eq_any(cx.caller.person().map(|person| person.0));
    let rows = membership::of_tenant(tx).filter(condition.or(is_caller));
    // A fixed order prevents deadlocks.
    let rows =
        membership::locked(rows.order_by_asc(member::Column::UserId)).into_model::<MembershipRow>();
    let rows = rows.all(tx.connection()).await?;
    lock_authority(tx, cx, permission).await?;
    Ok(rows.into_iter().map(Member::from).collect())
}

pub(crate) const KEY_PREFIX: &str = "svc_";

/// The maximum number of keys in one look-up query.
const KEYS_MAX: usize = 256;

// SQL: runs for every request with an API key. The plan of the function is stored in the session.
const SELECT_KEYS: &str = "SELECT tenant_id, api_key_id, key_name, scopes, owner, expires_at, \
                    revoked_at, activation_counter, digest FROM api_keys_by_digest($1)";

type KeyDigest = [u8; 32];

#[derive(Debug)]
struct StoredKey {
    key: ApiKeyCaller,
    is_revoked: bool,
}

pub(crate) fn key_digest(governance: &Governance, secret: &str) -> Vec<u8> {
    digest(governance, secret).to_vec()
}

fn digest(governance: &Governance, secret: &str) -> KeyDigest {
    governance.pepper().digest("api-key", secret.as_bytes())
}

/// Resolves an API key.
///
/// The key is read after this call starts. So a revocation or an activation takes effect with the next
/// request, in every process.
///
/// # Errors
/// `UNAUTHORIZED` when the key is unknown, revoked or expired.
pub(crate) async fn resolve_key(
    governance: &Governance,
    secret: &str,
    now: Timestamp,
) -> Result<ApiKeyCaller> {
    if !secret.starts_with(KEY_PREFIX) {
        return Err(unauthorized().into());
    }
    let pending = governance.access().authenticator.keys.join(digest(governance, secret));
    if pending.is_leader {
        tokio::spawn(run_lookups(governance.clone()));
    }
    let stored = pending.result().await?.ok_or_else(unauthorized)?;
    if stored.is_revoked || stored.key.expires_at.is_some_and(|at| at <= now) {
        return Err(unauthorized().into());
    }
    governance.access().authenticator.uses.record(&stored.key, now);
    Ok(stored.key.clone())
}

/// Runs look-ups while requests wait, in a task that does not depend on any caller.
///
/// It reuses its connection, because the pool tests a returned connection before reuse, which costs as
/// much as the look-up.
async fn run_lookups(governance: Governance) {
    let mut connection = None;
    loop {
        // Lets requests that have already arrived join this look-up: fewer look-ups cost less per
        // request.
        tokio::task::yield_now().await;
        let Some(waiting) = governance.access().authenticator.keys.next(KEYS_MAX) else { return };
        // A separate task: if it panics, its waiters receive an error and later look-ups continue.
        let task = tokio::spawn(resolve_waiters(governance.clone(), waiting, connection.take()));
        connection = task.await.unwrap_or_default();
    }
}

type Connection = PoolConnection<Postgres>;

/// Sends the results to the waiters. Returns the connection if it is still usable.
async fn resolve_waiters(
    governance: Governance,
    waiting: Waiters<KeyDigest, StoredKey>,
    connection: Option<Connection>,
) -> Option<Connection> {
    let digests: Vec<Vec<u8>> = waiting.keys().map(|digest| digest.to_vec()).collect();
    let (keys, connection) = match read(&governance, digests, connection).await {
        Ok((keys, connection)) => (Ok(keys), Some(connection)),
        Err(error) => (Err(error), None),
    };
    resolve(waiting, &keys);
    connection
}

async fn read(
    governance: &Governance,
    digests: Vec<Vec<u8>>,
    connection: Option<Connection>,
) -> Result<(HashMap<KeyDigest, Arc<StoredKey>>, Connection)> {
    let mut connection = match connection {
        Some(connection) => connection,
        None => database::acquire(governance.database()).await?,
    };
    let rows = sqlx::query(SELECT_KEYS).bind(digests).fetch_all(&mut *connection).await;
    let rows = rows.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(error.into())))?;
    let to_entry = |row| -> Result<_> {
        let row = QueryResult::from(row);
        Ok((row_digest(&row)?, Arc::new(to_stored(&row)?)))
    };
    Ok((rows.into_iter().map(to_entry).collect::<Result<_>>()?, connection))
}

fn row_digest(row: &QueryResult) -> Result<KeyDigest> {
    let digest: Vec<u8> = row.try_get_by_index(8)?;
    digest.try_into().map_err(|_| Error::bug("a key digest has the wrong length"))
}

fn to_stored(row: &QueryResult) -> Result<StoredKey> {
    let scopes: Vec<String> = row.try_get_by_index(3)?;
    let expires_at: Option<DateTimeUtc> = row.try_get_by_index(5)?;
    let revoked_at: Option<DateTimeUtc> = row.try_get_by_index(6)?;
    let expires_at = expires_at.map(from_column);
    let key = ApiKeyCaller {
        tenant_id: TenantId(row.try_get_by_index(0)?),
        id: ApiKeyId(row.try_get_by_index(1)?),
        name: row.try_get_by_index(2)?,
        scopes: scopes.iter().filter_map(|scope| scope.parse::<Scope>().ok()).collect(),
        owner: row.try_get_by_index::<Option<Uuid>>(4)?.map(UserId),
        expires_at,
        activations: row.try_get_by_index(7)?,
        capability: None,
    };
    Ok(StoredKey { key, is_revoked: revoked_at.is_some() })
}
