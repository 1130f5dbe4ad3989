//! Commands of the operator: create tenants, users and keys.

pub mod key;
pub mod tenant;

use contract::{
    api_key::ApiKeyDraft,
    email::{fold_email, parse_email},
    member::MemberStatus,
    tenant::TenantDraft,
};
use entity::{member as memberships, tenant_head, user as table};
use rand::seq::IndexedRandom;
use sea_orm::{SelectExt, sea_query::ExprTrait};

use crate::{
    access::{
        account,
        api_key::{self, NewApiKey},
        membership, password, second_factor,
    },
    base::{
        error::{
            address_proven, address_proven_elsewhere, already_member, no_password_yet,
            no_proven_account,
        },
        prelude::*,
    },
};

pub use self::key::create_key;

/// The input of a bootstrap: a tenant and its first admin.
#[derive(Debug)]
pub struct Bootstrap {
    pub tenant: String,
    pub email: String,
    pub password: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BootstrapResult {
    pub tenant_id: TenantId,
    pub user_id: UserId,
    pub email: String,
    /// A key with all scopes that can be granted.
    pub api_key: NewKey,
}

/// A newly created key. Its plaintext is never shown again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewKey {
    pub id: ApiKeyId,
    pub plaintext_key: String,
    pub scopes: Vec<Scope>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewTenant {
    pub tenant_id: TenantId,
    pub name: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewUser {
    pub user_id: UserId,
    pub email: String,
    pub role: Role,
    pub tenant_id: TenantId,
}

/// A fully prepared bootstrap that is not stored yet.
#[derive(Debug)]
pub struct BootstrapPlan {
    person: NewPerson,
    tenant: String,
    key: NewApiKey,
    result: BootstrapResult,
}

impl BootstrapPlan {
    /// Returns the result of [`bootstrap`] in advance. Save it before the bootstrap, so that no tenant
    /// can exist with lost credentials.
    pub fn result(&self) -> &BootstrapResult {
        &self.result
    }
}

/// Prepares a tenant with its admin and a key.
///
/// # Errors
/// `VALIDATION_ERROR` for a weak password or a malformed address.
pub async fn plan(governance: &Governance, input: Bootstrap) -> Result<BootstrapPlan> {
    let person = NewPerson::new(&governance.operator(), &input.email, input.password).await?;
    let scopes: Vec<Scope> = Scope::ALL.iter().copied().filter(|s| s.is_grantable()).collect();
    let key = NewApiKey::new(governance.entropy());
    let result = BootstrapResult {
        tenant_id: governance.entropy().id(),
        user_id: person.user_id,
        email: person.email.clone(),
        api_key: NewKey { id: key.id, plaintext_key: key.plaintext.clone(), scopes },
    };
    Ok(BootstrapPlan { person, tenant: input.tenant, key, result })
}

/// Creates a prepared tenant with its admin and a key.
///
/// # Errors
/// `CONFLICT` for an address that is already taken; `VALIDATION_ERROR` for an empty name.
pub async fn bootstrap(governance: &Governance, plan: BootstrapPlan) -> Result<BootstrapResult> {
    let cx = governance.operator();
    let BootstrapPlan { person, tenant, key, result } = plan;
    let mut tx = cx.tenant_unchecked(result.tenant_id).begin().await?;
    let draft = TenantDraft { name: tenant, parent_tenant_id: None };
    tenant::insert(&tx, &cx, &draft, Vec::new()).await?;
    person.insert(&mut tx, &cx, Role::Admin).await?;
    let scopes = result.api_key.scopes.clone();
    let draft = ApiKeyDraft { name: "bootstrap".to_owned(), scopes, expires_at: None };
    let key = api_key::insert(&mut tx, &cx, &key, draft, person.user_id.into()).await?;
    tx.add_event(Event::new("tenant.create", "tenant", result.tenant_id));
    tx.add_event(Event::new("user.create", "user", person.user_id).with("role", "admin"));
    tx.commit(&cx, api_key::created_event(&key)).await?;
    Ok(result)
}

/// Creates a tenant, as a child of `parent` if present.
///
/// # Errors
/// `VALIDATION_ERROR` for an empty name, or a parent that does not exist or has too many ancestors.
pub async fn create_tenant(
    governance: &Governance,
    name: &str,
    parent: Option<TenantId>,
) -> Result<NewTenant> {
    let draft = TenantDraft { name: name.to_owned(), parent_tenant_id: parent };
    let tenant = tenant::create(&governance.operator(), draft).await?;
    Ok(NewTenant { tenant_id: tenant.tenant_id, name: tenant.name })
}

/// Creates a user with a proven account and adds the user to a tenant. The operator confirms the
/// address.
///
/// # Errors
/// `NOT_FOUND` for the tenant; `VALIDATION_ERROR` for a weak password or a malformed address;
/// `CONFLICT` for an address that is already taken.
pub async fn create_user(
    governance: &Governance,
    tenant_id: TenantId,
    email: &str,
    password: String,
    role: Role,
) -> Result<NewUser> {
    let cx = governance.operator();
    tenant::exists(&cx, tenant_id).await?;
    let person = NewPerson::new(&cx, email, password).await?;
    let mut tx = cx.tenant_unchecked(tenant_id).begin().await?;
    person.insert(&mut tx, &cx, role).await?;
    let event = Event::new("user.create", "user", person.user_id).with("role", role.as_str());
    tx.commit(&cx, event).await?;
    Ok(NewUser { user_id: person.user_id, email: person.email, role, tenant_id })
}

/// Returns the user with an address in a tenant. Creates the user if there is none.
pub(crate) async fn create_or_find_user(
    governance: &Governance,
    tenant_id: TenantId,
    email: &str,
    password: String,
    role: Role,
) -> Result<UserId> {
    match create_user(governance, tenant_id, email, password, role).await {
        Ok(created) => Ok(created.user_id),
        Err(Error::Refused(refusal)) if refusal.code == ErrorCode::Conflict => {
            let user_id = find_proven_user(governance, &fold_email(email)).await?;
            Ok(user_id.or_not_found(ResourceKind::User)?)
        }
        Err(error) => Err(error),
    }
}

async fn find_proven_user(governance: &Governance, email: &str) -> Result<Option<UserId>> {
    let account = untenanted::<table::Entity>()
        .filter(table::Column::Email.eq(email))
        .filter(table::Column::ConfinedTenantId.is_null());
    let account = account.one(governance.database()).await?;
    Ok(account.map(|account| UserId(account.user_id)))
}

/// Returns whether the database contains no tenant.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn is_empty(governance: &Governance) -> Result<bool> {
    Ok(!untenanted::<tenant_head::Entity>().exists(governance.database()).await?)
}

/// Generates a random password of 20 letters and digits without look-alike characters.
pub fn random_password(entropy: &Entropy) -> String {
    const PASSWORD_ALPHABET: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    use rand::{SeedableRng, rngs::StdRng};
    let mut random = StdRng::from_seed(entropy.bytes());
    (0..20).filter_map(|_| PASSWORD_ALPHABET.choose(&mut random).copied().map(char::from)).collect()
}

fn read_email(email: &str) -> Result<String> {
    Ok(parse_email(email).map_err(|message| invalid_field("/email", "format", message))?)
}

#[derive(Debug)]
struct NewPerson {
    user_id: UserId,
    email: String,
    password_hash: String,
}

impl NewPerson {
    async fn new(cx: &Cx, email: &str, password: String) -> Result<Self> {
        let email = read_email(email)?;
        if let Some(error) = password::validate(&password, &email) {
            return Err(invalid(&[error]).into());
        }
        let salt = password::salt_of(&cx.governance, &email).await?;
        let password_hash = cx.governance.access().passwords.hash(password, salt).await?;
        Ok(Self { user_id: cx.governance.entropy().id(), email, password_hash })
    }

