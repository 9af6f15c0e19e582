import { isAtLeast, type Role } from '#shared/domain/roles'

/**
 * Who may: anyone, without credentials; any user; a role and above in the organization concerned; or a relation to the
 * record. Receiving it, or having written it, lasts forever; holding it (a card, an accountability that one created) or
 * taking part in it counts only for current members of that organization (supplement 3, "Participation").
 */
type Permission = { open: true } | { anyone: true } | { least?: Role; receiver?: true; author?: true; holder?: true; participant?: true }

/**
 * What the caller is to a record: their role in the organization concerned, whether they receive it, wrote it (a comment), hold it
 * (the user of a card, the creator of an accountability), or take part in it.
 */
export type Relation = { role: Role | undefined; is_receiver?: boolean; is_author?: boolean; is_holder?: boolean; is_participant?: boolean }

const seen = { least: 'analyst', receiver: true, participant: true } as const

/**
 * The one table of who may do what. Rules that also depend on the record's state are with its states: `expense-access`,
 * `expense-status`, `accountability-status`; the rules for changing roles are in `roles`. Anyone who may read a followable record reads its
 * comments, participants, mentionables, attachments and activities, and writes comments.
 */
const table = {
  /** That the server is up, what it serves, and whether it has to be set up. Supplement 4. */
  'instance.read': { open: true },
  /** The first organization: for the person who has the code shown to the operator, or sits at the desktop. */
  'instance.set_up': { open: true },
  /** Signing in with a token or a one-time code. Contract 5. */
  'session.create': { open: true },
  /** One's own session, preferences and uploads: nobody reaches anyone else's. Contract 4.16 to 4.18 and 5. */
  'account.manage': { anyone: true },
  /** One's own ways in: API tokens and sessions. Contract 5. */
  'doors.manage': { anyone: true },
  /** One's own captures; no one reaches another user's. `expenses.write` decides whether one may be attached to an expense. */
  'captures.use': { anyone: true },
  /** Languages and timezones. Contract 4.17. */
  'constants.read': { anyone: true },
  /** Each operation of a batch is decided by its own row. Supplement 4. */
  'batch.send': { anyone: true },
  /** A replica gets what its user may see, and each of its operations is decided by its own row. Supplement 4. */
  'sync.use': { anyone: true },
  /** This instance's role as a replica: for its only user; `assertSingleSeat` decides who may give it a remote. Supplement 4. */
  'replica.use': { anyone: true },
  /** Quarantined damage: only for the people who run the instance (`isInCharge`); hidden from others. */
  'recoveries.use': { anyone: true },
  /** Hearing what changes: only of records that the caller may read, and of state that their other rows let them read. */
  'feed.follow': { anyone: true },
  /** What happened to the records that the caller may read. Supplement 2, "Activities". */
  'activities.list': { anyone: true },

  /** The seals of an organization's audit trail, their verification, and the auditor's pack: all that happened there. */
  'audit.read': { least: 'admin' },

  /** Any user creates an organization and becomes its admin. Supplement 2, "Organizations". */
  'organizations.create': { anyone: true },
  /** Every member sees their organization. */
  'organizations.read': { least: 'member' },
  /** The name, logo and settings. Contract 2.13, admin. */
  'organizations.update': { least: 'admin' },
  /** Deleting an organization is for admins only. Contract 2.13. */
  'organizations.delete': { least: 'admin' },
  /** Every member may leave; that the only admin may not is a 422. Contract 4.10. */
  'organizations.leave': { least: 'member' },

  /** Every member may list and show the members. Supplement 3, "Analysts". */
  'members.list': { least: 'member' },
  /** Inviting by e-mail, and seeing to open invitations, within `grantableRoles`. Contract 2.13, analyst. */
  'members.invite': { least: 'analyst' },
  /** Accepting: for anyone who has the secret that was sent to the invited address. */
  'invitations.accept': { open: true },
  /** Changing a role, within `grantableRoles` and `canChangeMember`. Contract 2.13. */
  'members.update': { least: 'analyst' },
  /** Removing a member, within `canChangeMember`. Contract 2.13. */
  'members.remove': { least: 'analyst' },
  /** Erasing the name, addresses and picture of a person who is, or was, a member: for admins of all their organizations. */
  'members.erase': { least: 'admin' },

  /** Every member may list the tags. Supplement 3, "Analysts". */
  'tags.list': { least: 'member' },
  /** Showing one tag, with who it is restricted to. Contract 4.7. */
  'tags.show': { least: 'manager' },
  /** Creating, changing and deleting tags. Contract 4.7. */
  'tags.write': { least: 'manager' },

  /** Every member reads the suppliers by which their receipts are filled. */
  'suppliers.list': { least: 'member' },
  /** Correcting the register by hand; an expense that a member saves teaches it too. */
  'suppliers.write': { least: 'manager' },

  /** Every member reads the policies by which their expenses are judged. */
  'policies.list': { least: 'member' },
  /** Creating, changing and deleting policies. */
  'policies.write': { least: 'manager' },

  /** Every member reads who may approve what, and who stands in for whom. */
  'approval_rules.list': { least: 'member' },
  /** Saying who may approve what. */
  'approval_rules.write': { least: 'admin' },
  'stand_ins.list': { least: 'member' },
  /** Having someone stand in for oneself; for others: `stand_ins.create_for_others`. */
  'stand_ins.write': { least: 'manager' },
  'stand_ins.create_for_others': { least: 'admin' },

  /** Every member reads their own saved views and those that others share with the organization. */
  'saved_views.list': { least: 'member' },
  /** Saving a view of one's own. */
  'saved_views.create': { least: 'member' },
  /** Changing and deleting: one's own, and as a manager those that are shared. Only the author shares one. */
  'saved_views.write': { least: 'manager', author: true },

  /** Every member reads which months are closed, and by whom. */
  'closings.list': { least: 'member' },
  /** Closing a month, and reopening it with a reason. */
  'closings.write': { least: 'admin' },
  /** Every member reads the rates by which their reports convert. */
  'exchange_rates.list': { least: 'member' },
  /** Entering and importing rates. */
  'exchange_rates.write': { least: 'manager' },

  /** Every member needs the rule to record a distance. Contract 4.11. */
  'distance_rules.read': { least: 'member' },
  /** Setting the organization's rule. Contract 4.11: "when the admin has set none". */
  'distance_rules.write': { least: 'admin' },

  /** Reading and writing webhooks, their deliveries and redelivery. Supplement 3, "Analysts". */
  'webhooks.manage': { least: 'manager' },

  /** Recording one's own expense. Contract 2.13, member. */
  'expenses.create': { least: 'member' },
  /** Naming another member as the receiver. Supplement 2, "Expenses". */
  'expenses.create_for_others': { least: 'analyst' },
  /** Importing a file of expenses of other members, which makes those members who are missing: as inviting them. */
  'expenses.import': { least: 'analyst' },
  /** Reading what was handed over to accounting: for those who see all expenses of the organization. */
  'handovers.list': { least: 'analyst' },
  /** The organization's own file formats: for those who review its expenses. */
  'export_profiles.list': { least: 'analyst' },
  'export_profiles.write': { least: 'manager' },
  /** Handing expenses over to accounting. */
  'handovers.write': { least: 'manager' },
  /** Who sees an expense; those who do not get a 404. Supplement 2, "Expenses". */
  'expenses.read': seen,
  /** What was decided of pairs of expenses that may be repeats: for those who see both. */
  'repeat_decisions.list': { least: 'analyst' },
  /** Deciding that two expenses are no repeats, and taking that back. */
  'repeat_decisions.write': { least: 'analyst' },
  /** The lines of cards' statements, and the expenses that belong to them: members see those of their own cards, managers all. */
  'statement_lines.list': { least: 'member' },
  /** Adding lines to one's own card, and saying why one has no expense; to any card for managers. */
  'statement_lines.write': { least: 'member' },
  /** Deleting lines: their holder cannot hide what was charged. */
  'statement_lines.destroy': { least: 'manager' },
  'statement_matches.list': { least: 'member' },
  /** Saying that an expense belongs to a line, and taking that back. */
  'statement_matches.write': { least: 'member' },
  /** Changing and deleting, its attachments too; `decideExpenseEdit` checks the status. Supplement 2, "Expenses". */
  'expenses.write': { least: 'analyst', receiver: true },
  /** The files of an expense as they were captured, those of deleted receipts too. */
  'originals.list': { least: 'admin' },
  /** Some move may be theirs; `decideMove` says which. Supplement 2, "Expense status moves". */
  'expenses.move': { least: 'analyst', receiver: true },

  /** Changing a comment. Supplement 2, "Comments". */
  'comments.update': { author: true },
  /** Deleting a comment. Supplement 2, "Comments". */
  'comments.delete': { least: 'admin', author: true },

  /** Analysts see them too but cannot write them. Supplement 3, "Analysts". */
  'reimbursements.read': seen,
  /** Creating, previewing, changing and deleting. Supplement 2, "Reimbursements". */
  'reimbursements.write': { least: 'manager' },

  /** Analysts see them too but cannot write them. Supplement 3, "Analysts". */
  'advancements.read': seen,
  /** Creating and changing. Supplement 2, "Advancements, devolutions, balances". */
  'advancements.write': { least: 'manager' },
  /** The receiver may also delete an advancement. Contract 4.2. */
  'advancements.destroy': { least: 'manager', receiver: true },
  /** Recording money given back. Supplement 2, "Advancements, devolutions, balances". */
  'devolutions.write': { least: 'manager' },

  /** The balance of one user in one organization and currency. Contract 4.4. */
  'balances.read': { least: 'analyst', receiver: true },
  /** The list of all balances in an organization. Contract 4.4. */
  'balances.list_organization': { least: 'manager' },

  /** A member may put together an accountability. Contract 3.2. */
  'accountabilities.create': { least: 'member' },
  /** Naming another member as the receiver, as for expenses. Supplement 2, "Accountabilities". */
  'accountabilities.create_for_others': { least: 'analyst' },
  /** The creator, the receiver and those who review. */
  'accountabilities.read': { least: 'analyst', receiver: true, holder: true },
  /** Anyone who sees it may update it (contract 4.5); its expenses by `canChangeExpenses`. */
  'accountabilities.write': { least: 'analyst', receiver: true, holder: true },
  /** Some move may be theirs; `decideAccountabilityMove` says which. Supplement 2, "Accountabilities". */
  'accountabilities.move': { least: 'analyst', receiver: true, holder: true },
  /** Deleting an accountability. Contract 4.5. */
  'accountabilities.destroy': { least: 'manager' },

  /** A card is seen by the user it belongs to and by those who manage the organization's money. Contract 4.6. */
  'corporative_cards.read': { least: 'manager', holder: true },
  /** One must belong to an organization to create a card in it. Contract 4.6. */
  'corporative_cards.create': { least: 'member' },
  /** Naming another member as the card's user. */
  'corporative_cards.create_for_others': { least: 'manager' },
  /** Changing a card. Contract 4.6. */
  'corporative_cards.write': { least: 'manager', holder: true },
  /** Deleting a card; one with expenses attached is a 422. Contract 4.6. */
  'corporative_cards.destroy': { least: 'manager', holder: true },

  /** Any user may have pre-expenses; they belong to a user, not yet to an organization. Contract 2.14. */
  'pre_expenses.create': { anyone: true },
  /** Naming a receiver with whom the caller shares an organization, as for expenses. Supplement 2, "Pre-expenses". */
  'pre_expenses.create_for_others': { least: 'analyst' },
  /** A pre-expense is its receiver's alone until it is converted. Contract 1. */
  'pre_expenses.read': { receiver: true },
  /** Ignoring, restoring, converting and deleting. Contract 4.15. */
  'pre_expenses.write': { receiver: true },
} as const satisfies Record<string, Permission>

/** The name of something a caller may or may not do: `<resource>.<what>`. */
export type Action = keyof typeof table

/** Who may do what, for every action of the contract and its supplement; `may` reads it. */
export const permissions: Readonly<Record<Action, Permission>> = table

/** Whether no credentials are asked for. */
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
