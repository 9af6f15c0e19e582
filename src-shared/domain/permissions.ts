import { isAtLeast, type Role } from '#shared/domain/roles'

/**
 * Who may: anyone, without credentials; any user; a role and above in the organization concerned; or a relation to the record. Receiving or having
 * written it counts forever; holding it (a card, an accountability that one created) or taking part in it counts only for current members of that
 * organization (supplement 3, "Participation").
 */
type Permission = { open: true } | { anyone: true } | { least?: Role; receiver?: true; author?: true; holder?: true; participant?: true }

/**
 * The caller's relation to a record: their role in the organization concerned, and whether they receive it, wrote it (a comment), hold it (the user
 * of a card, the creator of an accountability), or take part in it.
 */
export type Relation = { role: Role | undefined; is_receiver?: boolean; is_author?: boolean; is_holder?: boolean; is_participant?: boolean }

const seen = { least: 'analyst', receiver: true, participant: true } as const

/**
 * The one table of permissions. Rules that also depend on a record's status are with the statuses: `expense-access`, `expense-status`,
 * `accountability-status`; the rules for changing roles are in `roles`. Anyone who may read a followable record may read its comments, participants,
 * mentionables, attachments and activities, and comment on it.
 */
const table = {
  /** The server's health, its API, and whether it needs setup. Supplement 4. */
  'instance.read': { open: true },
  /** Creating the first organization: for the person with the operator's code, or at the desktop. */
  'instance.set_up': { open: true },
  /** Signing in with a token or a one-time code. Contract 5. */
  'session.create': { open: true },
  /** One's own session, preferences and uploads, never another user's. Contract 4.16 to 4.18 and 5. */
  'account.manage': { anyone: true },
  /** One's own credentials: API tokens and sessions. Contract 5. */
  'doors.manage': { anyone: true },
  /** One's own captures, never another user's. `expenses.write` decides whether one may be attached to an expense. */
  'captures.use': { anyone: true },
  /** Languages and timezones. Contract 4.17. */
  'constants.read': { anyone: true },
  /** Sending a batch: each operation has its own permission. Supplement 4. */
  'batch.send': { anyone: true },
  /** A replica gets what its user may see, and each operation has its own permission. Supplement 4. */
  'sync.use': { anyone: true },
  /** Using this instance as a replica: for its only user; `assertSingleSeat` decides who may set a remote. Supplement 4. */
  'replica.use': { anyone: true },
  /** Quarantined damage: only for the people who run the instance (`isInCharge`); hidden from others. */
  'recoveries.use': { anyone: true },
  /** Receiving changes: only of records and state that the caller may read. */
  'feed.follow': { anyone: true },
  /** The activities of records that the caller may read. Supplement 2, "Activities". */
  'activities.list': { anyone: true },

  /** The seals of an organization's audit trail, their verification, and the auditor's pack, which covers everything there. */
  'audit.read': { least: 'admin' },

  /** Creating an organization: any user, who becomes its admin. Supplement 2, "Organizations". */
  'organizations.create': { anyone: true },
  /** Reading one's organization: every member. */
  'organizations.read': { least: 'member' },
  /** Changing name, logo and settings. Contract 2.13, admin. */
  'organizations.update': { least: 'admin' },
  /** Deleting an organization: only admins. Contract 2.13. */
  'organizations.delete': { least: 'admin' },
  /** Leaving: every member; the only admin gets a 422. Contract 4.10. */
  'organizations.leave': { least: 'member' },

  /** Listing and showing members: every member. Supplement 3, "Analysts". */
  'members.list': { least: 'member' },
  /** Inviting by e-mail, and managing open invitations, within `grantableRoles`. Contract 2.13, analyst. */
  'members.invite': { least: 'analyst' },
  /** Accepting an invitation: anyone with the secret that was sent to the invited address. */
  'invitations.accept': { open: true },
  /** Changing a role, within `grantableRoles` and `canChangeMember`. Contract 2.13. */
  'members.update': { least: 'analyst' },
  /** Removing a member, within `canChangeMember`. Contract 2.13. */
  'members.remove': { least: 'analyst' },
  /** Erasing the name, addresses and picture of a current or former member: for admins of all their organizations. */
  'members.erase': { least: 'admin' },

  /** Listing tags: every member. Supplement 3, "Analysts". */
  'tags.list': { least: 'member' },
  /** Showing a tag with its restrictions. Contract 4.7. */
  'tags.show': { least: 'manager' },
  /** Creating, changing and deleting tags. Contract 4.7. */
  'tags.write': { least: 'manager' },

  /** Reading suppliers, which fill in receipts: every member. */
  'suppliers.list': { least: 'member' },
  /** Correcting the register by hand; saving an expense updates it, too. */
  'suppliers.write': { least: 'manager' },

  /** Reading the policies for one's expenses: every member. */
  'policies.list': { least: 'member' },
  /** Creating, changing and deleting policies. */
  'policies.write': { least: 'manager' },

  /** Reading approval rules and stand-ins: every member. */
  'approval_rules.list': { least: 'member' },
  /** Setting who may approve what. */
  'approval_rules.write': { least: 'admin' },
  'stand_ins.list': { least: 'member' },
  /** Choosing one's own stand-in; for others: `stand_ins.create_for_others`. */
  'stand_ins.write': { least: 'manager' },
  'stand_ins.create_for_others': { least: 'admin' },

  /** Reading saved views, one's own and shared ones: every member. */
  'saved_views.list': { least: 'member' },
  /** Saving a view. */
  'saved_views.create': { least: 'member' },
  /** Changing and deleting one's own views, and as a manager shared ones. Only the author shares a view. */
  'saved_views.write': { least: 'manager', author: true },

  /** Reading which months are closed, and by whom: every member. */
  'closings.list': { least: 'member' },
  /** Closing a month, and reopening it with a reason. */
  'closings.write': { least: 'admin' },
  /** Reading the rates with which reports convert: every member. */
  'exchange_rates.list': { least: 'member' },
  /** Entering and importing rates. */
  'exchange_rates.write': { least: 'manager' },

  /** Reading the distance rule, which every member needs to record a distance. Contract 4.11. */
  'distance_rules.read': { least: 'member' },
  /** Setting the organization's rule. Contract 4.11: "when the admin has set none". */
  'distance_rules.write': { least: 'admin' },

  /** Reading and writing webhooks, their deliveries and redelivery. Supplement 3, "Analysts". */
  'webhooks.manage': { least: 'manager' },

  /** Creating one's own expense. Contract 2.13, member. */
  'expenses.create': { least: 'member' },
  /** Naming another member as the receiver. Supplement 2, "Expenses". */
  'expenses.create_for_others': { least: 'analyst' },
  /** Importing expenses of other members, which adds missing members, like an invitation. */
  'expenses.import': { least: 'analyst' },
  /** Reading handovers to accounting: for those who see all expenses of the organization. */
  'handovers.list': { least: 'analyst' },
  /** Reading the organization's file formats: for reviewers. */
  'export_profiles.list': { least: 'analyst' },
  'export_profiles.write': { least: 'manager' },
  /** Handing expenses over to accounting. */
  'handovers.write': { least: 'manager' },
  /** Seeing an expense; others get a 404. Supplement 2, "Expenses". */
  'expenses.read': seen,
  /** Reading decisions about possible repeats: for those who see both expenses. */
  'repeat_decisions.list': { least: 'analyst' },
  /** Deciding that two expenses are not repeats, and undoing that. */
  'repeat_decisions.write': { least: 'analyst' },
  /** Card statements' lines, and their expenses: members see those of their own cards, managers all. */
  'statement_lines.list': { least: 'member' },
  /** Adding lines to one's own card, and giving reasons for missing expenses; managers for any card. */
  'statement_lines.write': { least: 'member' },
  /** Deleting lines: not for the card's holder, who could hide a charge. */
  'statement_lines.destroy': { least: 'manager' },
  /** Asking holders of cards for receipts: those who see all cards. */
  'statement_lines.ask': { least: 'manager' },
  'statement_matches.list': { least: 'member' },
  /** Matching an expense with a line, and undoing that. */
  'statement_matches.write': { least: 'member' },
  /** Changing and deleting an expense and its attachments; `decideExpenseEdit` checks the status. Supplement 2, "Expenses". */
  'expenses.write': { least: 'analyst', receiver: true },
  /** The original files of an expense, including those of deleted receipts. */
  'originals.list': { least: 'admin' },
  /** Moving an expense, where `decideMove` allows it. Supplement 2, "Expense status moves". */
  'expenses.move': { least: 'analyst', receiver: true },

  /** Changing a comment. Supplement 2, "Comments". */
  'comments.update': { author: true },
  /** Deleting a comment. Supplement 2, "Comments". */
  'comments.delete': { least: 'admin', author: true },

  /** Analysts read them but cannot write them. Supplement 3, "Analysts". */
  'reimbursements.read': seen,
  /** Creating, previewing, changing and deleting. Supplement 2, "Reimbursements". */
  'reimbursements.write': { least: 'manager' },

  /** Analysts read them but cannot write them. Supplement 3, "Analysts". */
  'advancements.read': seen,
  /** Creating and changing. Supplement 2, "Advancements, devolutions, balances". */
  'advancements.write': { least: 'manager' },
  /** The receiver may also delete an advancement. Contract 4.2. */
  'advancements.destroy': { least: 'manager', receiver: true },
  /** Recording a devolution. Supplement 2, "Advancements, devolutions, balances". */
  'devolutions.write': { least: 'manager' },

  /** The balance of one user in one organization and currency. Contract 4.4. */
  'balances.read': { least: 'analyst', receiver: true },
  /** The list of all balances in an organization. Contract 4.4. */
  'balances.list_organization': { least: 'manager' },

  /** Creating an accountability: every member. Contract 3.2. */
  'accountabilities.create': { least: 'member' },
  /** Naming another member as the receiver, as for expenses. Supplement 2, "Accountabilities". */
  'accountabilities.create_for_others': { least: 'analyst' },
  /** Reading an accountability: its creator, its receiver and reviewers. */
  'accountabilities.read': { least: 'analyst', receiver: true, holder: true },
  /** Updating: anyone who sees it (contract 4.5); its expenses by `canChangeExpenses`. */
  'accountabilities.write': { least: 'analyst', receiver: true, holder: true },
  /** Moving an accountability, where `decideAccountabilityMove` allows it. Supplement 2, "Accountabilities". */
  'accountabilities.move': { least: 'analyst', receiver: true, holder: true },
  /** Deleting an accountability. Contract 4.5. */
  'accountabilities.destroy': { least: 'manager' },

  /** Reading a card: its user, and those who manage the organization's money. Contract 4.6. */
  'corporative_cards.read': { least: 'manager', holder: true },
  /** Creating a card: members of its organization. Contract 4.6. */
  'corporative_cards.create': { least: 'member' },
  /** Naming another member as the card's user. */
  'corporative_cards.create_for_others': { least: 'manager' },
  /** Changing a card. Contract 4.6. */
  'corporative_cards.write': { least: 'manager', holder: true },
  /** Deleting a card; one with expenses attached is a 422. Contract 4.6. */
  'corporative_cards.destroy': { least: 'manager', holder: true },

  /** Creating a pre-expense: any user; it belongs to a user and not yet to an organization. Contract 2.14. */
  'pre_expenses.create': { anyone: true },
  /** Naming a receiver with whom the caller shares an organization, as for expenses. Supplement 2, "Pre-expenses". */
  'pre_expenses.create_for_others': { least: 'analyst' },
  /** Reading a pre-expense: only its receiver, until it is converted. Contract 1. */
  'pre_expenses.read': { receiver: true },
  /** Ignoring, restoring, converting and deleting. Contract 4.15. */
  'pre_expenses.write': { receiver: true },
} as const satisfies Record<string, Permission>

/** The name of an action: `<resource>.<what>`. */
export type Action = keyof typeof table

/** The permission of every action of the contract and its supplement; `may` checks it. */
export const permissions: Readonly<Record<Action, Permission>> = table

/** Whether an action needs no credentials. */
export function isOpen(action: Action): boolean {
  return 'open' in permissions[action]
}

/** Whether a caller with this relation to the record (or, for lists and creations, to its organization) may do the action. */
export function may(action: Action, relation: Relation): boolean {
  const permission = permissions[action]
  if ('open' in permission || 'anyone' in permission) return true
  const isMember = relation.role !== undefined
  return (
    (permission.least !== undefined && isAtLeast(relation.role, permission.least)) ||
    (permission.receiver === true && relation.is_receiver === true) ||
    (permission.author === true && relation.is_author === true) ||
    (isMember && permission.holder === true && relation.is_holder === true) ||
    (isMember && permission.participant === true && relation.is_participant === true)
  )
}
