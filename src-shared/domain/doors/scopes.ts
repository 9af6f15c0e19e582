import type { Action } from '../permissions'

/**
 * What an API token allows, within its user's permissions: read; write the user's own records; review others' claims; pay and record money;
 * administer the organization and the user's own credentials. Each scope includes reading; none includes another.
 */
export const scopes = ['read', 'write', 'review', 'pay', 'admin'] as const
/** One of the scopes of API tokens. */
export type Scope = (typeof scopes)[number]

/** The scopes of a token; null: everything that its user may do. */
export type Scopes = readonly Scope[] | null

/**
 * The scope of an action. `change`: for requests other than reads; `read`: for reads, if it is not `read`. `others`: to change a record that only the
 * caller's role lets them change, or to name someone else in a new one.
 */
type Need = Scope | { readonly change: Scope; readonly read?: Scope; readonly others?: Scope }

const own = { change: 'write', others: 'review' } as const
const ownMoney = { change: 'write', others: 'pay' } as const
const ofAdmins = { change: 'admin', read: 'admin' } as const

/** An action whose scope follows from its name, unless listed below: `read` for lists, `admin` for writing. */
type Usual = Extract<Action, `${string}.list` | `${string}.write`>

/** The scope of every other action. A missing one does not compile, so every route has a scope. */
const needs: Readonly<Record<Exclude<Action, Usual>, Need> & Partial<Record<Usual, Need>>> = {
  'instance.read': 'read',
  'instance.set_up': 'admin',
  'session.create': 'read',
  'account.manage': 'write',
  'doors.manage': 'admin',
  'captures.use': 'write',
  'constants.read': 'read',
  // Each of its operations needs its own scope.
  'batch.send': 'read',
  // Each of its operations needs its own scope; a file that nothing names yet belongs to nobody.
  'sync.use': 'read',
  'replica.use': 'admin',
  'recoveries.use': ofAdmins,
  'feed.follow': 'read',
  'audit.read': ofAdmins,
  'organizations.create': 'admin',
  'organizations.read': 'read',
  'organizations.update': 'admin',
  'organizations.delete': 'admin',
  'organizations.leave': 'admin',
  'members.invite': 'admin',
  'invitations.accept': 'read',
  'members.update': 'admin',
  'members.remove': 'admin',
  'members.erase': 'admin',
  'tags.show': 'read',
  'stand_ins.create_for_others': 'admin',
  'saved_views.create': 'write',
  'saved_views.write': { change: 'write', others: 'admin' },
  'distance_rules.read': 'read',
  'webhooks.manage': ofAdmins,
  'expenses.create': own,
  'expenses.create_for_others': 'review',
  // It adds missing members.
  'expenses.import': 'admin',
  'handovers.write': 'pay',
  'expenses.read': 'write',
  'repeat_decisions.write': 'review',
  'statement_lines.write': 'write',
  'statement_lines.destroy': 'review',
  'statement_lines.ask': 'review',
  'statement_matches.write': 'write',
  'expenses.write': own,
  'expenses.move': own,
  'comments.update': 'write',
  'comments.delete': { change: 'write', others: 'admin' },
  'reimbursements.read': 'write',
  'reimbursements.write': 'pay',
  'advancements.read': 'write',
  'advancements.write': 'pay',
  'advancements.destroy': ownMoney,
  'devolutions.write': 'pay',
  'balances.read': 'read',
  'balances.list_organization': 'read',
  'accountabilities.create': own,
  'accountabilities.create_for_others': 'review',
  'accountabilities.read': 'read',
  'accountabilities.write': own,
  'accountabilities.move': own,
  'accountabilities.destroy': 'review',
  'corporative_cards.read': 'read',
  'corporative_cards.create': { change: 'write', others: 'admin' },
  'corporative_cards.create_for_others': 'admin',
  'corporative_cards.write': { change: 'write', others: 'admin' },
  'corporative_cards.destroy': { change: 'write', others: 'admin' },
  'pre_expenses.create': own,
  'pre_expenses.create_for_others': 'review',
  'pre_expenses.read': 'read',
  'pre_expenses.write': 'write',
}

/** Routes whose method does not reflect what they do. */
const exceptions: Readonly<Record<string, Scope>> = {
  // Files of what the caller may read, and responses about the body's content.
  'exports.create': 'read',
  'exports.destroy': 'read',
  'exports.preview': 'read',
  'exports.count': 'read',
  'invoice_checks.create': 'read',
  'statements.preview': 'read',
  'session.destroy': 'read',
  // Credentials for sending a file.
  'uploads.new': 'write',
  'sync.blobs.upload': 'write',
}

/** The scopes of moves that the claimant does not make, by target status. */
const moves: Readonly<Record<string, Scope>> = {
  analyzing: 'review',
  analyzed: 'review',
  approved: 'review',
  rejected: 'review',
  noncompliant: 'review',
  pending: 'review',
  liquidated: 'pay',
  finished: 'pay',
}

/** The parts of a route that decide its scope. */
export interface ScopedRoute {
  readonly name: string
  readonly method: string
  readonly action: Action
}

function needOf(action: Action): Need {
  const known: Partial<Record<Action, Need>> = needs
  return known[action] ?? (action.endsWith('.list') ? 'read' : 'admin')
}

/** The scope of a request, by its route, and for a move by its target status. */
export function neededScope({ name, method, action }: ScopedRoute, body?: unknown): Scope {
  const exception = exceptions[name]
  if (exception) return exception
  const need = needOf(action)
  const { change, read = 'read' } = typeof need === 'string' ? { change: need } : need
  if (method === 'GET') return read
  return (action.endsWith('.move') ? moves[statusOf(body)] : undefined) ?? change
}

/** The scope for changes that only the caller's role permits; undefined if `neededScope` suffices. */
export function scopeForOthers({ method, action }: ScopedRoute): Scope | undefined {
  const need = needOf(action)
  return method === 'GET' || typeof need === 'string' ? undefined : need.others
}

/** Whether a token with these scopes has this one. */
export function hasScope(held: Scopes, needed: Scope): boolean {
  return held === null || needed === 'read' || held.includes(needed)
}

/** Parses stored scopes: names separated by spaces. Unknown names are ignored. */
export function parseScopes(text: string | null): Scopes {
  if (text === null) return null
  const named = text.split(' ')
  return scopes.filter((scope) => named.includes(scope))
}

function statusOf(body: unknown): string {
  const { status }: { status?: unknown } = typeof body === 'object' && body !== null ? body : {}
  return typeof status === 'string' ? status : ''
}
