//! The simulation: chooses and performs random actions, and compares the results with the model.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use contract::{id::UserId, policy::ReviewVerdict};
use governance::{
    Result,
    authoring::policy::{self, rule_input::NewPolicy},
    base::clock::Entropy,
};
use receipt::statement;
use sea_orm::DatabaseConnection;
use serde::Deserialize;
use testkit::database;

use super::{
    Actor, Participants, ResultCounts, STEPS, STEPS_MAX,
    action::{self, Action, CreatedId, Ids, SubmissionKey, perform},
    missing_results,
    state::{Credential, Grant, Identity, Model, Ratification, Version},
};
use crate::prelude::*;

/// The number of actions on one policy.
const ACTIONS: u32 = 40;

struct RandomChoices(Entropy);

impl RandomChoices {
    /// Returns a number below `end`.
    fn below(&self, end: u32) -> u32 {
        u32::from_le_bytes(self.0.bytes()) % end.max(1)
    }

    /// Returns true once in `times` on average.
    fn once_in(&self, times: u32) -> bool {
        self.below(times) == 0
    }

    fn one_of<T: Copy>(&self, values: &[T]) -> T {
        values[self.below(u32::try_from(values.len()).unwrap()) as usize]
    }
}

/// Simulates one policy after the other until every result has occurred in any of the tenants.
pub(super) async fn run(
    participants: Participants,
    database: DatabaseConnection,
    seed: u64,
    counts: Arc<Mutex<ResultCounts>>,
) {
    let choices = RandomChoices(Entropy::seeded(seed));
    let mut settings = (true, false);
    for episode in 0.. {
        if is_complete(&counts.lock().unwrap()) {
            break;
        }
        let mut simulation =
            Simulation::new(&participants, &database, &choices, settings, episode).await;
        for _ in 0..ACTIONS {
            Box::pin(simulation.step(&counts)).await;
        }
        simulation.check().await;
        settings = (simulation.model.maker_checker, simulation.model.review_required);
    }
}

fn is_complete(counts: &ResultCounts) -> bool {
    let steps: u32 = counts.values().sum();
    steps >= STEPS_MAX || steps >= STEPS && missing_results(counts).is_empty()
}

/// One policy and its model.
struct Simulation<'a> {
    participants: &'a Participants,
    database: &'a DatabaseConnection,
    choices: &'a RandomChoices,
    policy: PolicyId,
    model: Model,
    ids: Ids,
    /// The actions so far with their results, for failure messages.
    trace: Vec<String>,
}

impl<'a> Simulation<'a> {
    async fn new(
        participants: &'a Participants,
        database: &'a DatabaseConnection,
        choices: &'a RandomChoices,
        settings: (bool, bool),
        episode: u32,
    ) -> Self {
        let maker = choices.one_of(&[0, 3]);
        let actor = &participants.actors[maker];
        let new = body::<NewPolicy>(&spending(&format!("PAY-{episode}"), 1));
        let created = policy::create(&actor.cx, new).await.unwrap();
        Self {
            participants,
            database,
            choices,
            policy: created.policy.id,
            model: Model::new(1, actor.identity.person, settings.0, settings.1),
            ids: Ids::default(),
            trace: Vec::new(),
        }
    }

    /// Performs one action, or two concurrent actions.
    async fn step(&mut self, counts: &Mutex<ResultCounts>) {
        let first = self.next_action().await;
        if !self.choices.once_in(4) {
            let before = self.last_event().await;
            let result = perform(&first.0.cx, self.policy, first.1, &self.ids).await;
            if result.is_err() {
                assert_eq!(self.last_event().await, before, "{:#?}", self.trace);
            }
            self.update_model(&[(first, result)], counts).await;
            return;
        }
        let second = self.next_action().await;
        let (one, two) = tokio::join!(
            perform(&first.0.cx, self.policy, first.1, &self.ids),
            perform(&second.0.cx, self.policy, second.1, &self.ids),
        );
        self.update_model(&[(first, one), (second, two)], counts).await;
    }

    /// Returns the number of the tenant's last audit event, which no refused action changes.
    async fn last_event(&self) -> String {
        let tenant = self.participants.tenant_id;
        let head = format!("select audit_seq::text from tenant_heads where tenant_id = '{tenant}'");
        database::texts(self.database, &head).await.concat()
    }

