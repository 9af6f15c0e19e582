import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devolutionListOptions } from '#shared/contract/advancement-devolutions'
import { expenseGroupings, expenseListOptions } from '#shared/contract/expenses'
import { parseFilter, parseSort, predicates } from '#shared/contract/filters'
import type { ListOptions } from '#shared/contract/route'
import { preExpenseListOptions } from '#shared/contract/pre-expenses'
import { settlementListOptions } from '#shared/contract/settlements'
import { tagListOptions } from '#shared/contract/tags'
import { preExpenseStates } from '#shared/domain/pre-expense-state'
import { systemClock } from '#main/clock'
import { listBalancesBetween, listBalancesOfOthers, listOwnBalances } from '#main/store/records/settlements/balance-reader'
import { findCaptureFromFolder, findProcessing, pageOpenCaptures } from '#main/store/records/files/captures'
import { listComments } from '#main/store/records/conversations/comments'
import { Connection } from '#main/store/core/connection'
import { type Connections, closeDatabase, openDatabase } from '#main/store/core/database'
import { listDevolutions } from '#main/store/records/settlements/devolutions'
import { listExpenses, summarizeExpenses } from '#main/store/records/expenses/expense-reader'
import { listChangedHandovers } from '#main/store/records/handovers/handed-over'
import { findRepeats } from '#main/store/records/expenses/repeat-reader'
import { listExpensesOfFile, listUnreadFiles } from '#main/store/records/files/reading-reader'
import { insertMembership, insertOrganization } from '#main/store/records/organizations/organization-writer'
import { insertRecord } from '#main/store/core/record-writer'
import { listJoinableExpenses, listReimbursedExpenses } from '#main/store/records/settlements/reimbursed-expense-reader'
import { listSettlements } from '#main/store/records/settlements/settlements'
import { listPreExpenses } from '#main/store/records/expenses/pre-expenses'
import { Reader, Store } from '#main/store/core/store'
import { listOrganizationRecords } from '#main/store/records/organizations/organization-records'
import { insertUser } from '#main/store/records/users/user-writer'
import { createAdvancement, recordDevolution } from '#main/use-cases/advancements/advancements'
import { createExpense } from '#main/use-cases/expenses/create-expense'
import { foundOrganization } from '#main/use-cases/organizations/organizations'
import { createReimbursement } from '#main/use-cases/reimbursements/reimbursements'
import { placeMigrated } from '#test/support/databases/migrated-file'
import { readReport } from '#test/support/reports/read-report'
import { folderOfFile } from '#test/support/of-file'

let connections: Connections
let reader: Reader
let queries: string[]
let payer_id: number
const users: Record<string, number> = {}

const folder = folderOfFile('outlay-plans-')
beforeAll(async () => {
  await placeMigrated(folder)
  const store = await Store.open(folder, { clock: systemClock, isOwner: true })
  const profile = (name: string) => ({ name, email: null, default_currency: 'BRL', locale: 'en' as const, timezone: 'Etc/UTC' })
  await store.transact({ user_id: 0, origin: 'test', request_id: null, if_match: null }, async (outer) => {
    const { organization, user, tx } = await foundOrganization(outer, { organization: 'Acme', admin: profile('Ada') })
    payer_id = organization.id
    users.admin = user.id
    for (const name of ['member', 'participant', 'both', 'reviewer elsewhere']) users[name] = (await insertUser(tx, profile(name))).id
    await insertMembership(tx, { organization_id: payer_id, user_id: users.member ?? 0, role: 'member' })
    for (const name of ['participant', 'both'])
      await insertMembership(tx, { organization_id: payer_id, user_id: users[name] ?? 0, role: 'member' })
    await insertMembership(tx, { organization_id: payer_id, user_id: users['reviewer elsewhere'] ?? 0, role: 'member' })
    const elsewhere = await insertOrganization(tx, { name: 'Elsewhere' })
    await insertMembership(tx, { organization_id: elsewhere.id, user_id: users['reviewer elsewhere'] ?? 0, role: 'analyst' })
    for (const name of ['member', 'both', 'reviewer elsewhere']) {
      const expense = await createExpense(tx.as({ ...tx.actor, user_id: users[name] ?? 0 }), {
        payer: payer_id,
        amount: 1,
        occurred_at: '2026-01-01T00:00:00Z',
      })
      const money = { payer: payer_id, receiver: users[name] ?? 0, amount: 1, date: '2026-01-01T00:00:00Z' }
      const [advancement, reimbursement] = [await createAdvancement(tx, money), await createReimbursement(tx, money)]
      await recordDevolution(tx, money)
      const nothing = { expense_id: null, advancement_id: null, reimbursement_id: null }
      const parents = [{ expense_id: expense.id }, { advancement_id: advancement.id }, { reimbursement_id: reimbursement.id }]
      for (const user_id of name === 'both' ? [users.participant] : [users.participant, users.both])
        for (const parent of parents)
          await insertRecord(tx, 'participants', {
            values: { user_id: user_id ?? 0, ...nothing, ...parent },
            scope: { organization_id: payer_id },
          })
    }
  })
  await store.close()
  connections = await openDatabase(folder, { isOwner: true })
  const { raw } = connections.reader
  const prepare = raw.prepare.bind(raw)
  raw.prepare = (text: string) => {
    queries.push(text)
    return prepare(text)
  }
})
afterAll(async () => {
  await closeDatabase(connections, { isOwner: true })
})

