//! The people of a review: who submitted the rules, and who reviewed which revision with which verdict.

use page_kit::{prelude::*, ui::initials::initials};

use super::Review;
use crate::version::submission::{NO_SUBMISSIONS, SubmissionLine};

/// A person who submitted or reviewed a version, or who can review it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reviewer {
    pub(super) name: String,
    /// Whether it is the signed-in user.
    pub(super) is_user: bool,
    pub(super) part: ReviewerPart,
}

/// What a person did in the review of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReviewerPart {
    /// The person submitted the rules. With maker-checker on, the person cannot review them.
    Submitter { may_review: bool },
    /// The person recorded a verdict on a revision.
    Reviewed(ReviewVerdict, u32),
    /// The person can review the submission and has not.
    Pending,
}

impl ReviewerPart {
    /// Returns what the person did. It follows the name of the person.
    fn description(self) -> String {
        match self {
            Self::Submitter { may_review: true } => "submitted this version".to_owned(),
            Self::Submitter { may_review: false } => {
                "submitted this version, cannot review it".to_owned()
            }
            Self::Reviewed(ReviewVerdict::Accept, revision) => format!("accepted r{revision}"),
            Self::Reviewed(ReviewVerdict::Return, revision) => {
                format!("requested changes to r{revision}")
            }
            Self::Pending => "not reviewed yet".to_owned(),
        }
    }
}

/// The signed-in user of a review.
#[derive(Clone, Debug)]
pub(super) struct ReviewUser {
    pub(super) id: String,
    pub(super) name: String,
    /// Whether the user can review the newest submission now.
    pub(super) may_record: bool,
}

/// Returns the person who submitted the newest revision, then the reviewers with the last verdict of each, newest
/// first, then the user if the user can review. `is_checked` states whether maker-checker is on.
pub(super) fn reviewers(
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

/// Renders the people of a review, and whether a version can be ratified only after its acceptance.
pub(super) fn reviewer_list(review: &Review) -> AnyView {
    let requirement = if review.version.details.settings.review_required {
        "Ratification requires an accepted review."
    } else {
        "Ratification does not require a review."
    };
    let people: Vec<_> = review.reviewers.iter().map(person).collect();
    let content = if people.is_empty() {
        any_view! { <p class="text-muted">{NO_SUBMISSIONS}</p> }
    } else {
        any_view! { <ul class="people">{people}</ul> }
    };
    any_view! {
        <section class="card" aria-labelledby="reviewers">
            <h2 id="reviewers">"Reviewers"</h2>
            {content}
            <p class="text-xs text-muted">{requirement}</p>
        </section>
    }
}

fn person(person: &Reviewer) -> AnyView {
    let initials = initials(&person.name);
    let name = if person.is_user { "You".to_owned() } else { person.name.clone() };
    let (tone, drawing) = match person.part {
        ReviewerPart::Submitter { .. } => ("na", Icon::Pen),
        ReviewerPart::Reviewed(ReviewVerdict::Accept, _) => ("allow", Icon::Allow),
        ReviewerPart::Reviewed(ReviewVerdict::Return, _) => ("deny", Icon::Warn),
        ReviewerPart::Pending => ("warn", Icon::Wait),
    };
    any_view! {
        <li>
            <span class="avatar" aria-hidden="true">
                {initials}
            </span>
            <span class="grow">
                <bdi>{name}</bdi>
                <small>{person.part.description()}</small>
            </span>
            <span class=format!("change-kind {tone}")>{icon(drawing)}</span>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use contract::{id::SubmissionId, time::Timestamp};

    use super::*;
    use crate::version::submission::RecordLine;

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
}
