import { reviewQueues } from '#shared/domain/review-queues'
import Database from 'better-sqlite3'
import { AsyncLocalStorage } from 'node:async_hooks'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parseFilter, predicates } from '#shared/contract/filters'
import type { AttributeKind, ListOptions, Route } from '#shared/contract/route'
import { endpoints } from '#main/http/endpoints'
import { inForm } from '#test/support/form'
import { pathFor } from '#test/support/permissions/call'
import { fixtureOf } from '#test/support/permissions/fixtures'
import { placeOf } from '#test/support/permissions/places'
import { type Caller, type World, makeWorld } from '#test/support/permissions/world'

let world: World
/** Every query that requests to read have prepared since the last look, on this thread. */
let prepared: string[] = []
/** Tells what a request reads from what jobs read meanwhile. */
const reading = new AsyncLocalStorage<boolean>()

/** A short table may be read whole, so each gets more rows than that, all of them deleted. */
const rowsATable = 600

beforeAll(async () => {
  world = await makeWorld()
  const raw = new Database(join(world.instance.folder, 'outlay.db'))
  raw.pragma('foreign_keys = OFF')
  raw.pragma('ignore_check_constraints = ON')
  for (const table of await tablesOfLists()) fill(raw, table)
  raw.close()
  world.instance.app.server.server.prependListener('request', ({ method }) => reading.enterWith(method === 'GET'))
  const prepare = Reflect.get(Database.prototype, 'prepare')
  vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, text: string) {
    if (reading.getStore() === true) prepared.push(text)
    return Reflect.apply(prepare, this, [text])
  })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await world.instance.remove()
})

const lists = endpoints.flatMap(({ route }) => (route.list === undefined ? [] : [{ route, options: route.list }]))

/** The tables of records: those that hold identities. */
async function tablesOfLists(): Promise<string[]> {
  const { db } = world.instance.app.store.reader
  const tables = (await db.introspection.getTables()).filter(({ columns }) => columns.some(({ name }) => name === 'uid'))
  return tables.map(({ name }) => name)
}

