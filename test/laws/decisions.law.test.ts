import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { DomainError } from '#shared/domain/errors'
import { importRows } from '#main/use-cases/expenses/import-expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { pngFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'
import { type Name, type Step, World, isSame, mayApprove, names, step } from '#test/laws/decisions-world'
import { inForm } from '#test/support/form'

let home: number
let people: Record<Name, Person>
const nameOf = (id: number) => names.find((name) => people[name].user_id === id)
const acme = await instanceOfFile()

/**
 * Random people change, decide and pay expenses of two organizations by every way in. At no moment is anything decided or paid in the first
 * one, which has rules, that this person could not have decided or paid as it is then. The rules are told again here, in their own words.
 */
beforeAll(async () => {
  const others = { bo: 'admin', cleo: 'admin', moe: 'manager' } as const
  const [bo, cleo, moe] = [
    await acme.addUser('Bo B', others.bo),
    await acme.addUser('Cleo C', others.cleo),
    await acme.addUser('Moe M', others.moe),
  ]
  people = { ada: acme.admin, bo, cleo, max: acme.manager, moe, ann: acme.analyst, mel: acme.member }
  const at = `/organizations/${acme.organization_id}`
  const { body: board } = await acme.admin.api.send('POST', `${at}/tags`, { name: 'Board' })
  for (const rule of [
    { name: 'Max', rule: 'authority', user_ids: [people.max.user_id], amount: 1000, currency: 'BRL' },
    { name: 'Moe', rule: 'authority', user_ids: [people.moe.user_id], tag_ids: [board.id] },
    { name: 'Two', rule: 'second_look', amount: 5000, currency: 'BRL' },
  ])
    expect((await acme.admin.api.send('POST', `${at}/approval_rules`, rule)).status).toBe(201)
  await acme.admin.api.send('PATCH', at, { separate_approval: true, separate_payment: true })
  // At home, where they are alone and without rules, the manager and the member decide as they like.
  home = (await people.mel.api.send('POST', '/organizations', { name: 'Home' })).body.id
  const invited = { user: { email: 'max.manager@example.org, ann.analyst@example.org' }, role: 'admin' }
  expect((await people.mel.api.send('POST', `/organizations/${home}/members`, invited)).status).toBe(201)
})

const organization = (name: string) => ({ id: name === 'acme' ? acme.organization_id : home, type: 'Organization' })
const user = (name: Name) => ({ id: people[name].user_id, type: 'User' })
let operations = 0
const uid = () => `01a1fd47-d104-7042-8aa0-${(operations += 1).toString(16).padStart(12, '0')}`

const beginning: readonly Step[] = ([90, 4000, 9000] as const).map((claimed) => ({
  ...{ kind: 'record', who: 'mel', payer: 'acme', receiver: 'mel', amount: claimed },
}))

/** One that is approved and paid, and one that is changed after its approval: random steps may come to neither. */
const usual: Step[] = [
  { kind: 'move', who: 'bo', which: 0, status: 'approved', part: 1 },
  { kind: 'pay', who: 'cleo', which: 0, more: 0 },
  { kind: 'move', who: 'bo', which: 1, status: 'approved', part: 1 },
  { kind: 'edit', who: 'bo', which: 1, way: 'PATCH', fields: { amount: 900 } },
  { kind: 'move', who: 'bo', which: 1, status: 'approved', part: 1 },
]

async function send(name: Name, method: string, path: string, body?: Json): Promise<Json> {
  const response = await people[name].api.send<Json>(method, path, body)
  expect(response.status, JSON.stringify([name, method, path, body, response.body])).toBeLessThan(500)
  return response
}

