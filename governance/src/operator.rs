//! What whoever runs the process may do: make tenants, people and keys.

pub mod key;
mod person;
pub mod tenant;

use contract::{
    api_key::ApiKeyDraft,
    error::ErrorCode,
    id::{ApiKeyId, TenantId, UserId},
    member::{MemberStatus, address},
    scope::{Role, Scope},
    tenant::TenantDraft,
};
use entity::{column::at, tenant_head, user as table};
use rand::seq::IndexedRandom;
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, SelectExt};
use serde::{Deserialize, Serialize};

use crate::{
    Governance, account,
    api_key::{self, Token},
    audit::Event,
    clock::Chance,
    cx::Cx,
    database::untenanted,
    error::{Error, Noun, Result, invalid, invalid_field, not_found},
    member, password,
    tenancy::TenantTx,
};

pub use self::{
    key::create_key,
    person::{Verified, add_user, verify_user},
};

/// A tenant to start with: its first person, and what the person is called by.
#[derive(Debug)]
pub struct Bootstrap {
    /// The tenant's name.
    pub tenant: String,
    /// The admin's e-mail address.
    pub email: String,
    /// The admin's password.
    pub password: String,
}

/// What a bootstrap made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bootstrapped {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The admin.
    pub user_id: UserId,
    /// The admin's e-mail address.
    pub email: String,
    /// A key with every scope that can be granted.
    pub api_key: NewKey,
}

/// A key that was just made: the only time its plaintext is seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewKey {
    /// The key.
    pub id: ApiKeyId,
    /// What the caller sends.
    pub plaintext_key: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
}

/// A tenant that was just made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewTenant {
    /// The tenant.
    pub tenant_id: TenantId,
    /// Its name.
    pub name: String,
}

/// A person who was just made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewUser {
    /// The person.
    pub user_id: UserId,
    /// The e-mail address.
    pub email: String,
    /// The role.
    pub role: Role,
    /// The tenant.
    pub tenant_id: TenantId,
}

/// A tenant that can be made: everything about it is known, and nothing of it is stored.
#[derive(Debug)]
pub struct Plan {
    person: Person,
    tenant: String,
    key: Token,
    made: Bootstrapped,
}

impl Plan {
    /// What [`bootstrap`] will answer. To be kept before it is called, so that no tenant can exist
    /// whose credentials nobody knows.
    pub fn outcome(&self) -> &Bootstrapped {
        &self.made
    }
}

/// Plans a tenant with its admin and a key.
///
/// # Errors
/// `VALIDATION_ERROR` for a weak password or a malformed address.
pub async fn plan(governance: &Governance, start: Bootstrap) -> Result<Plan> {
    let person = Person::new(&governance.operator(), &start.email, start.password).await?;
    let scopes: Vec<Scope> = Scope::ALL.iter().copied().filter(|s| s.grantable()).collect();
    let key = Token::new(governance.chance());
    let made = Bootstrapped {
        tenant_id: governance.chance().id(),
        user_id: person.user_id,
        email: person.email.clone(),
        api_key: NewKey { id: key.id, plaintext_key: key.plaintext.clone(), scopes },
    };
    Ok(Plan { person, tenant: start.tenant, key, made })
}

/// Makes a planned tenant with its admin and a key.
///
/// # Errors
/// `CONFLICT` for an address that is taken; `VALIDATION_ERROR` for an empty name.
pub async fn bootstrap(governance: &Governance, plan: Plan) -> Result<Bootstrapped> {
    let cx = governance.operator();
    let Plan { person, tenant, key, made } = plan;
    let mut tx = cx.tenant_unchecked(made.tenant_id).begin().await?;
    let draft = TenantDraft { name: tenant, parent_tenant_id: None };
    tenant::insert(&tx, &cx, &draft, Vec::new()).await?;
    person.insert(&mut tx, &cx, Role::Admin).await?;
    let scopes = made.api_key.scopes.clone();
    let draft = ApiKeyDraft { name: "bootstrap".to_owned(), scopes, expires_at: None };
    let key = api_key::insert(&mut tx, &cx, &key, draft, person.user_id.into()).await?;
    tx.also(Event::new("tenant.create", "tenant", made.tenant_id));
    tx.also(Event::new("user.create", "user", person.user_id).with("role", "admin"));
    tx.commit(&cx, api_key::created(&key)).await?;
    Ok(made)
}

