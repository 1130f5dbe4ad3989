//! The play: acts are drawn, done, and compared with the model.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use contract::{
    id::{PolicyId, UserId},
    json::Value,
    policy::ReviewVerdict,
};
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
    Actor, Cast, Endings, STEPS, STEPS_MAX,
    act::{self, Act, Given, Ids, Sealed, perform},
    missed,
    state::{By, Grant, Model, Ratified, Version, Who},
};
use crate::fixtures::{body, list, said, spending, text, value};

/// How many acts one policy sees.
const ACTS: u32 = 40;

/// Draws.
struct RandomChoices(Entropy);

impl RandomChoices {
    /// A number below `end`.
    fn below(&self, end: u32) -> u32 {
        u32::from_le_bytes(self.0.bytes()) % end.max(1)
    }

    /// True once in `times`.
    fn once_in(&self, times: u32) -> bool {
        self.below(times) == 0
    }

    fn one<T: Copy>(&self, of: &[T]) -> T {
        of[self.below(u32::try_from(of.len()).unwrap()) as usize]
    }
}

/// Plays one policy after the other until all tenants together have met every ending.
pub(super) async fn run(
    cast: Cast,
    database: DatabaseConnection,
    seed: u64,
    endings: Arc<Mutex<Endings>>,
) {
    let draws = RandomChoices(Entropy::seeded(seed));
    let mut settings = (true, false);
    for episode in 0.. {
        if is_enough(&endings.lock().unwrap()) {
            break;
        }
        let mut game = Simulation::new(&cast, &database, &draws, settings, episode).await;
        for _ in 0..ACTS {
            Box::pin(game.step(&endings)).await;
        }
        game.check().await;
        settings = (game.model.maker_checker, game.model.review_required);
    }
}

fn is_enough(endings: &Endings) -> bool {
    let steps: u32 = endings.values().sum();
    steps >= STEPS_MAX || steps >= STEPS && missed(endings).is_empty()
}

/// One policy, and what it should be.
struct Simulation<'a> {
    cast: &'a Cast,
    database: &'a DatabaseConnection,
    draws: &'a RandomChoices,
    policy: PolicyId,
    model: Model,
    ids: Ids,
    /// What was done so far, for whoever reads a failure.
    trace: Vec<String>,
}

impl<'a> Simulation<'a> {
    async fn new(
        cast: &'a Cast,
        database: &'a DatabaseConnection,
        draws: &'a RandomChoices,
        settings: (bool, bool),
        episode: u32,
    ) -> Self {
        let maker = draws.one(&[0, 3]);
        let actor = &cast.actors[maker];
        let new = body::<NewPolicy>(&spending(&format!("PAY-{episode}"), 1));
        let made = policy::create(&actor.cx, new).await.unwrap();
        Self {
            cast,
            database,
            draws,
            policy: made.policy.id,
            model: Model::new(1, actor.who.person, settings.0, settings.1),
            ids: Ids::default(),
            trace: Vec::new(),
        }
    }

    /// Performs one act, or two at once.
    async fn step(&mut self, endings: &Mutex<Endings>) {
        let first = self.turn().await;
        if !self.draws.once_in(4) {
            let ending = perform(&first.0.cx, self.policy, first.1, &self.ids).await;
            self.settle(&[(first, ending)], endings).await;
            return;
        }
        let second = self.turn().await;
        let (one, two) = tokio::join!(
            perform(&first.0.cx, self.policy, first.1, &self.ids),
            perform(&second.0.cx, self.policy, second.1, &self.ids),
        );
        self.settle(&[(first, one), (second, two)], endings).await;
    }

