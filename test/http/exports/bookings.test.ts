import { spawnSync } from 'node:child_process'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ChangedRow, Handover } from '#shared/contract/instance/handovers'
import { insertHandover } from '#main/store/records/handovers/handovers'
import type { ExportFormat } from '#shared/domain/exports/export-formats'
import { recordApproved } from '#test/support/accountabilities'
import { type Booked, bookedReaders, sumBooked } from '#test/http/exports/booked-files'
import { registerCard } from '#test/support/cards'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { exportAs } from '#test/support/exports'
import { type Instance, type Json, startInstance } from '#test/support/instance'
import { folderOfFile } from '#test/support/of-file'
import { newMoney } from '#test/support/settlements'

type BookedFormat = keyof typeof bookedReaders
const has = (program: string) => spawnSync(program, ['--version']).error === undefined
/** hledger and Beancount only where their readers are installed. */
const readable = (Object.keys(bookedReaders) as BookedFormat[]).filter(
  (format) => (format !== 'hledger' || has('hledger')) && (format !== 'beancount' || has('bean-query')),
)

/** How each format calls what an expense is booked against. */
const accounts: Readonly<Record<BookedFormat, Readonly<Record<'owed' | 'advance' | 'card', string>>>> = {
  hledger: { owed: 'liabilities:claimants:mel member', advance: 'assets:advances:mel member', card: 'liabilities:cards:1' },
  beancount: { owed: 'liabilities:claimants:mel-member', advance: 'assets:advances:mel-member', card: 'liabilities:cards:1' },
  quickbooks: { owed: 'owed', advance: 'advances', card: 'company cards' },
  xero: { owed: 'owed', advance: 'advances', card: 'company cards' },
  datev: { owed: '1740', advance: '1530', card: '1730' },
  profile: { owed: 'staff', advance: 'advances', card: 'cards' },
}

const layout = JSON.stringify({
  ...{ separator: ';', decimal: ',', days: 'dd/mm/yyyy', encoding: 'utf-8', isQuoted: false, hasHeader: true, otherwise: 'staff' },
  columns: [
    { kind: 'attribute', name: 'Tag', attribute: 'first_tag' },
    { kind: 'code', name: 'Account', of: 'against' },
    { kind: 'attribute', name: 'Amount', attribute: 'amount' },
  ],
  codes: { tag: {}, claimant: {}, against: { advance: 'advances', card: 'cards' } },
})
const folder = folderOfFile('outlay-bookings-')
// Of each test: a handover is of all that none has handed over.
let instance: Instance
let profile_id: number
beforeEach(async () => {
  instance = await startInstance()
  const path = `/organizations/${instance.organization_id}/export_profiles`
  profile_id = (await instance.manager.api.send('POST', path, { name: 'Ledger', layout })).body.id
  return () => instance.remove()
})

const home = () => `/organizations/${instance.organization_id}/handovers`
const asked = (format: ExportFormat) => ({ format, ...(format === 'profile' && { profile_id }) })

/** An expense of 100.00 euros, of which 80.01 are approved where nothing else is said. */
const claim = (tag: string, more: Record<string, unknown> = {}) =>
  recordExpense(instance, instance.member, { amount: 100, currency: 'EUR', tags: tag, description: tag, ...more })
const approve = (tag: string, more: Record<string, unknown> = {}) =>
  recordApproved(instance, instance.member, { amount: 100, currency: 'EUR', tags: tag, description: tag, approved_amount: 80.01, ...more })
const move = (id: number, ...moves: Array<Record<string, unknown>>) =>
  moves.reduce<Promise<unknown>>((before, one) => before.then(() => moveExpense(instance.manager, id, one)), Promise.resolve())

/** One expense in every status, settled in every way, each under its own tag. */
async function makeWorld(): Promise<void> {
  const approved = { status: 'approved', approved_amount: 80.01, approved_amount_currency: 'EUR' }
  const moves: ReadonlyArray<readonly [string, ...Array<Record<string, unknown>>]> = [
    ['t-waiting'],
    ['t-analyzing', { status: 'analyzing' }],
    ['t-analyzed', { status: 'analyzed' }],
    ['t-pending', { status: 'pending' }],
    ['t-noncompliant', { status: 'noncompliant', ignore_noncompliant: true }],
    ['t-rejected', { status: 'rejected' }],
    ['t-rejected-later', approved, { status: 'rejected' }],
    ['t-returned', approved, { status: 'analyzing' }],
    ['t-approved', approved],
    ['t-outside', approved, { status: 'liquidated' }],
  ]
  for (const [tag, ...all] of moves) await move((await claim(tag)).id, ...all)
  await approve('t-to-advance', { liquidate_through_advancement: true })
  const advanced = await approve('t-advance', { liquidate_through_advancement: true })
  await move(advanced.id, { status: 'liquidated' })
  const { id: corporative_card_id } = await registerCard(instance, instance.member)
  await move((await approve('t-card', { corporative_card_id })).id, { status: 'liquidated' })
  const paid = await approve('t-paid', { approved_amount: 100 })
  const payment = newMoney(instance, { currency: 'EUR', expense_ids: [paid.id] })
  expect((await instance.manager.api.send('POST', '/reimbursements', payment)).status).toBe(201)
}