/// Makes a tenant, below a parent if one is named.
///
/// # Errors
/// `VALIDATION_ERROR` for an empty name, or a parent that does not exist or stands too deep.
pub async fn create_tenant(
    governance: &Governance,
    name: &str,
    parent: Option<TenantId>,
) -> Result<NewTenant> {
    let draft = TenantDraft { name: name.to_owned(), parent_tenant_id: parent };
    let made = tenant::create(&governance.operator(), draft).await?;
    Ok(NewTenant { tenant_id: made.tenant_id, name: made.name })
}

/// Makes a person who belongs to a tenant. The operator vouches for the address: the account is proven.
///
/// # Errors
/// `NOT_FOUND` for the tenant; `VALIDATION_ERROR` for a weak password or a malformed address;
/// `CONFLICT` for an address that is taken.
pub async fn create_user(
    governance: &Governance,
    tenant_id: TenantId,
    email: &str,
    password: String,
    role: Role,
) -> Result<NewUser> {
    let cx = governance.operator();
    tenant::exists(&cx, tenant_id).await?;
    let person = Person::new(&cx, email, password).await?;
    let mut tx = cx.tenant_unchecked(tenant_id).begin().await?;
    person.insert(&mut tx, &cx, role).await?;
    let event = Event::new("user.create", "user", person.user_id).with("role", role.as_str());
    tx.commit(&cx, event).await?;
    Ok(NewUser { user_id: person.user_id, email: person.email, role, tenant_id })
}

/// The person with an address in a tenant, made when there is nobody yet.
pub(crate) async fn create_or_find_user(
    governance: &Governance,
    tenant_id: TenantId,
    email: &str,
    password: String,
    role: Role,
) -> Result<UserId> {
    match create_user(governance, tenant_id, email, password, role).await {
        Ok(made) => Ok(made.user_id),
        Err(Error::Refused(refusal)) if refusal.code == ErrorCode::Conflict => {
            let known = proven(governance, &email.to_lowercase()).await?;
            Ok(known.ok_or_else(|| not_found(Noun::User))?)
        }
        Err(error) => Err(error),
    }
}

/// The holder of the proven account of an address.
async fn proven(governance: &Governance, email: &str) -> Result<Option<UserId>> {
    let account = untenanted::<table::Entity>()
        .filter(table::Column::Email.eq(email))
        .filter(table::Column::ConfinedTenantId.is_null());
    let account = account.one(governance.database()).await?;
    Ok(account.map(|account| UserId(account.user_id)))
}

/// Whether the store holds no tenant yet.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when it is away.
pub async fn is_empty(governance: &Governance) -> Result<bool> {
    Ok(!untenanted::<tenant_head::Entity>().exists(governance.database()).await?)
}

/// A password that nobody will guess: 20 letters and digits, none of which look alike.
pub fn random_password(chance: &Chance) -> String {
    const LETTERS: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    use rand::{SeedableRng, rngs::StdRng};
    let mut random = StdRng::from_seed(chance.bytes());
    (0..20).filter_map(|_| LETTERS.choose(&mut random).copied().map(char::from)).collect()
}

/// A person who is about to be stored.
#[derive(Debug)]
struct Person {
    user_id: UserId,
    email: String,
    password_hash: String,
}

impl Person {
    async fn new(cx: &Cx, email: &str, password: String) -> Result<Self> {
        let email = address(email)
            .ok_or_else(|| invalid_field("/email", "format", "must be an e-mail address"))?;
        if let Some(error) = password::refuse(&password, &email) {
            return Err(invalid(&[error]).into());
        }
        let salt = password::salt_of(&cx.governance, &email).await?;
        let password_hash = cx.governance.passwords().hash(password, salt).await?;
        Ok(Self { user_id: cx.governance.chance().id(), email, password_hash })
    }

    async fn insert(&self, tx: &mut TenantTx, cx: &Cx, role: Role) -> Result<()> {
        let name = self.email.split('@').next().unwrap_or(&self.email);
        let user = table::ActiveModel {
            user_id: Set(self.user_id.0),
            email: Set(self.email.clone()),
            display_name: Set(name.to_owned()),
            password_hash: Set(Some(self.password_hash.clone())),
            password_changed_at: Set(Some(at(cx.now))),
            created_at: Set(at(cx.now)),
            ..Default::default()
        };
        let insert = table::Entity::insert(user).exec_without_returning(tx.connection());
        insert.await.map_err(account::taken)?;
        member::insert(tx, cx, self.user_id, role, MemberStatus::Active).await
    }
}
