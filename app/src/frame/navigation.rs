//! The pages of the navigation with the roles that can open them. Navigation, search and the command palette
//! use this list.

use contract::{
    id::TenantId,
    scope::{Right, Role},
};

use super::words;
use crate::{
    alert::words as alert_words, audit::words as audit_words,
    capability::words as capability_words, chain::list_words as chain_list_words,
    decision::list_words as decision_list_words, group::words as group_words,
    inbox::words as inbox_words, key::words as key_words, member::words as member_words,
    overview::words as overview_words, policy::list_words as policy_list_words,
    settings::words as settings_words, text::url, try_decision::words as try_decision_words,
};

/// A page that the navigation or the user's menu links to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NavigationPage {
    Overview,
    Inbox,
    Alerts,
    Policies,
    Groups,
    Capabilities,
    Forms,
    Try,
    Decisions,
    Chains,
    Log,
    SigningKeys,
    Audit,
    Members,
    ApiKeys,
    Webhooks,
    Settings,
    Account,
}

/// What the list contains for a page: its title, its key, and the rights of which a role needs one.
struct Entry {
    title: &'static str,
    key: Option<&'static str>,
    rights: &'static [Right],
}

impl Entry {
    const fn new(title: &'static str, rights: &'static [Right]) -> Self {
        Self { title, key: None, rights }
    }

    const fn with_key(self, key: &'static str) -> Self {
        Self { key: Some(key), ..self }
    }
}

impl NavigationPage {
    /// The groups of the navigation with their pages, in order.
    pub const GROUPS: [(&'static str, &'static [Self]); 5] = [
        (words::WORK, &[Self::Inbox, Self::Alerts]),
        (
            words::POLICIES,
            &[Self::Policies, Self::Groups, Self::Capabilities, Self::Forms, Self::Try],
        ),
        (words::DECISIONS, &[Self::Decisions, Self::Chains]),
        (words::TRUST, &[Self::Log, Self::SigningKeys, Self::Audit]),
        (words::ORGANIZATION, &[Self::Members, Self::ApiKeys, Self::Webhooks, Self::Settings]),
    ];

    /// The most used pages, for the bar at the bottom of narrow pages.
    pub const TABS: [Self; 4] = [Self::Inbox, Self::Alerts, Self::Decisions, Self::Policies];

    const fn entry(self) -> Entry {
        const READ: &[Right] = &[Right::Read];
        const OPERATE: &[Right] = &[Right::Operate];
        const ADMINISTER: &[Right] = &[Right::Administer];
        match self {
            Self::Overview => Entry::new(overview_words::TITLE, READ),
            Self::Inbox => Entry::new(inbox_words::TITLE, OPERATE).with_key("g i"),
            Self::Alerts => Entry::new(alert_words::TITLE, READ).with_key("g a"),
            Self::Policies => Entry::new(policy_list_words::TITLE, READ).with_key("g p"),
            Self::Groups => Entry::new(group_words::NAVIGATION, READ),
            Self::Capabilities => {
                Entry::new(capability_words::NAVIGATION, &[Right::Author, Right::Audit])
            }
            Self::Forms => Entry::new(words::FORMS, READ).with_key("g f"),
            Self::Try => Entry::new(try_decision_words::NAVIGATION, OPERATE),
            Self::Decisions => Entry::new(decision_list_words::TITLE, READ).with_key("g d"),
            Self::Chains => Entry::new(chain_list_words::TITLE, READ),
            Self::Log => Entry::new(words::LOG, READ),
            Self::SigningKeys => Entry::new(words::SIGNING_KEYS, READ),
            Self::Audit => Entry::new(audit_words::TITLE, &[Right::Audit]).with_key("g u"),
            Self::Members => Entry::new(member_words::TITLE, ADMINISTER),
            Self::ApiKeys => Entry::new(key_words::TITLE, ADMINISTER),
            Self::Webhooks => Entry::new(words::WEBHOOKS, OPERATE).with_key("g w"),
            Self::Settings => Entry::new(settings_words::TITLE, ADMINISTER),
            Self::Account => Entry::new(words::ACCOUNT, READ),
        }
    }

    pub const fn title(self) -> &'static str {
        self.entry().title
    }

    /// Returns the keyboard shortcut that opens the page.
    pub const fn key(self) -> Option<&'static str> {
        self.entry().key
    }

    /// Returns whether the role can open the page.
    pub fn is_permitted(self, role: Role) -> bool {
        self.entry().rights.iter().any(|right| role.has(*right))
    }

    pub fn url(self, tenant: TenantId) -> String {
        match self {
            Self::Overview => url::overview(tenant),
            Self::Inbox => url::inbox(tenant),
            Self::Alerts => url::alerts(tenant),
            Self::Policies => url::policies(tenant),
            Self::Groups => url::groups(tenant),
            Self::Capabilities => url::grants(tenant),
            Self::Forms => url::forms(tenant),
            Self::Try => url::try_page(tenant),
            Self::Decisions => url::decisions(tenant),
            Self::Chains => url::chains(tenant),
            Self::Log => url::LOG.to_owned(),
            Self::SigningKeys => url::TRUST.to_owned(),
            Self::Audit => url::audit(tenant),
            Self::Members => url::members(tenant),
            Self::ApiKeys => url::keys(tenant),
            Self::Webhooks => url::webhooks(tenant),
            Self::Settings => url::settings(tenant),
            Self::Account => url::ACCOUNT.to_owned(),
        }
    }

    /// Returns all pages that the role can open, in the order of the navigation.
    pub fn permitted(role: Role) -> impl Iterator<Item = Self> {
        let grouped = Self::GROUPS.into_iter().flat_map(|(_, pages)| pages.iter().copied());
        let all = std::iter::once(Self::Overview).chain(grouped).chain([Self::Account]);
        all.filter(move |page| page.is_permitted(role))
    }
}
