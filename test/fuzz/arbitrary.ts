import * as fc from 'fast-check'
import { roles } from '#shared/domain/roles'
import type { Json } from '#test/support/instance'

/** Where values come from that a schema alone does not give. */
export interface Sources {
  readonly components: Readonly<Record<string, Json>>
  /** Ids of records of a resource that are there (`expenses`, `users`, `organizations`); null while none is known. */
  readonly idsOf: (resource: string) => fc.Arbitrary<number | null>
  /** Locations of uploaded files. */
  readonly files: fc.Arbitrary<string>
  /** Anything at all may come in the place of what a schema allows. */
  readonly isWild: boolean
}

const names = fc.constantFrom('Taxi', 'Hotel', 'Lunch, 3 people', 'ação', '🧾', 'Viagem')
const wildTexts = fc.oneof(
  fc.constantFrom('', ' ', '0', '-1', '1e9', 'null', "'; drop table expenses; --", '<script>', '%', '\u0000', '\uD800'),
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constant('x'.repeat(12_000)),
)
const instants = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => `${date.toISOString().slice(0, 19)}Z`)
const wildInstants = fc.constantFrom('2023-02-30', '0000-00-00', '+275760-09-13T00:00:00Z', '2026-13-01', '')
const amounts = fc.oneof(
  fc.integer({ min: 1, max: 500 }),
  fc.integer({ min: 1, max: 99_999 }).map((minor) => minor / 100),
)
const wildNumbers = fc.constantFrom(0, -0, -1, 1e-7, 1e21, Number.MAX_SAFE_INTEGER, 9_007_199_254_740_993, 0.1 + 0.2)
const currencies = fc.constantFrom('BRL', 'BRL', 'USD', 'JPY', 'KWD')
const wildCurrencies = fc.constantFrom('XXX', 'brl', 'R$', '')
const statuses = fc.constantFrom(
  ...['awaiting_analysis', 'analyzing', 'analyzed', 'pending', 'approved', 'liquidated', 'rejected', 'noncompliant'],
  ...['opened', 'ready_to_review', 'finished', 'ignored', 'converted'],
)
const anything = fc.jsonValue({ maxDepth: 2 })

/** The resource that an attribute or a place in a path names. */
const resources: Readonly<Record<string, string>> = {
  payer: 'organizations',
  organization: 'organizations',
  receiver: 'users',
  user: 'users',
  responsible_user: 'users',
  restricted_user: 'users',
  mentioned_user: 'users',
}

/** The resource whose ids an attribute such as `payer_id` or `expense_ids` holds. */
export function resourceOf(name: string): string {
  const stem = name.replace(/_ids?$/, '')
  return resources[stem] ?? `${stem.replace(/y$/, 'ie')}s`
}

const or = (isWild: boolean, usual: fc.Arbitrary<unknown>, wild: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  isWild ? fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: wild }) : usual

/** Values for an attribute, by its name where that says more than its schema. */
function byName(name: string, { idsOf, files, isWild }: Sources): fc.Arbitrary<unknown> | undefined {
  if (name === 'payer' || name === 'receiver') return fc.record({ id: idsOf(resourceOf(name)) })
  if (/(^|_)ids$/.test(name)) return fc.uniqueArray(idsOf(resourceOf(name)), { maxLength: 4 }).map((ids) => ids.filter((id) => id !== null))
  if (/_id$/.test(name)) return fc.option(idsOf(resourceOf(name)), { freq: 3 })
  if (/currency$/.test(name)) return or(isWild, currencies, wildCurrencies)
  if (/(^date$|_at$)/.test(name)) return or(isWild, instants, wildInstants)
  if (/(^|_)amount$/.test(name)) return or(isWild, amounts, wildNumbers)
  if (name === 'file') return files
  if (name === 'role') return fc.constantFrom(...roles)
  if (name === 'kind') return fc.constantFrom('monetary', 'monetary', 'monetary', 'distance')
  if (name === 'timezone') return fc.constantFrom('Brasilia', 'UTC', 'America/Sao_Paulo')
  if (name === 'email') return fc.nat(500).map((at) => `person${at}@example.org`)
  if (name === 'url') return fc.constantFrom('https://example.org/hook', 'http://127.0.0.1:1/', 'ftp://x')
  if (name === 'expiration_date') return fc.constantFrom('01/30', '12/29', '13/29')
  if (name === 'number') return fc.constantFrom('4111 1111 1111 1111', '5555555555554444', '378282246310005', '1234')
  return name === 'status' ? statuses : undefined
}

/** Values that fit a JSON Schema. */
export function toArbitrary(schema: Json, sources: Sources, name = ''): fc.Arbitrary<unknown> {
  const usual = byName(name, sources) ?? bySchema(schema, sources, name)
  return sources.isWild ? fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: anything }) : usual
}

function bySchema(schema: Json, sources: Sources, name: string): fc.Arbitrary<unknown> {
  if (schema.$ref) return toArbitrary(sources.components[schema.$ref.split('/').at(-1)], sources, name)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one: Json) => toArbitrary(one, sources, name)))
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type: string) => bySchema({ ...schema, type }, sources, name)))
  return byType(schema, sources)
}

function byType(schema: Json, sources: Sources): fc.Arbitrary<unknown> {
  const { isWild } = sources
  switch (schema.type) {
    case 'object':
      return toRecord(schema, sources)
    case 'array':
      return fc.array(toArbitrary(schema.items ?? {}, sources), { maxLength: 4 })
    case 'string':
      return or(isWild, names, wildTexts)
    case 'integer':
      return or(isWild, fc.integer({ min: Math.max(0, schema.minimum ?? 0), max: 40 }), wildNumbers)
    case 'number':
      return or(isWild, fc.integer({ min: Math.max(schema.minimum ?? 0, 0), max: 60 }), wildNumbers)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return anything
  }
}

/** An object of some of its attributes: the required ones nearly always. */
function toRecord({ properties = {}, required = [] }: Json, sources: Sources): fc.Arbitrary<unknown> {
  const entries = Object.entries<Json>(properties).map(([name, schema]) => {
    const value = toArbitrary(schema, sources, name)
    // Without an amount hardly anything is made.
    if ((required.includes(name) || name === 'amount') && !sources.isWild) return [name, value] as const
    return [name, fc.option(value, { nil: undefined, freq: required.includes(name) ? 20 : 2 })] as const
  })
  return fc.record(Object.fromEntries(entries)).chain((record) => {
    const given = Object.entries(record).filter(([, value]) => value !== undefined)
    if (entries.length < 30) return fc.constant(Object.fromEntries(given))
    // Of a list's filters one or two at a time: all together they would never find anything.
    return fc.subarray(given, { minLength: 0, maxLength: 2 }).map((some) => Object.fromEntries(some))
  })
}