/** Fills a table with rows that nobody sees. */
function fill(raw: Database.Database, table: string): void {
  const columns = raw
    .prepare<[], { name: string; type: string; notnull: number; dflt_value: string | null }>(`SELECT * FROM pragma_table_info('${table}')`)
    .all()
  const valueOf = (name: string, type: string) => {
    if (name === 'id') return '1000000 + n'
    if (name.endsWith('_at')) return `'2020-01-01T00:00:00Z'`
    return type === 'TEXT' ? `'row ' || n` : type === 'BLOB' ? `x'00'` : '1000000 + n'
  }
  const filled = columns.filter(
    ({ name, notnull, dflt_value }) => (notnull === 1 && dflt_value === null) || name === 'deleted_at' || name === 'id',
  )
  const values = filled.map(({ name, type }) => valueOf(name, type))
  raw.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rowsATable})
    INSERT INTO ${table} (${filled.map(({ name }) => name).join()}) SELECT ${values.join()} FROM numbers`)
}

/** Predicates whose queries differ by an operator alone: in the short form the first of each stands for the others. */
const alike = [
  ['eq', 'in'],
  ['not_in', 'not_eq'],
  ['lteq', 'lt', 'gteq', 'gt'],
] as const
const asked = predicates.filter((predicate) => inForm(!alike.some(([, ...others]) => others.some((other) => other === predicate)), true))

const samples: Readonly<Record<AttributeKind, string>> = { integer: '1', amount: '10', text: 'a', instant: '2026-01-01', flag: '1' }

/** Every filter and every order of a list, as query strings. */
function questionsOf({ attributes, tagged, searchable, flagged, sortable, ...options }: ListOptions): string[] {
  const filters = Object.entries(attributes).flatMap(([name, kind]) =>
    asked.flatMap((predicate) => {
      const [q, value] = [`${name}_${predicate}`, predicate === 'null' ? '1' : samples[kind]]
      const isList = predicate === 'in' || predicate === 'not_in'
      const isKnown = parseFilter({ attributes, ...options }, { [q]: isList ? [value] : value }).kind === 'ok'
      return isKnown ? [`q[${q}]${isList ? '[]' : ''}=${value}`] : []
    }),
  )
  const tags = tagged ? ['q[search_tags]=a', 'q[has_tag]=1', 'q[has_tag]=0'] : []
  const sorts = Object.keys({ ...attributes, ...sortable }).flatMap((name) => [`sort=${name}`, `sort=-${name}`])
  const found = flagged ? reviewQueues.flatMap((queue) => [`q[queue]=${queue}`, `q[queue]=${queue}&sort=-flag_level,-occurred_at`]) : []
  const flags = flagged ? ['q[flag_conditions]=amount_over', 'q[flag_policy_ids]=1', 'q[responsible_is_me]=1'] : []
  return ['', ...filters, ...tags, ...found, ...flags, ...(searchable ? ['q[search]=taxi'] : []), ...sorts, 'page=300&per_page=100']
}

/** What is read to know whether a table is short. */
const shortness = /^select 1 from "\w+" limit 1 offset/

/** How each query is carried out. Most requests ask who their caller is, in the same words. */
const plans = new Map<string, readonly string[]>()

function planOf(text: string): readonly string[] {
  const values = () => Array.from({ length: text.split('?').length - 1 }, () => null)
  const plan = plans.get(text) ?? world.instance.app.store.explain(text, values())
  plans.set(text, plan)
  return plan
}

/** What a query that this thread reads does beyond following an index. */
function findUnserved(text: string, question: string): string[] {
  const plan = planOf(text)
  // What a page shows of its rows is read by their ids: what is sorted then is a page's.
  const isList = / limit |count\(|sum\(/.test(text)
  const unserved = /^SCAN (?!CONSTANT|\()|^SEARCH \w+ USING [^(]*\((?![^)]*=\?)/
  const steps = plan.filter((step) => unserved.test(step) || (isList && step.includes('TEMP B-TREE')))
  const [, attribute] = /^q\[(\w+?)_(?:not_eq|eq|not_in|in|lteq|lt|gteq|gt|cont|start|null)\]/.exec(question) ?? []
  const column = attribute && new RegExp(`"\\w+"\\."(${attribute}(?:_scaled)?)"\\)? (?:[=<>]|in |is |not |like )`).exec(text)?.[1]
  const terms = plan.join().replace('rowid', 'id')
  const isLeft = column !== undefined && column !== '' && !new RegExp(`\\b${column}[=<>]`).test(terms)
  return [...steps, ...(isLeft ? [`${column} is looked at row by row`] : [])]
}

async function ask(route: Route, caller: Caller, question: string): Promise<string[]> {
  const fixture = fixtureOf(route)
  const made = await madeFor(route, caller)
  prepared = []
  const path = [pathFor(route, made), [fixture.query?.(made), question].filter(Boolean).join('&')].filter(Boolean).join('?')
  const { status, body } = await caller.api.get(path)
  const queries = [...new Set(prepared)].filter((text) => /^\s*(select|with)/i.test(text) && !shortness.test(text))
  const unserved = queries.flatMap((text) => findUnserved(text, question).map((step) => `${step}: ${text}`))
  return [...(status === 200 || status === 403 ? [] : [`${status} ${JSON.stringify(body)}`]), ...unserved].map(
    (wrong) => `${path} ${wrong}`,
  )
}

const records = new Map<string, ReturnType<ReturnType<typeof fixtureOf>['on']['make']>>()
function madeFor(route: Route, caller: Caller) {
  const { on } = fixtureOf(route)
  const situation = on.situations.includes("the caller's own") ? "the caller's own" : on.situations[0]
  const key = `${route.name} ${caller.name}`
  const made = records.get(key) ?? on.make(world, placeOf(world, { situation: situation ?? 'at home', caller }))
  records.set(key, made)
  return made
}

describe.each(['admin', 'member'] as const)('what the responding thread reads for an %s', (name) => {
  test.each(lists.map(({ route, options }) => [route.name, route, options] as const))('%s', async (_name, route, options) => {
    const caller = world.people[name]
    const wrong: string[] = []
    for (const question of questionsOf(options)) wrong.push(...(await ask(route, caller, question)))
    expect(wrong).toEqual([])
  })
})