/** The steps of every query of a table that some work makes. */
async function plansOf(work: () => Promise<unknown>, table = 'expenses'): Promise<string[]> {
  queries = []
  // A connection of its own has prepared nothing yet.
  reader = new Reader(new Connection(connections.reader.raw))
  await work()
  // A list asks whether its table is short, and for its own plan, to know whether it is read apart.
  const ofTable = queries.filter((text) => text.includes(table) && !/^(explain|select 1 from "\w+" limit 1 offset)/.test(text))
  expect(ofTable.length).toBeGreaterThan(0)
  return ofTable.flatMap((text) => {
    const plan = connections.writer.raw.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
    return plan.all(...Array.from({ length: text.split('?').length - 1 }, () => null)).map(({ detail }) => detail)
  })
}

const large = ['expenses', 'activities', 'comments', 'attachments', 'participants', 'reimbursements', 'advancements']
const joining = ['expense_tags', 'reimbursement_tags', 'advancement_tags', 'advancement_devolutions']
const isFullScan = (detail: string) => new RegExp(`^SCAN (${[...large, ...joining].join('|')})\\b`).test(detail)
function expectIndexed(plans: readonly string[], table = 'expenses'): void {
  expect(plans.filter(isFullScan)).toEqual([])
  expect(plans.some((detail) => detail.startsWith(`SEARCH ${table} USING `))).toBe(true)
}

function toQuery(q: Record<string, unknown>, order?: string, options: ListOptions = expenseListOptions) {
  const parsed = parseFilter(options, q)
  const sort = parseSort(options, order)
  if (parsed.kind === 'invalid' || !sort) throw new Error(JSON.stringify(parsed))
  return { filter: parsed.filter, sort, limit: 30, offset: 0 }
}

const samples = { integer: 1, amount: 10, text: 'a', instant: '2026-01-01', flag: true } as const
const filters = Object.entries(expenseListOptions.attributes).flatMap(([name, kind]) =>
  predicates
    .map((predicate) => ({
      [`${name}_${predicate}`]: predicate === 'null' ? true : predicate.endsWith('in') ? [samples[kind]] : samples[kind],
    }))
    .filter((q) => parseFilter(expenseListOptions, q).kind === 'ok'),
)