    /// Goes on from the model that ends the acts as the service did, in one order or the other. Where
    /// both do, what is stored tells which it was.
    async fn settle(&mut self, done: &[Done], endings: &Mutex<Endings>) {
        for ((actor, act), ending) in done {
            let Who { person, by } = actor.who;
            self.trace.push(format!("{by:?} {person} {act:?}: {}", said(ending)));
            *endings.lock().unwrap().entry((act.word(), said(ending))).or_default() += 1;
        }
        let mut fitting = self.fitting(done);
        assert!(
            !fitting.is_empty(),
            "no order ends like this: {:#?}\nfrom {:#?}",
            self.trace,
            self.model
        );
        if fitting.len() > 1 || self.draws.once_in(8) {
            let stored = self.stored().await;
            let told: Vec<String> =
                fitting.iter().filter_map(|model| self.differs(model, &stored)).collect();
            fitting.retain(|model| self.differs(model, &stored).is_none());
            assert!(!fitting.is_empty(), "{told:#?}\nafter {:#?}", self.trace);
        }
        self.model = fitting.swap_remove(0);
        for ((_, act), ending) in done {
            self.note(*act, ending);
        }
    }

    /// The model after the acts, in each order that ends them so.
    fn fitting(&self, done: &[Done]) -> Vec<Model> {
        let forward: Vec<usize> = (0..done.len()).collect();
        let mut orders = vec![forward.clone()];
        if done.len() > 1 {
            orders.push(forward.into_iter().rev().collect());
        }
        let after = |order: Vec<usize>| {
            let mut model = self.model.clone();
            let fits = order.into_iter().all(|place| {
                let ((actor, act), ending) = &done[place];
                let expected = model.apply(actor.who, *act);
                expected.err().unwrap_or("done") == said(ending)
            });
            fits.then_some(model)
        };
        orders.into_iter().filter_map(after).collect()
    }

    /// Remembers the ids that the service gave out.
    fn note(&mut self, act: Act, ending: &Result<Given>) {
        match (act, ending) {
            (Act::Seal { version, .. }, Ok(Given::Submission(revision, id))) => {
                let before = self.ids.submissions.insert((version, *revision), *id);
                assert!(before.is_none_or(|before| before == *id), "{:#?}", self.trace);
            }
            (Act::Record { submission, .. }, Ok(Given::Record(id))) => {
                let before = self.ids.records.insert(submission, *id);
                assert_eq!(before, None, "{:#?}", self.trace);
            }
            (Act::Issue { grant, .. }, Ok(Given::Grant(id, key))) => {
                self.ids.grants.insert(grant, (*id, key.clone()));
            }
            _ => {}
        }
    }

    /// Who acts next, and what they do.
    async fn turn(&self) -> (Actor, Act) {
        let grants: Vec<u32> = self.ids.grants.keys().copied().collect();
        if grants.is_empty() || !self.draws.once_in(4) {
            return (self.actor(), self.act());
        }
        let grant = self.draws.one(&grants);
        let who = Who { person: self.model.grants[&grant].issuer, by: By::Grant(grant) };
        // A program's key is looked at anew whenever it comes to the door.
        let cx = self.cast.house.with_key(&self.ids.grants[&grant].1).await;
        (Actor { who, cx }, self.work(grant))
    }

    /// What a program does: mostly on its own version.
    fn work(&self, grant: u32) -> Act {
        let draws = self.draws;
        let own = self.model.grants[&grant].version;
        let number = if draws.once_in(6) { draws.below(self.model.latest) + 1 } else { own };
        let revision = self.model.versions.get(&number).map_or(1, |version| version.revision);
        let expected = if draws.once_in(6) { draws.below(revision + 2) } else { revision };
        match draws.below(8) {
            0..=2 => Act::Edit { version: number, expected, mark: draws.below(1_000) + 1 },
            3 | 4 => Act::Submit { version: number },
            5 | 6 => Act::Seal { version: number, answers: self.answers(number) },
            _ => Act::Ratify { version: number, expected },
        }
    }

    fn actor(&self) -> Actor {
        let number = self.draws.below(u32::try_from(self.cast.actors.len()).unwrap());
        self.cast.actors[number as usize].clone()
    }