    /// Replaces the model with the one that matches the service in one of the two orders.
    /// If both orders match, the stored rows determine the order.
    async fn update_model(&mut self, performed: &[PerformedAction], counts: &Mutex<ResultCounts>) {
        for ((actor, action), result) in performed {
            let Identity { person, credential } = actor.identity;
            self.trace
                .push(format!("{credential:?} {person} {action:?}: {}", result_summary(result)));
            *counts.lock().unwrap().entry((action.name(), result_summary(result))).or_default() +=
                1;
        }
        let mut models = self.matching_models(performed);
        assert!(
            !models.is_empty(),
            "no order has these results: {:#?}\nfrom {:#?}",
            self.trace,
            self.model
        );
        if models.len() > 1 || self.choices.once_in(8) {
            let stored = self.load().await;
            let differences: Vec<String> =
                models.iter().filter_map(|model| self.difference(model, &stored)).collect();
            models.retain(|model| self.difference(model, &stored).is_none());
            assert!(!models.is_empty(), "{differences:#?}\nafter {:#?}", self.trace);
        }
        self.model = models.swap_remove(0);
        for ((_, action), result) in performed {
            self.store_id(*action, result);
        }
    }

    /// Returns the model after the actions, for each order in which they have the given results.
    fn matching_models(&self, performed: &[PerformedAction]) -> Vec<Model> {
        let forward: Vec<usize> = (0..performed.len()).collect();
        let mut orders = vec![forward.clone()];
        if performed.len() > 1 {
            orders.push(forward.into_iter().rev().collect());
        }
        let after = |order: Vec<usize>| {
            let mut model = self.model.clone();
            let is_match = order.into_iter().all(|index| {
                let ((actor, action), result) = &performed[index];
                let expected = model.apply(actor.identity, *action);
                expected.err().unwrap_or("done") == result_summary(result)
            });
            is_match.then_some(model)
        };
        orders.into_iter().filter_map(after).collect()
    }

    /// Stores the ID that an action created in the service.
    fn store_id(&mut self, action: Action, result: &Result<CreatedId>) {
        match (action, result) {
            (Action::Seal { version, .. }, Ok(CreatedId::Submission(revision, id))) => {
                let before = self.ids.submissions.insert((version, *revision), *id);
                assert!(before.is_none_or(|before| before == *id), "{:#?}", self.trace);
            }
            (Action::Record { submission, .. }, Ok(CreatedId::Record(id))) => {
                let before = self.ids.records.insert(submission, *id);
                assert_eq!(before, None, "{:#?}", self.trace);
            }
            (Action::Issue { grant, .. }, Ok(CreatedId::Grant(id, key))) => {
                self.ids.grants.insert(grant, (*id, key.clone()));
            }
            _ => {}
        }
    }

    /// Chooses the next action and its actor.
    async fn next_action(&self) -> (Actor, Action) {
        let grants: Vec<u32> = self.ids.grants.keys().copied().collect();
        if grants.is_empty() || !self.choices.once_in(4) {
            return (self.random_actor(), self.random_action());
        }
        let grant = self.choices.one_of(&grants);
        let issuer = self.model.grants[&grant].issuer;
        let identity = Identity { person: issuer, credential: Credential::Grant(grant) };
        // The capability of a key is loaded at each authentication.
        let cx = self.participants.tenant.cx_with_key(&self.ids.grants[&grant].1).await;
        (Actor { identity, cx }, self.random_program_action(grant))
    }

    /// Returns an action of a program, in most cases on the version of its grant.
    fn random_program_action(&self, grant: u32) -> Action {
        let choices = self.choices;
        let own = self.model.grants[&grant].version;
        let number = if choices.once_in(6) { choices.below(self.model.latest) + 1 } else { own };
        let revision = self.model.versions.get(&number).map_or(1, |version| version.revision);
        let expected = if choices.once_in(6) { choices.below(revision + 2) } else { revision };
        match choices.below(8) {
            0..=2 => Action::Edit { version: number, expected, max: choices.below(1_000) + 1 },
            3 | 4 => Action::Submit { version: number },
            5 | 6 => Action::Seal { version: number, answers: self.random_answer(number) },
            _ => Action::Ratify { version: number, expected },
        }
    }

    fn random_actor(&self) -> Actor {
        let number = self.choices.below(u32::try_from(self.participants.actors.len()).unwrap());
        self.participants.actors[number as usize].clone()
    }