const bookedNow = (format: BookedFormat) => {
  const { owed, advance, card } = accounts[format]
  return [
    ...[`t-approved ${owed} 8001`, `t-outside ${owed} 8001`, `t-paid ${owed} 10000`],
    ...[`t-to-advance ${advance} 8001`, `t-advance ${advance} 8001`, `t-card ${card} 8001`],
  ].toSorted()
}
const leftOut = [
  ...['awaiting_analysis', 'analyzed', 'pending', 'noncompliant'].map((reason) => ({ reason, count: 1 })),
  ...['analyzing', 'rejected'].map((reason) => ({ reason, count: 2 })),
]

async function handOver(format: ExportFormat, more: object, { api } = instance.manager): Promise<{ made: Handover; bytes: Buffer }> {
  const { status, body } = await api.send<Handover>('POST', home(), { ...asked(format), ...more })
  expect(status).toBe(201)
  const made = await vi.waitFor(
    async () => {
      const { body: now } = await api.get<Handover>(`${home()}/${body.id}`)
      expect(['finished', 'failed']).toContain(now.state)
      return now
    },
    { timeout: 60_000, interval: 20 },
  )
  expect(made.message).toBeNull()
  return { made, bytes: Buffer.from(await (await fetch(made.url ?? '')).arrayBuffer()) }
}

test('every format for accounting books what is approved or settled, at the approved amount, and says what it leaves out', async () => {
  await makeWorld()
  for (const format of readable) {
    const { made, bytes } = await exportAs(instance.analyst, asked(format))
    expect(sumBooked(await bookedReaders[format](bytes, folder)), format).toEqual(bookedNow(format))
    expect(made.left_out?.toSorted((a, b) => a.reason.localeCompare(b.reason))).toEqual(
      leftOut.toSorted((a, b) => a.reason.localeCompare(b.reason)),
    )
    expect(made).toMatchObject({ done: 6, total: 6 })
  }
  const counted = await instance.analyst.api.send('POST', '/exports/count', asked('xero'))
  expect(counted.body).toEqual({ count: 6, left_out: expect.arrayContaining(leftOut) })
  const { made: list, bytes } = await exportAs(instance.analyst, { format: 'json' })
  expect(list).toMatchObject({ done: 14, left_out: [] })
  expect(JSON.parse(bytes.toString('utf8'))).toHaveLength(14)
})

test('a handover has bookings in every format, and counts what was handed over before', async () => {
  await makeWorld()
  const { made, bytes } = await handOver('json', {})
  const rows: Json[] = JSON.parse(bytes.toString('utf8'))
  expect(rows.map(({ tags, approved_amount }) => `${tags} ${approved_amount}`).toSorted()).toEqual([
    't-advance 80.01',
    't-approved 80.01',
    't-card 80.01',
    't-outside 80.01',
    't-paid 100',
    't-to-advance 80.01',
  ])
  expect(made).toMatchObject({ done: 6, left_out: expect.arrayContaining(leftOut) })
  await approve('t-late')
  const late = { count: 1, left_out: expect.arrayContaining([...leftOut, { reason: 'handed_over', count: 6 }]) }
  expect((await instance.manager.api.send('POST', `${home()}/count`, { format: 'xero' })).body).toEqual(late)
  expect((await instance.analyst.api.send('POST', `${home()}/count`, { format: 'xero' })).status).toBe(403)
  expect((await handOver('xero', {})).made).toMatchObject({ done: 1, left_out: late.left_out })
  const { body } = await instance.analyst.api.get<{ handovers: Handover[] }>(home())
  expect(body.handovers[0]?.left_out).toEqual(late.left_out)
})

/** Changes after a handover, each with what is booked of it before and after, in cents. */
const changes: ReadonlyArray<readonly [tag: string, before: number, after: number, change: (id: number) => Promise<unknown>]> = [
  ['t-a-rejected', 8001, 0, (id) => move(id, { status: 'rejected' })],
  ['t-a-returned', 8001, 0, (id) => move(id, { status: 'analyzing' })],
  [
    't-a-less',
    8001,
    4050,
    (id) => move(id, { status: 'analyzing' }, { status: 'approved', approved_amount: 40.5, approved_amount_currency: 'EUR' }),
  ],
  ['t-a-same', 8001, 8001, (id) => move(id, { status: 'liquidated' })],
  ['t-a-deleted', 8001, 0, async (id) => expect((await instance.manager.api.send('DELETE', `/expenses/${id}`)).status).toBe(204)],
]

