//! The signed approval that each ratification leaves behind (receipts, section 9.1).

use contract::{
    id::{PolicyId, UserId},
    json::{Limits, Value},
    policy::PolicyApproval,
};
use entity::{policy as policies, policy_approval as table, policy_version, tenant_head as heads};
use receipt::{
    audit::email_digest,
    canon::Canonical,
    digest::Digest,
    dsse::Envelope,
    key::PayloadType,
    log::EntryKind,
    statement::{self, Ratifier},
};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::{find, review::Reviewed};
use crate::{
    caller::Human,
    cx::Cx,
    database::untenanted,
    error::{Error, Noun, Result, not_found},
    log, permission,
    signing::ServiceKey,
    snapshot,
    tenancy::TenantTx,
};

/// How people sign in.
const AUTH_METHOD: &str = "password";

/// What a person approves, and what the person had in hand.
pub(super) struct Approved<'a> {
    pub(super) policy: &'a policies::Model,
    pub(super) version: &'a policy_version::Model,
    pub(super) makers: &'a [Uuid],
    pub(super) is_maker_checked: bool,
    pub(super) review: Option<Reviewed>,
}

/// Signs the approval and keeps it; tells its digest.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the key cannot be used, or its signature does not verify.
pub(super) async fn give(
    tx: &TenantTx,
    cx: &Cx,
    human: &Human,
    approved: &Approved<'_>,
) -> Result<Digest> {
    let signer = cx.governance.approval_signer();
    let statement = state(tx, cx, human, approved, signer.map(ServiceKey::kid)).await?;
    let signature = match signer {
        Some(key) => Some(key.sign(PayloadType::PolicyApproval, &statement).await?),
        None => None,
    };
    let review = approved.review.as_ref();
    let version = approved.version;
    let row = table::ActiveModel {
        tenant_id: Set(version.tenant_id),
        policy_id: Set(version.policy_id),
        version: Set(version.version),
        policy_version_id: Set(version.id),
        statement: Set(statement.text),
        digest: Set(statement.digest.to_string()),
        signature: Set(signature),
        signature_kid: Set(signer.map(|key| key.kid().to_owned())),
        submission_id: Set(review.map(|review| review.submission_id.0)),
        accept_record_id: Set(review.and_then(|review| review.accept_record_id).map(Into::into)),
        ratified_at: Set(entity::column::at(cx.now)),
    };
    row.insert(tx.connection()).await?;
    Ok(statement.digest)
}

/// The statement of an approval.
async fn state(
    tx: &TenantTx,
    cx: &Cx,
    human: &Human,
    approved: &Approved<'_>,
    kid: Option<&str>,
) -> Result<Canonical> {
    let version = approved.version;
    let makers: Vec<UserId> = approved.makers.iter().map(|maker| UserId(*maker)).collect();
    let review = approved.review.as_ref();
    Ok(statement::approval(&statement::PolicyApproval {
        tenant_id: tx.tenant_id(),
        policy_id: version.policy_id.into(),
        policy_code: &approved.policy.code,
        policy_version_id: version.id.into(),
        version: entity::column::number(version.version),
        draft_revision: entity::column::number(version.draft_revision),
        rules_digest: rules_digest(version)?,
        previous_approval_digest: previous(tx, version).await?,
        submission_id: review.map(|review| review.submission_id),
        accept_record_id: review.and_then(|review| review.accept_record_id),
        ratified_at: cx.now,
        ratifier: Ratifier {
            user_id: human.user_id,
            role: human.role.as_str(),
            email_digest: email_digest(&email_salt(tx).await?, &human.email),
            auth_method: AUTH_METHOD,
        },
        makers: &makers,
        maker_checker: approved.is_maker_checked,
        kid,
    }))
}

/// The digest of the rules as they are stored, which must be the one beside them: nobody approves
/// rules that somebody has changed past the service.
fn rules_digest(version: &policy_version::Model) -> Result<Digest> {
    let digest = statement::rules(&snapshot::rule_values(&version.rules)?).digest;
    if digest.to_string() == version.rules_digest {
        return Ok(digest);
    }
    Err(Error::bug(format!("the rules of version {} are not those of its digest", version.id)))
}

/// The approval of the version that was ratified before.
async fn previous(tx: &TenantTx, version: &policy_version::Model) -> Result<Option<Digest>> {
    let digest = tx
        .find::<table::Entity>()
        .filter(table::Column::PolicyId.eq(version.policy_id))
        .filter(table::Column::Version.lt(version.version))
        .order_by_desc(table::Column::Version)
        .select_only()
        .column(table::Column::Digest)
        .into_tuple::<String>()
        .one(tx.connection())
        .await?;
    digest.as_deref().map(snapshot::approval_digest).transpose()
}

/// The tenant's salt of e-mail digests, which is not published.
async fn email_salt(tx: &TenantTx) -> Result<Vec<u8>> {
    let head = untenanted::<heads::Entity>().filter(heads::Column::TenantId.eq(tx.tenant_id().0));
    let salt = head.select_only().column(heads::Column::EmailSalt).into_tuple::<String>();
    let salt = salt.one(tx.connection()).await?;
    let salt = salt.ok_or_else(|| Error::bug("a tenant without its head row"))?;
    hex::decode(salt).map_err(|error| Error::Bug(error.into()))
}

/// The approval of a ratified version, with its signature.
///
/// # Errors
/// `NOT_FOUND` for the version, or when it was not ratified.
pub async fn read(cx: &Cx, id: PolicyId, version: u32) -> Result<PolicyApproval> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = find(&tx, id, version).one(tx.connection()).await?;
    let version = row.ok_or_else(|| not_found(Noun::Version))?;
    let row = tx
        .find::<table::Entity>()
        .filter(table::Column::PolicyVersionId.eq(version.id))
        .one(tx.connection())
        .await?;
    tx.end().await?;
    let approval = wire(row.ok_or_else(|| not_found(Noun::Approval))?)?;
    let (kind, digest) = (EntryKind::PolicyApproval, &approval.approval_digest);
    let transparency_anchor = log::anchor(cx.governance.database(), kind, digest).await?;
    Ok(PolicyApproval { transparency_anchor, ..approval })
}

fn wire(row: table::Model) -> Result<PolicyApproval> {
    let statement = Canonical::read(row.statement.as_bytes())
        .map_err(|_| Error::bug("a stored approval is not canonical"))?;
    let approval = Value::parse(statement.text.as_bytes(), &Limits::BUNDLE_MEMBER)
        .map_err(|fault| Error::bug(format!("a stored approval: {fault:?}")))?;
    let signed = row.signature_kid.as_deref().zip(row.signature.as_deref());
    let envelope = signed
        .map(|signed| Envelope::new(PayloadType::PolicyApproval, statement, [signed]))
        .transpose()
        .map_err(|error| Error::Bug(error.into()))?;
    Ok(PolicyApproval {
        policy_id: row.policy_id.into(),
        policy_version_id: row.policy_version_id.into(),
        version: entity::column::number(row.version),
        approval_digest: row.digest,
        approval,
        envelope: envelope.map(|envelope| envelope.to_value()),
        transparency_anchor: None,
    })
}