    /// Returns an action of a person, in most cases on the latest version.
    fn random_action(&self) -> Action {
        let choices = self.choices;
        let number = match choices.below(10) {
            0 => self.model.latest + 1,
            1 | 2 => choices.below(self.model.latest) + 1,
            3 => self.model.active.unwrap_or(self.model.latest),
            _ => self.model.latest,
        };
        let revision = self.model.versions.get(&number).map_or(1, |version| version.revision);
        let expected = if choices.once_in(6) { choices.below(revision + 2) } else { revision };
        let max = choices.below(1_000) + 1;
        match choices.below(31) {
            0 | 1 => Action::Create { max },
            2..=4 => Action::Edit { version: number, expected, max },
            5..=7 => Action::Submit { version: number },
            8 => Action::Recall { version: number },
            9 => Action::Reject { version: number },
            10 => Action::Delete { version: number },
            11..=13 => Action::Seal { version: number, answers: self.random_answer(number) },
            14..=17 => self.random_record(number),
            18..=20 => Action::Ratify { version: number, expected },
            21 | 22 => Action::Activate { version: number },
            23 => Action::Deactivate,
            24 => Action::SetAside { version: number },
            25 | 26 => Action::Supersede { version: number, expected, max },
            27 | 28 => Action::Issue { version: number, grant: choices.below(u32::MAX) },
            29 => Action::Revoke { grant: self.random_grant() },
            _ => Action::ChangeSettings {
                maker_checker: !choices.once_in(3),
                review_required: choices.once_in(3),
            },
        }
    }

    /// Returns a grant to revoke, in some cases one that does not exist.
    fn random_grant(&self) -> u32 {
        let known: Vec<u32> = self.ids.grants.keys().copied().collect();
        if known.is_empty() || self.choices.once_in(6) { 0 } else { self.choices.one_of(&known) }
    }

    /// Returns the record that a seal answers, in most cases the required one.
    fn random_answer(&self, number: u32) -> Option<SubmissionKey> {
        let previous = self.model.previous_submission(number);
        let returned = previous.filter(|(_, last)| last.verdict == Some(ReviewVerdict::Return));
        let known: Vec<SubmissionKey> = self.ids.records.keys().copied().collect();
        match self.choices.below(6) {
            0 => None,
            1 | 2 if !known.is_empty() => Some(self.choices.one_of(&known)),
            1 => Some((0, 0)),
            _ => returned.map(|(key, _)| key),
        }
    }

    fn random_record(&self, number: u32) -> Action {
        let known: Vec<SubmissionKey> = self.ids.submissions.keys().copied().collect();
        let own = known.iter().rev().find(|(version, _)| *version == number);
        let submission = match (own, known.is_empty()) {
            (Some(own), _) if !self.choices.once_in(8) => *own,
            (_, false) => self.choices.one_of(&known),
            _ => (number, 0),
        };
        let version = if self.choices.once_in(8) { number } else { submission.0 };
        let verdict = self.choices.one_of(&ReviewVerdict::ALL);
        Action::Record { version, submission, verdict }
    }

    /// Loads the stored versions with their approvals and submissions, the settings and the grants.
    async fn load(&self) -> StoredPolicy {
        let versions = format!(
            "select v.version, v.status, v.draft_revision as revision, v.rules, v.rules_digest,
                 v.is_active, v.makers, v.lineage_previous, a.statement,
                 array(select s.candidate_revision || ' ' || s.sealer || coalesce(' ' || r.verdict, '')
                     from review_submissions s
                     left join review_records r on r.submission_id = s.id
                     where s.policy_version_id = v.id order by s.sequence) as submissions
             from policy_versions v
             left join policy_approvals a on a.policy_version_id = v.id
             where v.policy_id = '{}' order by v.version",
            self.policy
        );
        let rows = format!("select row_to_json(t)::text from ({versions}) t");
        let rows = database::texts(self.database, &rows).await;
        let settings = format!(
            "select maker_checker_enabled || ' ' || review_required from settings
             where tenant_id = '{}'",
            self.participants.tenant_id
        );
        let grants = format!(
            "select version || ' ' || issued_by || ' ' || uses || ' ' || (revoked_at is not null)
             from capability_grants where policy_id = '{}'",
            self.policy
        );
        let mut grants = database::texts(self.database, &grants).await;
        grants.sort();
        StoredPolicy {
            grants,
            rows: rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect(),
            settings: database::texts(self.database, &settings).await.concat(),
        }
    }