    async fn insert(&self, tx: &mut TenantTx, cx: &Cx, role: Role) -> Result<()> {
        let name = self.email.split('@').next().unwrap_or(&self.email);
        let user = table::ActiveModel {
            user_id: Set(self.user_id.0),
            email: Set(self.email.clone()),
            display_name: Set(name.to_owned()),
            password_hash: Set(Some(self.password_hash.clone())),
            password_changed_at: Set(Some(to_column(cx.now))),
            created_at: Set(to_column(cx.now)),
            ..Default::default()
        };
        let insert = table::Entity::insert(user).exec_without_returning(tx.connection());
        insert.await.map_err(account::map_insert_error)?;
        membership::insert(tx, cx, self.user_id, role, MemberStatus::Active).await
    }
}

/// An account with a proven address.
#[derive(Clone, Debug, Serialize)]
pub struct VerifiedUser {
    pub user_id: UserId,
    pub email: String,
    /// The tenant that created the account, or of which the user is a member.
    pub tenant_id: TenantId,
}

/// Proves the address of an account that a tenant created, so that other tenants can invite it. A proven account of a member,
/// such as one that the operator has created, does not change.
///
/// The operator confirms that the person who knows the account's password owns the address. Existing
/// links become void, and second factors are removed. A proven account does not change.
///
/// # Errors
/// `NOT_FOUND` for the tenant, and for an address that has neither an account of the tenant nor a proven account of a
/// member; `CONFLICT` when the address has another proven account, or the account has no password yet.
pub async fn verify_user(
    governance: &Governance,
    tenant_id: TenantId,
    email: &str,
) -> Result<VerifiedUser> {
    let cx = governance.operator();
    let email = read_email(email)?;
    tenant::exists(&cx, tenant_id).await?;
    let mut tx = cx.tenant_unchecked(tenant_id).begin().await?;
    let row = account_to_verify(&tx, &email).await?.or_not_found(ResourceKind::User)?;
    let user_id = UserId(row.user_id);
    let verified = VerifiedUser { user_id, email, tenant_id };
    if row.confined_tenant_id.is_none() {
        tx.finish_read().await?;
        return Ok(verified);
    }
    if row.password_hash.is_none() {
        return Err(no_password_yet().into());
    }
    let had_second_factor = account::prove(&tx, user_id).await.map_err(|error| match error {
        Error::Refused(refusal) if *refusal == address_proven() => {
            address_proven_elsewhere().into()
        }
        error => error,
    })?;
    if had_second_factor {
        tx.add_event(Event::new("second_factor.reset", "user", user_id));
    }
    tx.commit(&cx, Event::new("user.verify", "user", user_id)).await?;
    Ok(verified)
}

/// Locks and returns the account that the tenant created for an address, or the proven account of a member: that of a user
/// whom the operator has created or added.
async fn account_to_verify(tx: &TenantTx, email: &str) -> Result<Option<table::Model>> {
    let members = tx.find::<memberships::Entity>().select_only();
    let members = members.column(memberships::Column::UserId).into_query();
    let is_of_tenant = table::Column::SetupTenantId.eq(tx.tenant_id().0);
    let is_proven = table::Column::ConfinedTenantId.is_null();
    let account = untenanted::<table::Entity>()
        .filter(table::Column::Email.eq(email))
        .filter(is_of_tenant.or(is_proven.and(table::Column::UserId.in_subquery(members))))
        .order_by_asc(table::Column::ConfinedTenantId.is_not_null())
        .lock_exclusive();
    Ok(account.one(tx.connection()).await?)
}

/// Makes the user with a proven account a member of a tenant without an invitation. An invited user
/// becomes an active member with this role.
///
/// # Errors
/// `NOT_FOUND` for the tenant, and for an address without a proven account; `CONFLICT` for an active
/// member.
pub async fn add_user(
    governance: &Governance,
    tenant_id: TenantId,
    email: &str,
    role: Role,
) -> Result<NewUser> {
    let cx = governance.operator();
    let email = read_email(email)?;
    tenant::exists(&cx, tenant_id).await?;
    let user_id = find_proven_user(governance, &email).await?.ok_or_else(no_proven_account)?;
    let mut tx = cx.tenant_unchecked(tenant_id).begin().await?;
    match status(&tx, &email).await? {
        Some(MemberStatus::Active) => return Err(already_member().into()),
        Some(MemberStatus::Invited) => accept(&tx, &email, user_id, role).await?,
        None => membership::insert(&mut tx, &cx, user_id, role, MemberStatus::Active).await?,
    }
    let event = Event::new("member.add", "member", user_id).with("role", role.as_str());
    tx.commit(&cx, event).await?;
    Ok(NewUser { user_id, email, role, tenant_id })
}

/// An account whose second factors were reset.
#[derive(Clone, Debug, Serialize)]
pub struct ResetUser {
    pub user_id: UserId,
    pub email: String,
    /// Whether the account had a second factor.
    pub had_second_factor: bool,
}

/// Removes all second factors of a user who has lost them, and ends the sessions of the account. With `tenant`, it is the
/// account that is confined to the tenant, otherwise the proven account of the address.
///
/// # Errors
/// `VALIDATION_ERROR` for a malformed address; `NOT_FOUND` for an address without such an account.
pub async fn reset_second_factors(
    governance: &Governance,
    tenant: Option<TenantId>,
    email: &str,
) -> Result<ResetUser> {
    let email = read_email(email)?;
    let cx = governance.operator();
    let (user_id, had_second_factor) =
        second_factor::reset_by_operator(&cx, tenant, &email).await?;
    Ok(ResetUser { user_id, email, had_second_factor })
}

async fn status(tx: &TenantTx, email: &str) -> Result<Option<MemberStatus>> {
    let status = membership::of_tenant(tx)
        .select_only()
        .column(memberships::Column::Status)
        .filter(table::Column::Email.eq(email))
        .order_by_asc(memberships::Column::Status);
    let status = membership::locked(status).into_tuple::<TextEnum<MemberStatus>>();
    Ok(status.one(tx.connection()).await?.map(|status| status.0))
}

// SQL: the memberships are selected by a column of another table.
const ACCEPT_INVITATION: &str = "UPDATE members m SET user_id = $3, role = $4, status = 'active' FROM users u \
     WHERE u.user_id = m.user_id AND m.tenant_id = $1 AND u.email = $2 AND m.status = 'invited'";

/// Activates an invited membership for the proven account. The invitation may be for an account that
/// the tenant created for it.
async fn accept(tx: &TenantTx, email: &str, user_id: UserId, role: Role) -> Result<()> {
    let values = [email.into(), user_id.0.into(), role.as_str().into()];
    tx.execute(ACCEPT_INVITATION, values).await.map_err(membership::map_insert_error)?;
    Ok(())
}
