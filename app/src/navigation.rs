//! The pages of the navigation with the roles that can open them. Navigation, search and the command palette
//! use this list.

use page_kit::prelude::*;

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
        ("Work", &[Self::Inbox, Self::Alerts]),
        ("Policies", &[Self::Policies, Self::Groups, Self::Capabilities, Self::Forms, Self::Try]),
        ("Decisions", &[Self::Decisions, Self::Chains]),
        ("Trust", &[Self::Log, Self::SigningKeys, Self::Audit]),
        ("Organization", &[Self::Members, Self::ApiKeys, Self::Webhooks, Self::Settings]),
    ];

    /// The most used pages, for the bar at the bottom of narrow pages.
    pub const TABS: [Self; 4] = [Self::Inbox, Self::Alerts, Self::Decisions, Self::Policies];

    const fn entry(self) -> Entry {
        const READ: &[Right] = &[Right::Read];
        const OPERATE: &[Right] = &[Right::Operate];
        const ADMINISTER: &[Right] = &[Right::Administer];
        match self {
            Self::Overview => Entry::new("Overview", READ),
            Self::Inbox => Entry::new("Inbox", OPERATE).with_key("g i"),
            Self::Alerts => Entry::new("Alerts", READ).with_key("g a"),
            Self::Policies => Entry::new("Policies", READ).with_key("g p"),
            Self::Groups => Entry::new("Groups", READ),
            Self::Capabilities => Entry::new("Capabilities", &[Right::Author, Right::Audit]),
            Self::Forms => Entry::new("Forms", READ).with_key("g f"),
            Self::Try => Entry::new("Try a decision", OPERATE),
            Self::Decisions => Entry::new("Decisions", READ).with_key("g d"),
            Self::Chains => Entry::new("Chains", READ),
            Self::Log => Entry::new("Transparency log", READ),
            Self::SigningKeys => Entry::new("Signing keys", READ),
            Self::Audit => Entry::new("Audit log", &[Right::Audit]).with_key("g u"),
            Self::Members => Entry::new("Members", ADMINISTER),
            Self::ApiKeys => Entry::new("API keys", ADMINISTER),
            Self::Webhooks => Entry::new("Webhooks", OPERATE).with_key("g w"),
            Self::Settings => Entry::new("Settings", ADMINISTER),
            Self::Account => Entry::new("Your account", READ),
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
