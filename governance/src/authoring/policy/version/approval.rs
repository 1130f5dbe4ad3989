//! The signed approval created by each ratification (receipts, section 9.1).

use contract::policy::PolicyApproval;
use entity::{policy as policies, policy_approval as table, policy_version, tenant_head as heads};
use receipt::{
    approval::{self, Ratifier},
    audit::email_digest,
    dsse::Envelope,
    key::PayloadType,
    statement,
    transparency_log::EntryKind,
};

use super::{find, review::ReviewStatus};
use crate::{
    access::permission,
    authoring::policy::stored_rules,
    base::prelude::*,
    proof::{signing::ServiceKey, transparency_log},
};

/// The subject of an approval: the version with its makers and review.
pub(super) struct ApprovalSubject<'a> {
    pub(super) policy: &'a policies::Model,
    pub(super) version: &'a policy_version::Model,
    pub(super) makers: &'a [Uuid],
    pub(super) is_maker_checked: bool,
    pub(super) review: Option<ReviewStatus>,
}

/// Signs the approval, stores it and returns its digest.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the key is unusable, or its signature fails verification.
pub(super) async fn sign_approval(
    tx: &TenantTx,
    cx: &Cx,
    human: &Human,
    approved: &ApprovalSubject<'_>,
) -> Result<Digest> {
    let signer = cx.governance.approval_signer();
    let statement = build_statement(tx, cx, human, approved, signer.map(ServiceKey::kid)).await?;
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
        ratified_at: Set(to_column(cx.now)),
    };
    row.insert(tx.connection()).await?;
    Ok(statement.digest)
}

async fn build_statement(
    tx: &TenantTx,
    cx: &Cx,
    human: &Human,
    approved: &ApprovalSubject<'_>,
    kid: Option<&str>,
) -> Result<CanonicalJson> {
    let version = approved.version;
    let review = approved.review.as_ref();
    let approval = approval::PolicyApproval {
        tenant_id: tx.tenant_id(),
        policy_id: version.policy_id.into(),
        policy_code: approved.policy.code.clone(),
        policy_version_id: version.id.into(),
        version: unsigned(version.version),
        draft_revision: unsigned(version.draft_revision),
        rules_digest: rules_digest(version)?,
        previous_approval_digest: previous_digest(tx, version).await?,
        submission_id: review.map(|review| review.submission_id),
        accept_record_id: review.and_then(|review| review.accept_record_id),
        ratified_at: cx.now,
        ratifier: Ratifier {
            user_id: human.user_id,
            role: human.role.to_string(),
            email_digest: email_digest(&email_salt(tx).await?, &human.email),
            auth_method: human.confirmed_with.to_string(),
        },
        makers: approved.makers.iter().copied().map(UserId).collect(),
        maker_checker: approved.is_maker_checked,
        kid: kid.map(str::to_owned),
    };
    Ok(approval.canonical())
}

/// Returns the digest of the stored rules after comparing it with the stored digest, so that rules
/// changed directly in the database cannot be approved.
fn rules_digest(version: &policy_version::Model) -> Result<Digest> {
    let digest = statement::rules(&stored_rules::values(&version.rules)?).digest;
    if digest.to_string() == version.rules_digest {
        return Ok(digest);
    }
    Err(Error::bug(format!("the rules of version {} do not match its digest", version.id)))
}

/// Returns the digest of the approval of the previously ratified version.
async fn previous_digest(tx: &TenantTx, version: &policy_version::Model) -> Result<Option<Digest>> {
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
    digest.as_deref().map(approval_digest).transpose()
}

pub(crate) fn approval_digest(stored: &str) -> Result<Digest> {
    stored.parse().map_err(|_| Error::bug("a stored approval without its digest"))
}

/// Returns the tenant's salt of email digests, which is secret.
async fn email_salt(tx: &TenantTx) -> Result<Vec<u8>> {
    let head = untenanted::<heads::Entity>().filter(heads::Column::TenantId.eq(tx.tenant_id().0));
    let salt = head.select_only().column(heads::Column::EmailSalt).into_tuple::<String>();
    let salt = salt.one(tx.connection()).await?;
    let salt = salt.or_bug("a tenant without its head row")?;
    hex::decode(salt).map_err(Error::internal)
}

/// Returns the approval of a ratified version with its signature.
///
/// # Errors
/// `NOT_FOUND` for the version, or when it was not ratified.
pub async fn read(cx: &Cx, id: PolicyId, version: u32) -> Result<PolicyApproval> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let approval = related(policy_version::Column::Id, table::Column::PolicyVersionId);
    let row = find(&tx, id, version).join(JoinType::LeftJoin, approval).select_also(table::Entity);
    let row = row.one(tx.connection()).await?;
    tx.finish_read().await?;
    let (_, row) = row.or_not_found(ResourceKind::Version)?;
    let approval = to_wire(row.or_not_found(ResourceKind::Approval)?)?;
    let (kind, digest) = (EntryKind::PolicyApproval, approval.approval_digest.parse().ok());
    let transparency_anchor =
        transparency_log::anchor(cx.governance.database(), kind, digest).await?;
    Ok(PolicyApproval { transparency_anchor, ..approval })
}

fn to_wire(row: table::Model) -> Result<PolicyApproval> {
    let statement = CanonicalJson::parse(row.statement.as_bytes())
        .map_err(|_| Error::bug("a stored approval is not canonical"))?;
    let approval = parse_stored("a stored approval", &statement.text)?;
    let signature = row.signature_kid.as_deref().zip(row.signature.as_deref());
    let envelope = signature
        .map(|signature| Envelope::new(PayloadType::PolicyApproval, statement, [signature]))
        .transpose()
        .map_err(Error::internal)?;
    Ok(PolicyApproval {
        policy_id: row.policy_id.into(),
        policy_version_id: row.policy_version_id.into(),
        version: unsigned(row.version),
        approval_digest: row.digest,
        approval,
        envelope: envelope.map(|envelope| envelope.to_value()),
        transparency_anchor: None,
    })
}
