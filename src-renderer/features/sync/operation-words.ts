import type { ReplicaOperation } from '#shared/contract/instance/replica'
import { isCurrency } from '#shared/domain/currencies'
import { type AnyRecord, findRecord, records } from '#shared/records/index'
import { participant } from '#shared/records/participant'
import type { Money } from '../../ui/values/format'

/** What an operation does, for a sentence: `key` is below `operation` in the `sync` namespace; the other fields are its placeholders. */
export type OperationWords = {
  readonly key: string
  readonly id: number | null
  readonly text: string | null
  readonly money: Money | null
  /** The attributes that an edit changes, by the contract's names; an amount includes its currency. */
  readonly attributes: readonly string[]
}

/** What an operation's words are made from. */
export type Worded = Pick<ReplicaOperation, 'method' | 'path' | 'body' | 'subject' | 'base' | 'mine'>

type Fields = Readonly<Record<string, unknown>>
type Rule = {
  readonly method: 'POST' | 'EDIT' | 'DELETE' | 'PUT'
  readonly path: RegExp
  readonly key: (body: Fields) => string
  /** Words in addition to the key and the id. */
  readonly tells?: 'attributes' | 'text' | 'money' | 'file'
}

const number = '-?\\d+'

/** `to`: the method and the path. */
function rule(to: readonly [Rule['method'], string], key: string | Rule['key'], tells?: Rule['tells']): Rule {
  const [method, path] = to
  return { method, path: new RegExp(`^${path}$`), key: typeof key === 'string' ? () => key : key, tells }
}

/** Creating, editing and deleting the record at a path. */
function stored(path: string, name: string, tells: Rule['tells']): Rule[] {
  const item = `${path}/${number}`
  return (['POST', 'EDIT', 'DELETE'] as const).map((method) =>
    method === 'POST'
      ? rule([method, path], `${name}.new`, tells)
      : rule([method, item], `${name}.${method === 'EDIT' ? 'edit' : 'delete'}`, method === 'EDIT' ? 'attributes' : undefined),
  )
}

/** The records that hang on a record, under its path, in words that name what they hang on. */
function storedUnder({ parents = [], references, wording, segments = [] }: AnyRecord): Rule[] {
  return parents.flatMap((column) => {
    const parent = findRecord(references[column]?.to ?? '')
    if (!wording || !parent?.wording) return []
    const name = parents.length > 1 ? `${wording.key}.${parent.wording.key}` : wording.key
    return stored(`/${parent.table}/${number}/${segments.join()}`, name, wording.tells)
  })
}

function storedAt(record: AnyRecord): Rule[] {
  const { table, segments = [table], wording, parents, isInOrganization } = record
  if (!wording || parents) return wording ? storedUnder(record) : []
  return stored(`${isInOrganization ? `/organizations?/${number}` : ''}/(?:${segments.join('|')})`, wording.key, wording.tells)
}

const rules: readonly Rule[] = [
  rule(['PUT', `/expenses/${number}/status`], ({ status }) => `expense.status.${String(status)}`, 'money'),
  rule(['PUT', `/accountabilit(?:y|ies)/${number}/status`], ({ status }) => `accountability.status.${String(status)}`),
  rule(['EDIT', `/pre_expenses/${number}/ignore`], 'preExpense.ignore'),
  rule(['EDIT', `/pre_expenses/${number}/restore`], 'preExpense.restore'),
  rule(['POST', `/pre_expenses/${number}/convert`], 'preExpense.convert', 'money'),
  ...participant.parents.map((column) => {
    const parent = findRecord(participant.references[column].to)
    return rule(['DELETE', `/${parent?.table}/${number}/participants`], `participant.${parent?.wording?.key}.leave`)
  }),
  ...records.flatMap(storedAt),
  rule(['POST', `/organizations/${number}/distances_rules`], 'distanceRule.new'),
  rule(['EDIT', `/organizations/${number}`], 'organization.edit', 'attributes'),
  rule(['EDIT', '/(?:user/)?preferences'], 'preferences.edit', 'attributes'),
  rule(['POST', '/user_notifications/seen'], 'notifications.see'),
]