async function edit(
  world: World,
  { who: name, way: by, fields: { receiver, payer, distance, ...plain } }: Extract<Step, { kind: 'edit' }>,
  id: number,
) {
  const body = {
    ...plain,
    ...(receiver && { receiver: user(receiver) }),
    ...(payer && { payer: organization(payer) }),
    ...(distance && { kind: 'distance', distance }),
  }
  const path = `/expenses/${id}`
  const before = (await world.rows()).find(({ row }) => row.id === id)
  const shown = (await people[name].api.get(path)).body
  if (by === 'PATCH') await send(name, 'PATCH', path, body)
  if (by === 'PUT') await send(name, 'PUT', path, { ...shown, ...body })
  if (by === 'batch') await send(name, 'POST', '/batch', { operations: [{ method: 'PATCH', path, body }] })
  if (by === 'sync' && before) {
    const base = Object.fromEntries(Object.keys(body).map((attribute) => [attribute, shown[attribute] ?? null]))
    await send(name, 'POST', '/sync/push', {
      operations: [
        {
          ...{ op_id: uid(), api_version: 'v1', method: 'PATCH', path, body, refs: [], blobs: [], minted: [], after: [], base, mine: body },
          ...{ seen: [{ table: 'expenses', uid: before.row.uid, version: before.row.version }], created_at: '2026-03-04T00:00:00Z' },
        },
      ],
    })
  }
  if (by === 'import') await importAgain(name, before?.row.external_id ?? null, { ...plain, receiver: receiver ?? 'mel' })
  const after = (await world.rows()).find(({ row }) => row.id === id)
  if (after && before && after.row.payer_id !== before.row.payer_id) {
    world.authors.set(id, name)
    expect(['awaiting_analysis', 'pending']).toContain(before.row.status)
  }
}

async function importAgain(name: Name, external_id: string | null, values: Json): Promise<void> {
  if (external_id === null) return
  const row = {
    ...{
      line: 1,
      tag_names: [],
      occurred_at: values.occurred_at?.slice(0, 10) ?? '2026-03-04',
      amount: String(values.amount ?? 90),
      external_id,
    },
    ...{ description: values.description ?? '', has_own_id: true, receiver_name: '', receiver_email: emailOf(values.receiver) },
  }
  const options = { organization_id: acme.organization_id, currency: 'BRL', isUpdate: true }
  const actor = { user_id: people[name].user_id, origin: 'cli', request_id: null, if_match: null }
  await acme.app.store
    .transact(actor, (tx) => importRows(tx, options, [row]))
    .catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error
    })
}

const emailOf = (name: Name) =>
  ({ ada: 'ada.admin', bo: 'bo.b', cleo: 'cleo.c', max: 'max.manager', moe: 'moe.m', ann: 'ann.analyst', mel: 'mel.member' })[name] +
  '@example.org'

let files = 0
async function changeReceipt({ who: name, act }: Extract<Step, { kind: 'receipt' }>, id: number) {
  const path = `/expenses/${id}/attachments`
  const known = (await people[name].api.get(path)).body?.attachments?.[0]
  if (act === 'remove' && known) await send(name, 'DELETE', `${path}/${known.id}`)
  if (act === 'remove') return
  const file = await uploadFile(people[name], await pngFile(`receipt-${(files += 1)}.png`))
  if (act === 'attach') await send(name, 'POST', path, { file })
  else if (known) await send(name, 'PATCH', `${path}/${known.id}`, { file })
}

async function perform(world: World, done: Step): Promise<void> {
  if (done.kind === 'record') {
    const claim = {
      payer: organization(done.payer),
      receiver: user(done.receiver),
      amount: done.amount,
      currency: 'BRL',
      occurred_at: '2026-03-04',
    }
    const { status: code, body } = await send(done.who, 'POST', '/expenses', claim)
    if (code !== 201) return
    world.ids.push(body.id)
    world.authors.set(body.id, done.who)
    await acme.app.store.transact({ user_id: 1, origin: 'cli', request_id: null, if_match: null }, (tx) =>
      tx.write('UPDATE expenses SET external_id = ? WHERE id = ?', [`row-${body.id}`, body.id]),
    )
    return
  }
  const id = world.ids.at(done.which % Math.max(world.ids.length, 1))
  if (id === undefined) return
  if (done.kind === 'edit') return edit(world, done, id)
  if (done.kind === 'receipt') return changeReceipt(done, id)
  if (done.kind === 'move') return move(world, done, id)
  const { row } = (await world.rows()).find((one) => one.row.id === id) ?? {}
  if (!row) return
  if (done.kind === 'pay') {
    const approved = (row.approved_amount_minor ?? row.amount_minor) / 100
    const receiver = { id: row.receiver_id, type: 'User' }
    const paid = {
      payer: organization('acme'),
      receiver,
      amount: approved + done.more,
      currency: row.approved_amount_currency ?? 'BRL',
      date: '2026-03-04',
      expense_ids: [id],
    }
    const { status: code, body } = await send(done.who, 'POST', '/reimbursements', paid)
    if (code === 201) world.paid.push(body.id)
    return
  }
  if (done.kind === 'repay') {
    const home_paid = { payer: organization(done.payer), receiver: user(done.receiver), amount: done.amount, date: '2026-03-04' }
    const { status: code, body } = await send(done.who, 'POST', '/reimbursements', home_paid)
    if (code === 201) world.paid.push(body.id)
    const last = world.paid.at(-1)
    if (last !== undefined)
      await send(done.who, 'PATCH', `/reimbursements/${last}`, { payer: organization('acme'), amount: done.amount + 1 })
    return
  }
  const report = { payer: organization('acme'), receiver: { id: row.receiver_id, type: 'User' }, title: 'Report', expense_ids: [id] }
  const { body } = await send(done.who, 'POST', '/accountabilities', report)
  for (const next of ['ready_to_review', 'analyzed', 'approved', 'finished'].slice(0, done.upTo))
    if (body?.id) await send(done.who, 'PUT', `/accountability/${body.id}/status`, { status: next })
  const made = await acme.app.store.reader.db.selectFrom('reimbursements').select('id').execute()
  for (const one of made) if (!world.paid.includes(one.id) && !known.has(one.id)) world.paid.push(one.id)
}
/** The reimbursements of earlier runs. */
const known = new Set<number>()

