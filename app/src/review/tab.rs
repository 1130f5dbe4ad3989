//! The tabs of a review, and the people who review.

use contract::{
    id::{PolicyId, TenantId},
    policy::ReviewVerdict,
};
use serde::{Deserialize, Serialize};

use super::record::SubmissionLine;
#[cfg(feature = "ssr")]
use super::words;
use crate::text::url;
#[cfg(feature = "ssr")]
use crate::{
    clause::words as clause_words, comment::words as comment_words, version::words as version_words,
};

/// A tab of the page of a review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReviewTab {
    /// The rules that differ, with the form of the review.
    #[default]
    Changes,
    /// All comments on the version.
    Comments,
    /// The clauses of the rules.
    Clauses,
    /// The events of the version, and its submissions with their reviews.
    Timeline,
}

impl ReviewTab {
    /// In the order of their links.
    pub const ALL: [Self; 4] = [Self::Changes, Self::Comments, Self::Clauses, Self::Timeline];

    /// Reads the value of the query parameter.
    pub fn read(word: &str) -> Self {
        Self::ALL.into_iter().find(|tab| tab.word() == word).unwrap_or_default()
    }

    /// Returns the value of the query parameter. It is empty for the default.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Changes => "",
            Self::Comments => "comments",
            Self::Clauses => "clauses",
            Self::Timeline => "timeline",
        }
    }

    #[cfg(feature = "ssr")]
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Changes => words::CHANGES,
            Self::Comments => comment_words::TITLE,
            Self::Clauses => clause_words::TITLE,
            Self::Timeline => version_words::TIMELINE,
        }
    }

    /// Returns the page of a review with this tab.
    pub fn page(self, tenant: TenantId, policy: PolicyId, version: u32) -> String {
        url::with_query(&url::review(tenant, policy, version), &[("tab", self.word())])
    }
}

/// A person who submitted or reviewed a version, or who can review it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reviewer {
    pub name: String,
    /// Whether it is the signed-in user.
    pub is_user: bool,
    pub part: ReviewerPart,
}

/// What a person did in the review of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReviewerPart {
    /// The person submitted the rules. With maker-checker on, the person cannot review them.
    Submitter { may_review: bool },
    /// The person recorded a verdict on a revision.
    Reviewed(ReviewVerdict, u32),
    /// The person can review the submission and has not.
    Pending,
}

impl ReviewerPart {
    /// Returns what the person did. It follows the name of the person.
    #[cfg(feature = "ssr")]
    pub(crate) fn description(self) -> String {
        match self {
            Self::Submitter { may_review: true } => "submitted this version".to_owned(),
            Self::Submitter { may_review: false } => {
                "submitted this version, cannot review it".to_owned()
            }
            Self::Reviewed(ReviewVerdict::Accept, revision) => format!("accepted r{revision}"),
            Self::Reviewed(ReviewVerdict::Return, revision) => {
                words::requested(&format!("r{revision}"))
            }
            Self::Pending => "not reviewed yet".to_owned(),
        }
    }
}

/// The signed-in user of a review.
#[derive(Clone, Debug)]
pub struct ReviewUser {
    pub id: String,
    pub name: String,
    /// Whether the user can review the newest submission now.
    pub may_record: bool,
}

/// Returns the person who submitted the newest revision, then the reviewers with the last verdict of each, newest
/// first, then the user if the user can review. `is_checked` states whether maker-checker is on.
pub fn reviewers(
    submissions: &[SubmissionLine],
    user: Option<&ReviewUser>,
    is_checked: bool,
) -> Vec<Reviewer> {
    let Some(newest) = submissions.first() else { return Vec::new() };
    let is_user = |id: &str| user.is_some_and(|user| user.id == id);
    let submitter = Reviewer {
        name: newest.by.clone().unwrap_or_default(),
        is_user: newest.by_id.as_deref().is_some_and(is_user),
        part: ReviewerPart::Submitter { may_review: !is_checked },
    };
    let pending = user.filter(|user| user.may_record);
    let mut seen: Vec<&str> = pending.iter().map(|user| user.id.as_str()).collect();
    let mut people = vec![submitter];
    for submission in submissions {
        let Some(record) = &submission.record else { continue };
        if seen.contains(&record.by_id.as_str()) {
            continue;
        }
        seen.push(&record.by_id);
        people.push(Reviewer {
            name: record.by.clone().unwrap_or_default(),
            is_user: is_user(&record.by_id),
            part: ReviewerPart::Reviewed(record.verdict, submission.revision),
        });
    }
    people.extend(pending.map(|user| Reviewer {
        name: user.name.clone(),
        is_user: true,
        part: ReviewerPart::Pending,
    }));
    people
}

#[cfg(test)]
mod tests {
    use contract::{id::SubmissionId, time::Timestamp};

    use super::*;
    use crate::review::record::RecordLine;

    fn submission(revision: u32, review: Option<(&str, ReviewVerdict)>) -> SubmissionLine {
        let at = Timestamp::from_millis(i64::from(revision)).unwrap();
        SubmissionLine {
            id: SubmissionId(uuid::Uuid::from_u128(u128::from(revision))),
            sequence: revision,
            revision,
            by: Some("L. Chen".to_owned()),
            by_id: Some("chen".to_owned()),
            at,
            record: review.map(|(by, verdict)| RecordLine {
                id: String::new(),
                verdict,
                note: None,
                comments: Vec::new(),
                by: Some(by.to_owned()),
                by_id: by.to_owned(),
                at,
                digest: String::new(),
            }),
        }
    }

    #[test]
    fn each_reviewer_has_one_entry_with_the_last_verdict() {
        use ReviewVerdict::{Accept, Return};
        let submissions = [
            submission(3, None),
            submission(2, Some(("okafor", Accept))),
            submission(1, Some(("okafor", Return))),
        ];
        let parts = |user: Option<&ReviewUser>| -> Vec<_> {
            reviewers(&submissions, user, true).into_iter().map(|one| one.part).collect()
        };
        let submitter = ReviewerPart::Submitter { may_review: false };
        let accepted = ReviewerPart::Reviewed(Accept, 2);
        assert_eq!(parts(None), [submitter, accepted]);
        let mut user =
            ReviewUser { id: "roy".to_owned(), name: "Ines Roy".to_owned(), may_record: true };
        assert_eq!(parts(Some(&user)), [submitter, accepted, ReviewerPart::Pending]);
        // The user's next review replaces the earlier one.
        user.id = "okafor".to_owned();
        assert_eq!(parts(Some(&user)), [submitter, ReviewerPart::Pending]);
        user.may_record = false;
        let people = reviewers(&submissions, Some(&user), true);
        assert_eq!((people[1].part, people[1].is_user), (accepted, true));
        assert!(reviewers(&[], Some(&user), true).is_empty());
    }

    #[test]
    fn a_tab_is_read_from_its_word() {
        for tab in ReviewTab::ALL {
            assert_eq!(ReviewTab::read(tab.word()), tab);
        }
        assert_eq!(ReviewTab::read("other"), ReviewTab::Changes);
    }
}