    /// Returns the first difference between the stored rows and a model.
    fn difference(&self, model: &Model, stored: &StoredPolicy) -> Option<String> {
        let StoredPolicy { rows, settings, grants } = stored;
        let mut expected: Vec<String> =
            model.grants.values().map(|grant| self.grant_row(grant)).collect();
        expected.sort();
        if *grants != expected {
            return Some(format!("the grants are {grants:?}, not {expected:?}"));
        }
        if *settings != format!("{} {}", model.maker_checker, model.review_required) {
            return Some(format!("the settings are {settings}"));
        }
        let stored: Vec<u32> = rows.iter().map(|row| row.version).collect();
        let expected: Vec<u32> = model.versions.keys().copied().collect();
        if stored != expected {
            return Some(format!("{stored:?} are not {expected:?}"));
        }
        rows.iter().find_map(|row| {
            let version = &model.versions[&row.version];
            let is_active = model.active == Some(row.version);
            let is_equal = row.is_active == is_active && self.is_equal(version, row);
            (!is_equal).then(|| format!("{row:#?} is not {version:#?}, active: {is_active}"))
        })
    }

    fn is_equal(&self, version: &Version, row: &Row) -> bool {
        let submissions = version.submissions.iter().map(|submission| {
            let verdict =
                submission.verdict.map(|verdict| format!(" {verdict}")).unwrap_or_default();
            format!(
                "{} {}{verdict}",
                submission.revision, self.participants.people[submission.sealer]
            )
        });
        row.status == version.status.as_str()
            && row.revision == version.revision
            && row.rules == action::rules(version.max).to_canonical()
            && row.makers == self.people(&version.makers)
            && row.lineage_previous == version.corrects
            && row.submissions == submissions.collect::<Vec<_>>()
            && row.statement.is_some() == version.ratification.is_some()
            && row.approval()
                == version.ratification.as_ref().map(|ratification| self.approval(ratification))
    }

    /// Returns whether maker-checker was on at the ratification of a version, and its makers.
    fn approval(&self, ratification: &Ratification) -> (bool, BTreeSet<UserId>) {
        (ratification.maker_checker, self.people(&ratification.makers))
    }

    /// Formats a grant like a stored row.
    fn grant_row(&self, grant: &Grant) -> String {
        let issuer = self.participants.people[grant.issuer];
        format!("{} {issuer} {} {}", grant.version, grant.uses, grant.is_revoked)
    }

    fn people(&self, people: &BTreeSet<usize>) -> BTreeSet<UserId> {
        people.iter().map(|person| self.participants.people[*person]).collect()
    }

    /// Checks the invariants after all actions.
    async fn check(&self) {
        let stored = self.load().await;
        assert_eq!(self.difference(&self.model, &stored), None, "after {:#?}", self.trace);
        for row in &stored.rows {
            let Some(ratification) = &self.model.versions[&row.version].ratification else {
                assert!(!row.is_active, "an active version is ratified");
                continue;
            };
            // The ratified rules are stored byte for byte, and the approval contains their digest.
            assert_eq!(row.rules, action::rules(ratification.max).to_canonical());
            let rules = value(&row.rules);
            let digest = statement::rules(rules.as_array().unwrap()).digest.to_string();
            let approval = value(row.statement.as_deref().unwrap());
            assert_eq!((&*row.rules_digest, text(&approval, "rules_digest")), (&*digest, &*digest));
            // With maker-checker, the ratifier is not a maker.
            let ratifier = self.participants.people[ratification.ratifier].to_string();
            assert_eq!(text(approval.get("ratifier").unwrap(), "user_id"), ratifier);
            let makers = makers(&approval);
            assert_eq!(makers, self.people(&ratification.makers));
            let is_independent = !makers.iter().any(|maker| maker.to_string() == ratifier);
            assert!(is_independent || !ratification.maker_checker, "{:#?}", self.trace);
        }
    }
}

/// An action with its actor and its result.
type PerformedAction = ((Actor, Action), Result<CreatedId>);

/// The stored versions, settings and grants of a policy.
struct StoredPolicy {
    rows: Vec<Row>,
    settings: String,
    grants: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Row {
    version: u32,
    status: String,
    revision: u32,
    rules: String,
    rules_digest: String,
    is_active: bool,
    makers: BTreeSet<UserId>,
    lineage_previous: Option<u32>,
    submissions: Vec<String>,
    statement: Option<String>,
}

impl Row {
    /// Returns the maker-checker setting and the makers of the approval. The issuer of a concurrent
    /// grant is one of them only if the grant was stored before the ratification.
    fn approval(&self) -> Option<(bool, BTreeSet<UserId>)> {
        let approval = value(self.statement.as_deref()?);
        let is_maker_checked = approval.get("maker_checker").and_then(Value::as_bool)?;
        Some((is_maker_checked, makers(&approval)))
    }
}

fn makers(approval: &Value) -> BTreeSet<UserId> {
    let makers = list(approval, "makers").iter().filter_map(Value::as_str);
    makers.map(|maker| maker.parse().unwrap()).collect()
}