async function move(world: World, { who: name, status: to, part }: Extract<Step, { kind: 'move' }>, id: number): Promise<void> {
  const before = (await world.rows()).find(({ row }) => row.id === id)
  if (!before) return
  const { amount_minor, currency } = before.row
  const needs = to === 'approved' || (to === 'liquidated' && before.row.status === 'awaiting_analysis')
  const approved = needs ? { approved_amount: Math.floor(amount_minor * part) / 100, approved_amount_currency: currency } : {}
  const { status: code } = await send(name, 'PUT', `/expenses/${id}/status`, { status: to, ...approved, ignore_noncompliant: true })
  if (code !== 200) return
  const looked = world.looks.get(id)
  const looked_by = looked && isSame(looked.facts, before.facts) ? looked.by : undefined
  if (to === 'analyzed') world.looks.set(id, { by: name, facts: before.facts, looked_by: undefined })
  if (to === 'analyzed' || to === 'approved' || to === 'noncompliant' || (to === 'liquidated' && before.row.status === 'awaiting_analysis'))
    world.decided.set(id, { by: name, facts: before.facts, looked_by })
}

async function check(world: World): Promise<void> {
  for (const { row, facts } of await world.rows()) {
    if (row.payer_id !== acme.organization_id || !['analyzed', 'approved', 'noncompliant', 'liquidated'].includes(row.status)) continue
    const decision = world.decided.get(row.id)
    expect(decision, `nobody decided ${row.id}`).toBeDefined()
    if (!decision) continue
    expect(isSame(decision.facts, facts), `${row.id} is ${row.status}, and not what ${decision.by} decided`).toBe(true)
    if (row.status === 'approved' || row.status === 'liquidated')
      expect(
        mayApprove(decision, facts, { author: world.authors.get(row.id), receiver: nameOf(row.receiver_id) }),
        `${decision.by} could not have approved ${row.id}`,
      ).toBe(true)
  }
  for (const { row, expenses } of await world.payments()) {
    if (row.payer_id !== acme.organization_id) continue
    const approved = expenses.reduce((sum, one) => sum + (one.approved_amount_minor ?? 0), 0)
    expect(row.amount_minor, 'more is paid than was approved').toBeLessThanOrEqual(approved)
    const payer = nameOf(row.responsible_user_id)
    expect(row.responsible_user_id).not.toBe(row.receiver_id)
    for (const { id } of expenses) expect(world.decided.get(id)?.by).not.toBe(payer)
  }
}

test('at no moment is anything decided or paid that this person could not have decided or paid as it is', async () => {
  const seen = { approved: 0, paid: 0, taken_back: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const world = new World(acme)
      for (const done of [...beginning, ...steps]) {
        const before = new Map((await world.rows()).map(({ row }) => [row.id, row.status]))
        await perform(world, done)
        await check(world)
        for (const { row } of await world.rows())
          if (before.get(row.id) === 'approved' && row.status === 'awaiting_analysis') seen.taken_back += 1
      }
      for (const { row } of await world.rows()) seen.approved += Number(row.status === 'approved')
      seen.paid += (await world.payments()).filter(({ expenses }) => expenses.length > 0).length
      for (const id of world.paid) known.add(id)
    }),
    {
      examples: [[usual]],
      numRuns: Number(process.env['DECISION_RUNS'] ?? inForm(20, 30)),
      ...(process.env['DECISION_SEED'] && { seed: Number(process.env['DECISION_SEED']) }),
    },
  )
  // A law that nothing happened under would hold too.
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0)
})