describe('a reviewer’s list of one organization', () => {
  const plans = (q: Record<string, unknown>, order?: string) =>
    plansOf(() => listExpenses(reader, users.admin ?? 0, toQuery({ payer_id_eq: payer_id, ...q }, order)))
  test.each(filters)('%j', async (q) => expectIndexed(await plans(q)))
  test.each([
    { search_tags: 'a' },
    { has_tag: '1' },
    { has_tag: '0' },
    { search: 'taxi' },
    { flag_conditions: 'a' },
    { flag_policy_ids: 1 },
    { supplier: ['a', ''] },
  ])('%j', async (q) => expectIndexed(await plans(q)))
  test.each(Object.keys(expenseListOptions.attributes).flatMap((name) => [name, `-${name}`]))('by %s', async (order) =>
    expectIndexed(await plans({}, order)),
  )
  test.each([
    {},
    { status_eq: 'approved' },
    { receiver_id_eq: 1 },
    { currency_eq: 'BRL' },
    { kind_eq: 'distance' },
    { liquidate_through_advancement_eq: true },
  ])('by the day they occurred without sorting: %j', async (q) => {
    expect((await plans(q)).filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
  })
  test('of one supplier: from its own index, without sorting', async () => {
    const found = await plans({ supplier: '11222333000181' })
    expect(found.every((detail) => detail.startsWith('SEARCH expenses USING') && detail.includes('INDEX expenses_payer_supplier '))).toBe(
      true,
    )
  })
  const queues = ['clean', 'flagged'].flatMap((queue) => ['-occurred_at', 'occurred_at', '-amount'].map((order) => [queue, order] as const))
  test.each([...queues, ['flagged', '-flag_level,-occurred_at']] as const)(
    'the queue %s by %s: from its own index, without sorting',
    async (queue, order) => {
      const found = await plans({ queue }, order)
      expect(
        found.filter(
          (detail) =>
            detail.includes('TEMP B-TREE') || (detail.startsWith('SEARCH expenses') && !detail.includes(`INDEX expenses_${queue}_`)),
        ),
      ).toEqual([])
    },
  )
  test.each(['occurred_at', '-occurred_at', 'amount', '-amount', 'updated_at', '-approved_amount', 'id'])(
    'by %s without sorting',
    async (order) => expect((await plans({}, order)).filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([]),
  )
  test.each([
    ['', ['2026-01-01T00:00:00Z', 5]],
    ['id', [5]],
    ['occurred_at', ['2026-01-01T00:00:00Z', 5]],
    ['-occurred_at', ['2026-01-01T00:00:00Z', 5]],
    ...['amount', '-amount', '-approved_amount'].map((order): [string, number[]] => [order, [100_000, 5]]),
    ['-approved_amount', [null, 5]],
  ])('the page after a row by %s: from its index, without sorting', async (order, after) => {
    const query = { ...toQuery({ payer_id_eq: payer_id }, order), after }
    const found = await plansOf(() => listExpenses(reader, users.admin ?? 0, query))
    expectIndexed(found)
    expect(found.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
  })
})

describe.each(['admin', 'member', 'participant', 'both', 'reviewer elsewhere'])('all that the %s may see', (name) => {
  test.each([{}, { status_eq: 'approved' }, { occurred_at_gteq: '2026-01-01' }])('%j', async (q) =>
    expectIndexed(await plansOf(() => listExpenses(reader, users[name] ?? 0, toQuery(q)))),
  )
  const { filter } = toQuery(name === 'admin' ? { payer_id_eq: 1 } : {})
  test.each(expenseGroupings)('summed up by %s', async (group_by) =>
    expectIndexed(await plansOf(() => summarizeExpenses(reader, users[name] ?? 0, { filter, group_by }))),
  )
  test.each(['tag', 'receiver', 'times'] as const)('reported by %s', async (by) =>
    expectIndexed(await plansOf(() => readReport(reader, users[name] ?? 0, { by, filter }))),
  )
})

test.each(['status', 'receiver'] as const)('all of an organization are added up by %s from one index, in its order', async (group_by) => {
  const plans = await plansOf(() =>
    summarizeExpenses(reader, users.admin ?? 0, { filter: toQuery({ payer_id_eq: payer_id }).filter, group_by }),
  )
  expect(plans.filter((detail) => detail.includes('expenses'))).toEqual([expect.stringContaining('INDEX expenses_summary')])
})

describe.each(['reimbursement', 'advancement'] as const)('the %ss', (kind) => {
  const table = `${kind}s`
  const plans = (name: string, q: Record<string, unknown>, order?: string) =>
    plansOf(() => {
      const query = { ...toQuery(q, order, settlementListOptions), user_id: users[name] ?? 0 }
      return listSettlements(reader, kind, query)
    }, table)
  test.each(['admin', 'member', 'participant', 'both', 'reviewer elsewhere'])('that the %s may see', async (name) => {
    for (const q of [{}, { payer_id_eq: payer_id }, { receiver_id_eq: 1 }, { amount_gteq: 10 }]) expectIndexed(await plans(name, q), table)
  })
  test.each([{ search_tags: 'a' }, { has_tag: '1' }, { has_tag: '0' }])('%j', async (q) => expectIndexed(await plans('admin', q), table))
  test('newest first without sorting', async () => {
    expect((await plans('admin', {})).filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
  })
})

test('the lists that are oldest first, and a member’s own expenses, come from their indexes, without sorting', async () => {
  const window = { limit: 30, offset: 0 }
  const [tags, rides] = [toQuery({}, undefined, tagListOptions), toQuery({}, undefined, preExpenseListOptions)]
  const lists = [
    ['comments', () => listComments(reader, { kind: 'expense', id: 1 }, { ...window, isNewestFirst: false })],
    ['tags', () => listOrganizationRecords(reader, 'tags', { organization_id: payer_id, user_id: users.admin ?? 0, ...tags })],
    ...preExpenseStates.map((state) => ['pre_expenses', () => listPreExpenses(reader, { user_id: 1, state }, rides)] as const),
    ['expenses', () => listExpenses(reader, users.member ?? 0, toQuery({}))],
  ] as const
  for (const [table, list] of lists) {
    const plans = await plansOf(list, table)
    expectIndexed(plans, table)
    expect(plans.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
    // Pre-expenses in other states are not looked at.
    expect(plans.filter((detail) => detail.endsWith('pre_expenses_receiver (receiver_id=?)'))).toEqual([])
  }
})

test('which handovers have changed is found along indexes', async () => {
  const plans = await plansOf(() => listChangedHandovers(reader, [1, 2]), 'handover_rows')
  expect(
    plans.filter(
      (detail) => /^SCAN (?!handovers |listed|json_each|element|detail|other)/.test(detail) && !detail.includes('VIRTUAL TABLE'),
    ),
  ).toEqual([])
  for (const table of ['handed', 'expenses', 'activities', 'later'])
    expect(plans.some((detail) => detail.startsWith(`SEARCH ${table} USING `))).toBe(true)
})

test('the devolutions that a user may see', async () => {
  for (const name of ['admin', 'member', 'reviewer elsewhere']) {
    const list = () => listDevolutions(reader, users[name] ?? 0, toQuery({}, undefined, devolutionListOptions))
    expectIndexed(await plansOf(list, 'advancement_devolutions'), 'advancement_devolutions')
  }
})

test('balances are added up along their indexes, without sorting the lines', async () => {
  const ways = [
    () => listOwnBalances(reader, users.member ?? 0),
    () => listBalancesOfOthers(reader, { payer_ids: [payer_id], user_id: users.admin ?? 0 }),
    () => listBalancesBetween(reader, { payer_id, receiver_id: users.member ?? 0 }),
  ]
  for (const way of ways) {
    const plans = await plansOf(way)
    for (const [table, index] of [
      ['advancements', 'advancements_balance'],
      ['advancement_devolutions', 'devolutions_balance'],
      ['expenses', 'expenses_balance'],
    ])
      expect(plans.join('\n')).toContain(`SEARCH ${table} USING INDEX ${index} (payer_id=?`)
    // The few sums of the three are put together in one.
    expect(plans.filter((detail) => detail.includes('TEMP B-TREE')).length).toBeLessThanOrEqual(1)
  }
})

test('what a reimbursement could pay, and what it pays, is found by its own index', async () => {
  const joinable = await plansOf(() => listJoinableExpenses(reader, { payer_id, receiver_id: users.member ?? 0, currency: 'BRL' }))
  expect(joinable).toEqual([expect.stringContaining('SEARCH expenses USING INDEX expenses_joinable (payer_id=?')])
  const paid = await plansOf(() => listReimbursedExpenses(reader, [1, 2]))
  expect(paid[0]).toContain('SEARCH expenses USING INDEX expenses_reimbursement_id')
})

test('every foreign key has an index that begins with it', () => {
  const { raw } = connections.writer
  const column = (text: string, name: string): string[] =>
    raw
      .prepare<[], Record<string, string>>(text)
      .all()
      .map((row) => row[name] ?? '')
  const missing = column("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'", 'name').flatMap((table) => {
    const indexed = column(`PRAGMA index_list(${table})`, 'name').map((index) => column(`PRAGMA index_info(${index})`, 'name')[0])
    const keys = column(`SELECT name FROM pragma_table_info('${table}') WHERE pk = 1`, 'name')
    return column(`PRAGMA foreign_key_list(${table})`, 'from')
      .filter((from) => ![...indexed, ...keys].includes(from))
      .map((from) => `${table}.${from}`)
  })
  expect(missing).toEqual([])
})

const scans = (plans: readonly string[]) => plans.filter((detail) => detail.startsWith('SCAN'))
test('captures of one person, and those that wait to be processed', async () => {
  const window = { limit: 30, offset: 0, after: undefined }
  const listed = await plansOf(() => pageOpenCaptures(reader, 1, window), 'captures')
  expect(listed.filter((detail) => /^SCAN|TEMP B-TREE/.test(detail))).toEqual([])
  expect(scans(await plansOf(() => findProcessing(reader, 0), 'captures'))).toEqual([])
  expect(scans(await plansOf(() => findCaptureFromFolder(reader, { user_id: 1, original_sha256: '' }), 'captures'))).toEqual([])
})

test('repeats of an expense, and the files that were not read', async () => {
  const receipts = [{ sha256: 'a', invoice_key: 'key', picture: '0'.repeat(64) }]
  const asked = {
    ...{ id: 1, payer_id: 1, kind: 'monetary' as const, occurred_at: '2026-03-04T00:00:00Z', amount_minor: 1250, currency: 'BRL' },
    ...{ receiver_id: 1, description: null, supplier_name: null, supplier_tax_id: null, receipts },
  } as const
  for (const table of ['expenses', 'attachments', 'picture_bands', 'invoice_keys'])
    for (const side of ['earlier', 'later'] as const)
      expect(scans(await plansOf(() => findRepeats(reader, asked, side), table))).toEqual([])
  expect(scans(await plansOf(() => listExpensesOfFile(reader, 'a'), 'attachments'))).toEqual([])
  const unread = await plansOf(() => listUnreadFiles(reader, { after: '', limit: 10 }), 'invoice_keys')
  expect(unread.filter((detail) => /^SCAN (invoice_keys|picture_hashes|blobs)/.test(detail))).toEqual([])
})