    /// The next act: mostly about the newest version and what it needs, at times about any.
    fn act(&self) -> Act {
        let draws = self.draws;
        let number = match draws.below(10) {
            0 => self.model.latest + 1,
            1 | 2 => draws.below(self.model.latest) + 1,
            3 => self.model.active.unwrap_or(self.model.latest),
            _ => self.model.latest,
        };
        let revision = self.model.versions.get(&number).map_or(1, |version| version.revision);
        let expected = if draws.once_in(6) { draws.below(revision + 2) } else { revision };
        let mark = draws.below(1_000) + 1;
        match draws.below(31) {
            0 | 1 => Act::Create { mark },
            2..=4 => Act::Edit { version: number, expected, mark },
            5..=7 => Act::Submit { version: number },
            8 => Act::Recall { version: number },
            9 => Act::Reject { version: number },
            10 => Act::Delete { version: number },
            11..=13 => Act::Seal { version: number, answers: self.answers(number) },
            14..=17 => self.record(number),
            18..=20 => Act::Ratify { version: number, expected },
            21 | 22 => Act::Activate { version: number },
            23 => Act::Deactivate,
            24 => Act::SetAside { version: number },
            25 | 26 => Act::Supersede { version: number, expected, mark },
            27 | 28 => Act::Issue { version: number, grant: draws.below(u32::MAX) },
            29 => Act::Revoke { grant: self.grant() },
            _ => {
                Act::Switch { maker_checker: !draws.once_in(3), review_required: draws.once_in(3) }
            }
        }
    }

    /// A grant to revoke: at times one that nobody issued.
    fn grant(&self) -> u32 {
        let known: Vec<u32> = self.ids.grants.keys().copied().collect();
        if known.is_empty() || self.draws.once_in(6) { 0 } else { self.draws.one(&known) }
    }

    /// The record that a seal names: mostly the one that it must.
    fn answers(&self, number: u32) -> Option<Sealed> {
        let prior = self.model.prior(number);
        let returned = prior.filter(|(_, last)| last.verdict == Some(ReviewVerdict::Return));
        let known: Vec<Sealed> = self.ids.records.keys().copied().collect();
        match self.draws.below(6) {
            0 => None,
            1 | 2 if !known.is_empty() => Some(self.draws.one(&known)),
            1 => Some((0, 0)),
            _ => returned.map(|(sealed, _)| sealed),
        }
    }

    fn record(&self, number: u32) -> Act {
        let known: Vec<Sealed> = self.ids.submissions.keys().copied().collect();
        let own = known.iter().rev().find(|(version, _)| *version == number);
        let submission = match (own, known.is_empty()) {
            (Some(own), _) if !self.draws.once_in(8) => *own,
            (_, false) => self.draws.one(&known),
            _ => (number, 0),
        };
        let version = if self.draws.once_in(8) { number } else { submission.0 };
        let verdict = self.draws.one(&ReviewVerdict::ALL);
        Act::Record { version, submission, verdict }
    }