test('a correction takes back what was booked and books what is right now, so that all files together are right', async () => {
  for (const format of readable) {
    const { owed } = accounts[format]
    const ids = new Map<string, number>()
    for (const [tag] of changes) ids.set(tag, (await approve(tag)).id)
    const made = await handOver(format, {})
    const first = await bookedReaders[format](made.bytes, folder)
    expect(sumBooked(first), format).toEqual(changes.map(([tag, before]) => `${tag} ${owed} ${before}`).toSorted())
    for (const [tag, , , change] of changes) await change(ids.get(tag) ?? 0)
    const listed = await instance.manager.api.get<{ changes: ChangedRow[] }>(`${home()}/${made.made.id}/changes`)
    const moneyOf = (amount: number) => (amount === 0 ? null : { amount: amount / 100, currency: 'EUR' })
    expect(listed.body.changes.map(({ booked, now }) => [booked, now])).toEqual(
      changes.filter(([tag]) => tag !== 't-a-same').map(([, before, after]) => [moneyOf(before), moneyOf(after)]),
    )
    const { made: correction, bytes } = await handOver(format, { corrects: made.made.id })
    expect(correction.done).toBe(4)
    const corrected = await bookedReaders[format](bytes, folder)
    const taken = corrected.filter(({ cents }) => cents < 0).map(({ tag, cents }: Booked) => `${tag.toLowerCase()} ${cents}`)
    expect(taken.toSorted()).toEqual(['t-a-deleted -8001', 't-a-less -8001', 't-a-rejected -8001', 't-a-returned -8001'])
    expect(sumBooked([...first, ...corrected])).toEqual([`t-a-less ${owed} 4050`, `t-a-same ${owed} 8001`])
    if (format !== 'xero') continue
    // What is approved again is booked again, by a correction of the correction.
    await move(ids.get('t-a-returned') ?? 0, { status: 'approved', approved_amount: 70, approved_amount_currency: 'EUR' })
    const again = await handOver(format, { corrects: correction.id })
    expect(sumBooked(await bookedReaders[format](again.bytes, folder))).toEqual([`t-a-returned ${owed} 7000`])
  }
})

test('a list of corrections has zero for what is not booked any more', async () => {
  const { id } = await approve('t-list')
  const { made } = await handOver('json', {}, instance.admin)
  await move(id, { status: 'rejected' })
  const listed = await instance.analyst.api.get(`/expenses?q[handed_over]=changed`)
  expect(listed.body.expenses.map((one: Json) => one.id)).toEqual([id])
  const { bytes } = await handOver('json', { corrects: made.id }, instance.admin)
  expect(JSON.parse(bytes.toString('utf8'))).toMatchObject([{ id, amount: 0, approved_amount: 0, status: 'rejected' }])
  expect((await instance.analyst.api.get(`/expenses?q[handed_over]=changed`)).body.expenses).toEqual([])
})

test('of a handover from before bookings were kept, the trail says what was booked', async () => {
  const { manager, organization_id } = instance
  const [waiting, lowered] = [await claim('t-old-waiting'), await approve('t-old-lowered')]
  const { id: trail_end } = await instance.app.store.reader.db
    .selectFrom('activities')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  const uid = 'old-handover'
  const file = {
    format: 'hledger',
    title: null,
    asked: '{}',
    file_name: 'old.journal',
    sha256: '0'.repeat(64),
    bytes: 1,
    row_count: 2,
  } as const
  const rows = JSON.stringify([waiting, lowered].map(({ id, version }) => [id, version, 'another']))
  const actor = { user_id: manager.user_id, origin: 'cli', request_id: null, if_match: null } as const
  await instance.app.store.transact(actor, (tx) =>
    insertHandover(
      tx,
      { uid, organization_id, user_id: manager.user_id, corrects_id: null, ...file, trail_end: Number(trail_end), left_out: null },
      [rows],
    ),
  )
  await move(lowered.id, { status: 'analyzing' }, { status: 'approved', approved_amount: 40, approved_amount_currency: 'EUR' })
  const { body } = await manager.api.get<{ changes: ChangedRow[] }>(`${home()}/${uid}/changes`)
  const euros = (amount: number) => ({ amount, currency: 'EUR' })
  expect(body.changes.map(({ booked, now }) => [booked, now])).toEqual([
    [euros(100), null],
    [euros(80.01), euros(40)],
  ])
})
