import { expect, test } from 'vitest'
import { registerCard } from '#test/support/cards'
import { capture } from '#test/support/captures'
import { moveExpense, newExpense, recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { drawReceipt } from '#test/support/receipts/draw-receipt'
import { oneReceipt } from '#test/support/receipts/one-receipt'
import { ofxOf, uploadStatement } from '#test/support/statements/upload'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

// What cards were charged and what receipts say, on a remote and its replicas.
const remote = await instanceOfFile({ settings: { OUTLAY_READ_RECEIPTS: true } })

type Caller = Pick<Person, 'api'>
const home = () => `/organizations/${remote.organization_id}`
const linesOf = async ({ api }: Caller): Promise<Json[]> =>
  (await api.get(`${home()}/statement_lines?per_page=100`)).body.statement_lines.toSorted((a: Json, b: Json) => a.id - b.id)
const matchesOf = async ({ api }: Caller): Promise<Json[]> =>
  (await api.get(`${home()}/statement_matches?per_page=100`)).body.statement_matches
const plain = (records: readonly Json[]) => records.map(({ _links, ...record }) => record)

async function withReplicas(people: readonly Person[], run: (replicas: ReplicaInstance[]) => Promise<void>): Promise<void> {
  const settings = { OUTLAY_READ_RECEIPTS: true }
  const replicas = await Promise.all(people.map((person) => startReplica(remote.url, person, { settings })))
  try {
    for (const replica of replicas) await replica.sync()
    await run(replicas)
  } finally {
    for (const replica of replicas) await replica.remove()
  }
}

test('lines and their expenses are matched without a connection, by the holder and by a manager', async () => {
  const { member, manager, analyst } = remote
  const card = await registerCard(remote, member)
  const dinner = await recordExpense(remote, member, { amount: 77.31, description: 'Cantina Bella', occurred_at: '2026-04-02' })
  const dined = { day: '2026-04-03', amount: '-77.31', name: 'CANTINA BELLA', id: 'a1' }
  const fee = { day: '2026-04-04', amount: '-9.00', name: 'ANUIDADE', id: 'a2' }
  await uploadStatement(remote, member, { card_id: card.id, bytes: ofxOf([dined, fee]) })
  await withReplicas([member, manager, analyst], async ([holder, boss, other]) => {
    if (!holder || !boss || !other) throw new Error('A replica is missing.')
    const [line, charged] = await linesOf(holder)
    expect(plain(await linesOf(boss))).toEqual(plain(await linesOf(holder)))
    expect(await linesOf(other)).toEqual([])
    // Meanwhile: a match here, a reason there, and an overlapping statement at the remote.
    const made = await holder.api.send('POST', `${home()}/statement_matches`, { statement_line_id: line?.id, expense_id: dinner.id })
    expect(made.status).toBe(201)
    expect((await holder.api.get(`/expenses/${dinner.id}`)).body).toMatchObject({
      corporative_card_id: card.id,
      paid_on: expect.stringContaining('2026-04-03'),
    })
    expect((await boss.api.send('PATCH', `${home()}/statement_lines/${charged?.id}`, { reason: 'Yearly fee' })).status).toBe(200)
    const next = { day: '2026-04-06', amount: '-5.00', name: 'CAFE', id: 'a3' }
    expect((await uploadStatement(remote, manager, { card_id: card.id, bytes: ofxOf([dined, fee, next]) })).body).toMatchObject({
      added: 1,
      known: 2,
    })
    for (const replica of [holder, boss, holder]) expect(await replica.sync()).toMatchObject({ ended: 'synced', error: null })
    const lines = await linesOf(manager)
    expect(lines.map(({ reason }) => reason)).toEqual([null, 'Yearly fee', null])
    for (const replica of [holder, boss]) {
      expect(plain(await linesOf(replica))).toEqual(plain(lines))
      expect(plain(await matchesOf(replica))).toEqual(plain(await matchesOf(manager)))
      expect((await replica.api.get(`/expenses/${dinner.id}`)).body).toMatchObject({ corporative_card_id: card.id })
    }
    // Taken back without a connection, the expense is as it was, everywhere.
    await boss.api.send('DELETE', `${home()}/statement_matches/${made.body.id}`)
    for (const replica of [boss, holder]) await replica.sync()
    for (const who of [manager, holder, boss]) {
      expect(await matchesOf(who)).toEqual([])
      expect((await who.api.get(`/expenses/${dinner.id}`)).body).toMatchObject({
        corporative_card_id: null,
        paid_on: null,
        supplier_name: null,
      })
    }
  })
})

test('a line that is split without a connection is split at the remote, and taken back there too', async () => {
  const { member, manager } = remote
  const card = await registerCard(remote, member)
  const bytes = ofxOf([{ day: '2026-05-04', amount: '-61.13', name: 'HOTEL ATLAS', id: 'split' }])
  await uploadStatement(remote, member, { card_id: card.id, bytes })
  await withReplicas([member, manager], async ([holder, boss]) => {
    if (!holder || !boss) throw new Error('A replica is missing.')
    const line = (await linesOf(holder)).find(({ corporative_card_id }) => corporative_card_id === card.id)
    const run = async (operations: readonly object[]): Promise<Json[]> =>
      (await holder.api.send('POST', '/batch', { atomic: true, operations })).body.results
    const part = (amount: number) => ({
      ...{ method: 'POST', path: '/expenses' },
      body: newExpense(remote, { amount, statement_line_id: line?.id }),
    })
    expect((await run([part(40.11), part(21.03)])).map(({ status }) => status)).toEqual([424, 422])
    const made = await run([part(40.11), part(21.02)])
    expect(made.map(({ status }) => status)).toEqual([201, 201])
    for (const replica of [holder, boss]) expect(await replica.sync()).toMatchObject({ ended: 'synced', error: null })
    const ofLine = async (who: Caller) => plain(await matchesOf(who)).filter(({ statement_line_id }) => statement_line_id === line?.id)
    const matches = await ofLine(manager)
    expect(matches.map(({ expense_id }) => expense_id).toSorted()).toEqual(made.map(({ body }) => body.id).toSorted())
    for (const replica of [holder, boss]) expect(await ofLine(replica)).toEqual(matches)
    for (const who of [manager, holder, boss])
      for (const { body } of made)
        expect((await who.api.get(`/expenses/${body.id}`)).body).toMatchObject({ amount: body.amount, corporative_card_id: card.id })
    await run([
      ...matches.map(({ id }) => ({ method: 'DELETE', path: `${home()}/statement_matches/${id}` })),
      ...made.map(({ body }) => ({ method: 'DELETE', path: `/expenses/${body.id}` })),
    ])
    for (const replica of [holder, boss]) expect(await replica.sync()).toMatchObject({ ended: 'synced', error: null })
    for (const who of [manager, holder, boss]) expect(await ofLine(who)).toEqual([])
    expect((await manager.api.get(`/expenses/${made[0]?.body.id}`)).status).toBe(404)
  })
})

test('an expense that is deleted without a connection leaves its line open everywhere; a refused deletion gives the match back', async () => {
  const { member, manager } = remote
  const card = await registerCard(remote, member)
  const bytes = ofxOf([
    { day: '2026-05-10', amount: '-61.13', name: 'HOTEL ATLAS', id: 'gone' },
    { day: '2026-05-11', amount: '-75.40', name: 'TAXI CENTRAL', id: 'kept' },
  ])
  await uploadStatement(remote, member, { card_id: card.id, bytes })
  const lines = (await linesOf(member)).filter(({ corporative_card_id }) => corporative_card_id === card.id)
  const made: Json[] = []
  for (const { id, amount } of lines)
    made.push((await member.api.send('POST', '/expenses', newExpense(remote, { amount, statement_line_id: id }))).body)
  await withReplicas([member], async ([holder]) => {
    if (!holder) throw new Error('The replica is missing.')
    const [gone, kept] = made
    const approval = { approved_amount: 75.4, approved_amount_currency: 'BRL' }
    for (const status of ['approved', 'liquidated']) await moveExpense(manager, kept?.id, { ...approval, status })
    for (const { id } of made) expect((await holder.api.send('DELETE', `/expenses/${id}`)).status).toBe(204)
    const matched = async (who: Caller) =>
      (await matchesOf(who)).map(({ expense_id }) => expense_id).filter((id) => made.some((one) => one.id === id))
    expect(await matched(holder)).toEqual([])
    await holder.sync()
    for (const who of [manager, holder]) expect(await matched(who)).toEqual([kept?.id])
    const suggested = async (who: Caller) => (await who.api.get('/pre_expenses?per_page=100')).body.pre_expenses.map(({ id }: Json) => id)
    for (const who of [member, holder]) {
      expect((await who.api.get(`/expenses/${gone?.id}`)).status).toBe(404)
      expect((await who.api.get(`/expenses/${kept?.id}`)).body).toMatchObject({ status: 'liquidated', corporative_card_id: card.id })
      expect(await suggested(who)).toContain(lines[0]?.pre_expense_id)
      expect(await suggested(who)).not.toContain(lines[1]?.pre_expense_id)
    }
  })
})

test('of two people who claim one line without a connection the second is refused and told', async () => {
  const { member, manager } = remote
  const card = await registerCard(remote, member)
  const bytes = ofxOf([{ day: '2026-05-20', amount: '-61.13', name: 'HOTEL ATLAS', id: 'twice' }])
  await uploadStatement(remote, member, { card_id: card.id, bytes })
  const claims = [await recordExpense(remote, member, { amount: 61.13 }), await recordExpense(remote, member, { amount: 61.12 })]
  const line = (await linesOf(member)).find(({ corporative_card_id }) => corporative_card_id === card.id)
  await withReplicas([member, manager], async ([holder, boss]) => {
    if (!holder || !boss) throw new Error('A replica is missing.')
    for (const [at, replica] of [holder, boss].entries()) {
      const body = { statement_line_id: line?.id, expense_id: claims[at]?.id }
      expect((await replica.api.send('POST', `${home()}/statement_matches`, body)).status).toBe(201)
    }
    for (const replica of [holder, boss, holder]) await replica.sync()
    for (const who of [manager, holder, boss])
      expect((await matchesOf(who)).filter(({ statement_line_id }) => statement_line_id === line?.id)).toMatchObject([
        { expense_id: claims[0]?.id },
      ])
    expect((await manager.api.get(`/expenses/${claims[1]?.id}`)).body).toMatchObject({ corporative_card_id: null, paid_on: null })
    const { operations } = (await boss.api.get('/replica/operations?list=failed')).body
    expect(operations).toMatchObject([{ path: `${home()}/statement_matches` }])
    expect(JSON.stringify(operations)).toContain('is more than is left of the card line: 0 BRL')
  })
})

test(
  'a receipt that a replica reads without a connection is read by the remote too, and its finding comes back and goes',
  { timeout: 200_000 },
  async () => {
    const receipt = oneReceipt(4)
    const bytes = await drawReceipt(receipt, 'scan', 2)
    await withReplicas([remote.member], async ([replica]) => {
      if (!replica) throw new Error('The replica is missing.')
      const { id } = await capture({ token: remote.member.token, url: replica.url }, { bytes, name: 'receipt.jpg' })
      const read = async (): Promise<Json> => (await replica.api.get(`${home()}/readings?capture_ids=${id}`)).body.readings[0]
      await expect.poll(async () => (await read()).state, { timeout: 100_000 }).toBe('read')
      const total = (await read()).fields.find(({ field }: Json) => field === 'total')
      expect(total.value).toBe(String(receipt.truth.total))
      const payer = { id: remote.organization_id, type: 'Organization' }
      const claimed = { payer, amount: receipt.truth.total / 100 + 100, currency: 'BRL', occurred_at: receipt.truth.date }
      const { id: expense_id } = (await replica.api.send('POST', '/expenses', claimed)).body
      expect((await replica.api.send('POST', '/captures/attach', { expense_id, capture_ids: [id] })).status).toBe(201)
      await replica.sync()
      const flagsOf = async ({ api }: Caller): Promise<Json[]> => (await api.get(`/expenses/${expense_id}`)).body.flags
      await expect
        .poll(() => flagsOf(remote.analyst), { timeout: 100_000 })
        .toMatchObject([{ condition: 'receipt_total', value: receipt.truth.total / 100 }])
      expect((await remote.analyst.api.get(`/expenses/${expense_id}/readings`)).body.readings).toMatchObject([{ state: 'read' }])
      await replica.sync()
      expect(await flagsOf(replica)).toMatchObject([{ condition: 'receipt_total' }])
      // The amount is corrected without a connection.
      await replica.api.send('PATCH', `/expenses/${expense_id}`, { amount: receipt.truth.total / 100 })
      await replica.sync()
      for (const who of [remote.analyst, replica]) expect(await flagsOf(who)).toEqual([])
    })
  },
)