    /// The versions as they are stored, with their approvals and submissions, and the settings.
    async fn stored(&self) -> Stored {
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
            self.cast.tenant
        );
        let grants = format!(
            "select version || ' ' || issued_by || ' ' || uses || ' ' || (revoked_at is not null)
             from capability_grants where policy_id = '{}'",
            self.policy
        );
        let mut grants = database::texts(self.database, &grants).await;
        grants.sort();
        Stored {
            grants,
            rows: rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect(),
            settings: database::texts(self.database, &settings).await.concat(),
        }
    }

    /// What is stored otherwise than a model has it.
    fn differs(&self, model: &Model, stored: &Stored) -> Option<String> {
        let Stored { rows, settings, grants } = stored;
        let mut expected: Vec<String> =
            model.grants.values().map(|grant| self.told(grant)).collect();
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
            let fits = row.is_active == is_active && self.fits(version, row);
            (!fits).then(|| format!("{row:#?} is not {version:#?}, active: {is_active}"))
        })
    }

    fn fits(&self, version: &Version, row: &Row) -> bool {
        let submissions = version.submissions.iter().map(|sealed| {
            let verdict = sealed.verdict.map(|verdict| format!(" {verdict}")).unwrap_or_default();
            format!("{} {}{verdict}", sealed.revision, self.cast.people[sealed.sealer])
        });
        row.status == version.status.word()
            && row.revision == version.revision
            && row.rules == act::rules(version.mark).to_canonical()
            && row.makers == self.people(&version.makers)
            && row.lineage_previous == version.corrects
            && row.submissions == submissions.collect::<Vec<_>>()
            && row.statement.is_some() == version.ratified.is_some()
            && row.approved() == version.ratified.as_ref().map(|ratified| self.approved(ratified))
    }

    /// Whether maker-checker was on when a version was ratified, and who had made it.
    fn approved(&self, ratified: &Ratified) -> (bool, BTreeSet<UserId>) {
        (ratified.maker_checker, self.people(&ratified.makers))
    }

    /// A grant as it is stored.
    fn told(&self, grant: &Grant) -> String {
        let issuer = self.cast.people[grant.issuer];
        format!("{} {issuer} {} {}", grant.version, grant.uses, grant.is_revoked)
    }

    fn people(&self, people: &BTreeSet<usize>) -> BTreeSet<UserId> {
        people.iter().map(|person| self.cast.people[*person]).collect()
    }

    /// What must hold at the end of all acts, whatever they were.
    async fn check(&self) {
        let stored = self.stored().await;
        assert_eq!(self.differs(&self.model, &stored), None, "after {:#?}", self.trace);
        for row in &stored.rows {
            let Some(ratified) = &self.model.versions[&row.version].ratified else {
                assert!(!row.is_active, "nothing decides that nobody ratified");
                continue;
            };
            // What was ratified is byte for byte what is there, and what its approval names.
            assert_eq!(row.rules, act::rules(ratified.mark).to_canonical());
            let rules = value(&row.rules);
            let digest = statement::rules(rules.as_array().unwrap()).digest.to_string();
            let approval = value(row.statement.as_deref().unwrap());
            assert_eq!((&*row.rules_digest, text(&approval, "rules_digest")), (&*digest, &*digest));
            // Nothing was ratified without an independent person where one was asked for.
            let by = self.cast.people[ratified.by].to_string();
            assert_eq!(text(approval.get("ratifier").unwrap(), "user_id"), by);
            let makers = makers(&approval);
            assert_eq!(makers, self.people(&ratified.makers));
            let is_independent = !makers.iter().any(|maker| maker.to_string() == by);
            assert!(is_independent || !ratified.maker_checker, "{:#?}", self.trace);
        }
    }
}

/// Who did what, and how it ended.
type Done = ((Actor, Act), Result<Given>);

/// What is stored of a policy, and of its tenant's settings.
struct Stored {
    rows: Vec<Row>,
    settings: String,
    grants: Vec<String>,
}

/// A version as it is stored.
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
    /// What its approval says: whether maker-checker was on, and who had made it. A grant that is issued at
    /// once with the ratification makes its issuer one of them, or comes after it.
    fn approved(&self) -> Option<(bool, BTreeSet<UserId>)> {
        let approval = value(self.statement.as_deref()?);
        let is_maker_checked = approval.get("maker_checker").and_then(Value::as_bool)?;
        Some((is_maker_checked, makers(&approval)))
    }
}

/// Who made a version, as its approval says.
fn makers(approval: &Value) -> BTreeSet<UserId> {
    let makers = list(approval, "makers").iter().filter_map(Value::as_str);
    makers.map(|maker| maker.parse().unwrap()).collect()
}