const unknown = rule(['POST', ''], 'other')

function isMethod(wanted: Rule['method'], method: string): boolean {
  return wanted === 'EDIT' ? method === 'PATCH' || method === 'PUT' : wanted === 'PUT' ? method !== 'DELETE' : wanted === method
}

function toFields(body: unknown): Fields {
  return typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : {}
}

/** An operation in words, without the language. */
export function wordsOf(operation: Worded): OperationWords {
  const { method, path, base, mine } = operation
  const body = toFields(operation.body)
  const found = rules.find((one) => isMethod(one.method, method) && one.path.test(path)) ?? unknown
  const { tells } = found
  return {
    key: found.key(body),
    id: idOf(operation),
    text: tells === 'text' ? textOf(body) : tells === 'file' ? fileOf(body) : null,
    money: tells === 'money' || tells === 'text' ? moneyOf(body) : null,
    attributes: tells === 'attributes' ? attributesOf(Object.keys(mine).length > 0 ? changedOf(base, mine) : body) : [],
  }
}

/** The id by which a person knows the record: the current id of the first in the path. A new record has none yet. */
function idOf({ path, subject }: Worded): number | null {
  const [, resource, id] = /^\/([a-z_]+)\/(-?\d+)/.exec(path) ?? []
  if (resource === undefined || id === undefined) return null
  const isTag = /^organizations?$/.test(resource)
  if (isTag) return subject?.id ?? null
  return subject?.table === tableOf(resource) ? subject.id : Number(id)
}

const tables = new Map<string, string>(records.flatMap(({ table, segments = [table] }) => segments.map((one) => [one, table])))

function tableOf(resource: string): string {
  return tables.get(resource) ?? resource
}

function textOf(body: Fields): string | null {
  const text = [body.description, body.content, body.title, body.name].find((value) => typeof value === 'string' && value !== '')
  return typeof text === 'string' ? text : null
}

function fileOf({ file }: Fields): string | null {
  const name = typeof file === 'string' ? file.split('?')[0]?.split('/').at(-1) : undefined
  if (name === undefined || name === '') return null
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function moneyOf(body: Fields): Money | null {
  const amount = body.approved_amount ?? body.amount
  const currency = body.approved_amount_currency ?? body.currency
  const isMoney = (typeof amount === 'number' || typeof amount === 'string') && typeof currency === 'string'
  if (!isMoney || !isCurrency(currency) || amount === '' || !Number.isFinite(Number(amount))) return null
  return { amount: Number(amount), currency }
}

/** An attribute that another one already shows. */
const told: Readonly<Record<string, string>> = {
  currency: 'amount',
  approved_amount_currency: 'approved_amount',
  distance_kind: 'distance',
}

/** Attributes that belong together are sent together: the unchanged part was not edited. */
function changedOf(base: Fields, mine: Fields): Fields {
  return Object.fromEntries(
    Object.entries(mine).filter(([name, value]) => JSON.stringify(value ?? null) !== JSON.stringify(base[name] ?? null)),
  )
}

function attributesOf(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => !Object.hasOwn(fields, told[name] ?? ''))
}

/** The screen that shows the operation's record; null if it has no screen, or is no longer here. */
export function addressOf({ path, subject }: Pick<Worded, 'path' | 'subject'>): string | null {
  const [, resource = '', id = ''] = /^\/([a-z_]+)\/(-?\d+)/.exec(path) ?? []
  const own = subject ? findRecord(subject.table)?.screen : undefined
  if (subject && own !== undefined) return `${own}/${subject.id}`
  // A comment or a receipt is shown with its record.
  const screen = findRecord(tableOf(resource))?.screen
  return screen === undefined ? null : `${screen}/${id}`
}
