//! Commands of the operator: create tenants, users and keys.

pub mod key;
mod person;
pub mod tenant;

use contract::{
    api_key::ApiKeyDraft,
    email::{fold_email, parse_email},
    member::MemberStatus,
    tenant::TenantDraft,
};
use entity::{tenant_head, user as table};
use rand::seq::IndexedRandom;
use sea_orm::SelectExt;

use crate::{
    access::{
        account,
        api_key::{self, NewApiKey},
        membership, password,
    },
    base::prelude::*,
};

pub use self::{
    key::create_key,
    person::{ResetUser, VerifiedUser, add_user, reset_second_factors, verify_user},
};

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
