//! Mentions of members in comments.

use contract::email::mentioned_emails;

use crate::{
    access::mail::{self, MailContent},
    base::prelude::*,
};

// SQL: one statement resolves the addresses and stores the mentions. A member who is being removed is skipped.
const INSERT_MENTIONS: &str = "INSERT INTO comment_mentions (tenant_id, user_id, comment_id) \
     SELECT m.tenant_id, m.user_id, $2 FROM members m JOIN users u ON u.user_id = m.user_id \
     WHERE m.tenant_id = $1 AND m.status = 'active' AND u.email = ANY ($3) AND m.user_id <> $4 \
     ORDER BY m.user_id FOR KEY SHARE OF m RETURNING user_id";

/// Stores which active members new comments mention, except their author, and mails them if mail is
/// configured: one mail per member.
pub(super) async fn store(
    tx: &TenantTx,
    cx: &Cx,
    (policy_id, version): (PolicyId, i32),
    comments: &[(CommentId, &str)],
) -> Result<()> {
    let author = cx.human()?.user_id;
    let mut mentioned = BTreeSet::new();
    for &(comment, text) in comments {
        let emails = mentioned_emails(text);
        if emails.is_empty() {
            continue;
        }
        let emails: Vec<String> = emails.into_iter().collect();
        let values = [comment.0.into(), emails.into(), author.0.into()];
        mentioned.extend(tx.tuples(INSERT_MENTIONS, values).await?.into_iter().map(UserId));
    }
    let content = MailContent::Mention {
        tenant_id: tx.tenant_id(),
        policy_id,
        version: unsigned(version),
        author,
    };
    for user in mentioned {
        mail::queue(tx, cx, user, &content).await?;
    }
    Ok(())
}
