import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importStatement } from '#main/use-cases/statements/import-statement'
import { registerCard } from '#test/support/cards'
import { moveExpense, recordExpense } from '#test/support/expenses'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { ofxOf, uploadStatement } from '#test/support/statements/upload'

const acme = await instanceOfFile()
const home = `/organizations/${acme.organization_id}`

const linesOf = async (card_id: number): Promise<Json[]> =>
  (await acme.manager.api.get(`${home}/statement_lines?q[corporative_card_id_eq]=${card_id}&per_page=100`)).body.statement_lines

const statement = ofxOf([
  { day: '2026-03-04', amount: '-42.50', name: 'PAG*PADARIA REAL', id: '202603040001' },
  { day: '2026-03-04', amount: '-5.00', name: 'CAFE', id: '202603040002' },
  { day: '2026-03-04', amount: '-5.00', name: 'CAFE', id: '202603040003' },
  { day: '2026-03-06', amount: '900.00', name: 'PAGAMENTO RECEBIDO', id: '202603060001', type: 'PAYMENT' },
])

describe('a statement of a card', () => {
  test('is shown before it is added, is added once, and suggests its expenses to the holder', async () => {
    const card = await registerCard(acme, acme.member)
    const preview = await uploadStatement(acme, acme.member, { card_id: card.id, bytes: statement, isPreview: true })
    expect(preview.body).toMatchObject({ format: 'ofx', rows: 4, added: 4, known: 0, refused: 0, total: { BRL: -847.5 } })
    expect(await linesOf(card.id)).toEqual([])
    expect((await uploadStatement(acme, acme.manager, { card_id: card.id, bytes: statement })).body.added).toBe(4)
    expect((await uploadStatement(acme, acme.member, { card_id: card.id, bytes: statement })).body).toMatchObject({ added: 0, known: 4 })
    const lines = await linesOf(card.id)
    expect(lines.map(({ amount, line_kind, user }) => [amount, line_kind, user.id]).toSorted()).toEqual(
      [
        [42.5, 'charge', acme.member.user_id],
        [5, 'charge', acme.member.user_id],
        [5, 'charge', acme.member.user_id],
        [-900, 'payment', acme.member.user_id],
      ].toSorted(),
    )
    const { pre_expenses } = (await acme.member.api.get('/pre_expenses')).body
    expect(pre_expenses.map(({ amount }: Json) => amount).toSorted()).toEqual([42.5, 5, 5].toSorted())
    expect((await acme.manager.api.get('/pre_expenses')).body.pre_expenses).toEqual([])
  })

  test('is the matter of its holder and of those who see all cards', async () => {
    const card = await registerCard(acme, acme.member)
    const refused = await uploadStatement(acme, acme.analyst, { card_id: card.id, bytes: statement, isPreview: true })
    expect([refused.status, refused.body]).toMatchObject([422, { errors: { corporative_card_id: expect.any(Array) } }])
    await uploadStatement(acme, acme.member, { card_id: card.id, bytes: statement })
    const [line] = await linesOf(card.id)
    expect((await acme.analyst.api.get(`${home}/statement_lines`)).body.statement_lines).toEqual([])
    expect((await acme.analyst.api.get(`${home}/statement_lines/${line?.id}`)).status).toBe(404)
    expect((await acme.member.api.get(`${home}/statement_lines/${line?.id}`)).status).toBe(200)
    expect((await acme.member.api.send('DELETE', `${home}/statement_lines/${line?.id}`)).status).toBe(403)
    expect((await acme.member.api.send('PATCH', `${home}/statement_lines/${line?.id}`, { amount: 1 })).status).toBe(422)
  })

  test('that cannot be read in part is added in part, and says which lines are left out', async () => {
    const card = await registerCard(acme, acme.member)
    const bytes = `Data;Estabelecimento;Valor\n04/03/2026;Padaria Real;42,50\n31/02/2026;Nunca;1,00\n05/03/2026;Táxi;dez\n06/03/2026;Hotel;1.250,00\n`
    const { body } = await uploadStatement(acme, acme.member, { card_id: card.id, bytes })
    expect(body).toMatchObject({ format: 'csv', rows: 4, added: 2, refused: 2, total: { BRL: 1292.5 } })
    expect(body.problems.map(({ line }) => line)).toEqual([3, 4])
  })

  test('that is no statement is refused', async () => {
    const card = await registerCard(acme, acme.member)
    for (const bytes of ['', 'hello', '\0\0\0'])
      expect((await uploadStatement(acme, acme.member, { card_id: card.id, bytes, isPreview: true })).status).toBe(422)
  })
})

test('a line that the card may have already is left out and named until it is said to be another one', async () => {
  const card = await registerCard(acme, acme.member)
  const ofDays = (days: readonly string[]) => `Date,Description,Amount\n${days.map((day) => `2026-03-${day},Coffee,5.00`).join('\n')}\n`
  const send = (bytes: string, other: { isPreview?: boolean; add_unsure?: string } = {}) =>
    uploadStatement(acme, acme.member, { card_id: card.id, bytes, ...other })
  expect((await send(ofDays(['02', '04']))).body).toMatchObject({ added: 2, unsure_count: 0 })
  const next = ofDays(['04', '06', '08'])
  const unsure = [{ day: '2026-03-04', amount: 5, position: 1, like: { day: '2026-03-04', name: 'Coffee', amount: 5 } }]
  for (const isPreview of [true, false])
    expect((await send(next, { isPreview })).body).toMatchObject({ rows: 3, added: 2, known: 0, unsure_count: 1, unsure })
  expect((await send(next, { add_unsure: '2' })).body).toMatchObject({ added: 0, unsure_count: 1 })
  expect((await send(next, { add_unsure: 'one' })).status).toBe(422)
  expect((await send(next, { add_unsure: '1' })).body).toMatchObject({ added: 1, known: 2, unsure: [{ is_added: true }] })
  expect((await send(next)).body).toMatchObject({ added: 0, known: 3, unsure_count: 0 })
  expect((await linesOf(card.id)).map(({ occurred_at }) => occurred_at.slice(8, 10)).toSorted()).toEqual(['02', '04', '04', '06', '08'])
})

test('each month of instalments that keep the day of their purchase is added once', async () => {
  const card = await registerCard(acme, acme.member)
  const month = (of: number) =>
    ofxOf([
      { day: '2026-01-10', amount: '-250.00', name: `LAPTOP ${of}/3`, id: `77${of}001` },
      { day: '2026-01-10', amount: '-250.00', name: `MONITOR ${of}/3`, id: `77${of}002` },
      { day: `2026-0${of}-20`, amount: '-42.00', name: 'PADARIA', id: `77${of}003` },
    ])
  for (const added of [3, 0])
    for (const of of [1, 2, 3])
      expect((await uploadStatement(acme, acme.member, { card_id: card.id, bytes: month(of) })).body).toMatchObject({
        added,
        unsure_count: 0,
      })
})

describe('matching', () => {
  test('proposes what belongs together; accepting fills the expense, and taking it back empties it again', async () => {
    const holder = acme.member
    const card = await registerCard(acme, holder)
    const dinner = await recordExpense(acme, holder, { amount: 77.31, description: 'Cantina Bella', occurred_at: '2026-04-02' })
    const bytes = ofxOf([{ day: '2026-04-03', amount: '-77.31', name: 'CANTINA BELLA SAO PAULO BR', id: '202604030001' }])
    await uploadStatement(acme, holder, { card_id: card.id, bytes })
    const { body } = await holder.api.get(`${home}/statement_matching?corporative_card_id=${card.id}`)
    expect(body.proposals).toMatchObject([{ kind: 'pair', is_sure: true, difference: 0, claims: [{ kind: 'expense', id: dinner.id }] }])
    const [proposal] = body.proposals
    const made = await holder.api.send('POST', `${home}/statement_matches`, {
      statement_line_id: proposal.line_ids[0],
      expense_id: dinner.id,
    })
    expect(made.status).toBe(201)
    const filled = (await holder.api.get(`/expenses/${dinner.id}`)).body
    expect(filled).toMatchObject({
      corporative_card_id: card.id,
      paid_on: '2026-04-03T00:00:00Z',
      supplier_name: 'CANTINA BELLA SAO PAULO',
      amount: 77.31,
    })
    expect((await holder.api.get('/pre_expenses')).body.pre_expenses.some(({ amount }: Json) => amount === 77.31)).toBe(false)
    expect((await holder.api.get(`${home}/statement_matching`)).body.proposals).toEqual([])
    await holder.api.send('DELETE', `${home}/statement_matches/${made.body.id}`)
    const emptied = (await holder.api.get(`/expenses/${dinner.id}`)).body
    expect(emptied).toMatchObject({ corporative_card_id: null, paid_on: null, supplier_name: null, pre_expense_id: null })
    expect((await holder.api.get('/pre_expenses')).body.pre_expenses.some(({ amount }: Json) => amount === 77.31)).toBe(true)
  })

  test('an expense that its claimant may no longer change gets nothing from a line that the claimant accepts', async () => {
    const card = await registerCard(acme, acme.member)
    const made = await recordExpense(acme, acme.member, { amount: 83.17, description: 'Hotel', occurred_at: '2026-07-02' })
    const approved = { status: 'approved', approved_amount: 83.17, approved_amount_currency: 'BRL' }
    expect((await acme.manager.api.send('PUT', `/expenses/${made.id}/status`, approved)).status).toBe(200)
    await uploadStatement(acme, acme.member, {
      card_id: card.id,
      bytes: ofxOf([{ day: '2026-07-03', amount: '-83.17', name: 'HOTEL', id: '202607030001' }]),
    })
    const [line] = await linesOf(card.id)
    const match = { statement_line_id: line?.id, expense_id: made.id }
    const matched = await acme.member.api.send('POST', `${home}/statement_matches`, match)
    expect(matched.status).toBe(201)
    const untouched = { corporative_card_id: null, paid_on: null, supplier_name: null }
    expect((await acme.member.api.get(`/expenses/${made.id}`)).body).toMatchObject(untouched)
    await acme.member.api.send('DELETE', `${home}/statement_matches/${matched.body.id}`)
    expect((await acme.manager.api.send('POST', `${home}/statement_matches`, match)).status).toBe(201)
    expect((await acme.member.api.get(`/expenses/${made.id}`)).body).toMatchObject({ corporative_card_id: card.id })
  })

  test('adds up what a card was charged and got back, without payments of it, and counts what wants an expense', async () => {
    const holder = acme.member
    const card = await registerCard(acme, holder)
    const bytes = ofxOf([
      { day: '2026-06-01', amount: '-10.10', name: 'PADARIA', id: '202606010001' },
      { day: '2026-06-02', amount: '-20.20', name: 'FARMACIA', id: '202606020001' },
      { day: '2026-06-03', amount: '5.05', name: 'ESTORNO PADARIA', id: '202606030001' },
    ])
    await uploadStatement(acme, holder, { card_id: card.id, bytes })
    const path = `${home}/statement_totals?corporative_card_id=${card.id}`
    const totals = [{ currency: 'BRL', spent: 30.3, returned: 5.05 }]
    expect((await holder.api.get(path)).body).toMatchObject({ totals, open_lines: 3 })
    expect((await acme.admin.api.get(path)).body).toMatchObject({ totals })
    const other = await acme.addUser('Other', 'member')
    expect((await other.api.get(path)).body).toEqual({ totals: [], open_lines: 0 })
  })

  test('an expense made of the suggested one of a line belongs to that line', async () => {
    const card = await registerCard(acme, acme.member)
    const bytes = ofxOf([{ day: '2026-05-03', amount: '-61.07', name: 'LIVRARIA', id: '202605030001' }])
    await uploadStatement(acme, acme.member, { card_id: card.id, bytes })
    const [line] = await linesOf(card.id)
    const converted = await acme.member.api.send('POST', `/pre_expenses/${line?.pre_expense_id}/convert`, {
      ...{ payer: { id: acme.organization_id, type: 'Organization' }, amount: 61.07, currency: 'BRL' },
    })
    expect(converted.body).toMatchObject({ corporative_card_id: card.id, paid_on: '2026-05-03T00:00:00Z' })
    const { statement_matches } = (await acme.member.api.get(`${home}/statement_matches?q[expense_id_eq]=${converted.body.id}`)).body
    expect(statement_matches).toMatchObject([{ statement_line_id: line?.id }])
  })

  test('one line can have several expenses, and what was given back needs none', async () => {
    const card = await registerCard(acme, acme.member)
    const parts = [
      await recordExpense(acme, acme.member, { amount: 40.11, description: 'Hotel Atlas', occurred_at: '2026-06-02' }),
      await recordExpense(acme, acme.member, { amount: 21.02, description: 'Hotel Atlas', occurred_at: '2026-06-02' }),
    ]
    const bytes = ofxOf([
      { day: '2026-06-03', amount: '-61.13', name: 'HOTEL ATLAS', id: '202606030001' },
      { day: '2026-06-04', amount: '-99.00', name: 'LOJA ERRADA', id: '202606040001' },
      { day: '2026-06-09', amount: '99.00', name: 'LOJA ERRADA', id: '202606090001', type: 'CREDIT' },
    ])
    await uploadStatement(acme, acme.member, { card_id: card.id, bytes })
    const { proposals } = (await acme.member.api.get(`${home}/statement_matching?corporative_card_id=${card.id}`)).body
    expect(proposals.map(({ kind, is_sure }: Json) => [kind, is_sure]).toSorted()).toEqual([
      ['cancelled', true],
      ['split', true],
    ])
    const split = proposals.find(({ kind }: Json) => kind === 'split')
    expect(split.claims.map(({ id }: Json) => id).toSorted()).toEqual(parts.map(({ id }) => id).toSorted())
  })

  test('money back for a settled expense belongs to it, changes no amount, and needs no other expense', async () => {
    const card = await registerCard(acme, acme.member)
    const hotel = await recordExpense(acme, acme.member, { amount: 250, supplier_name: 'Hotel Novo', occurred_at: '2026-07-02' })
    const charge = { day: '2026-07-03', amount: '-250.00', name: 'HOTEL NOVO', id: '202607030001' }
    await uploadStatement(acme, acme.member, { card_id: card.id, bytes: ofxOf([charge]) })
    const matching = async () => (await acme.manager.api.get(`${home}/statement_matching?corporative_card_id=${card.id}`)).body
    const accept = async () => {
      const { proposals } = await matching()
      const [{ line_ids, claims }] = proposals
      const body = { statement_line_id: line_ids[0], expense_id: claims[0].id }
      expect((await acme.manager.api.send('POST', `${home}/statement_matches`, body)).status).toBe(201)
      return proposals
    }
    await accept()
    const approval = { approved_amount: 250, approved_amount_currency: 'BRL' }
    for (const status of ['approved', 'liquidated']) await moveExpense(acme.manager, hotel.id, { ...approval, status })
    const back = { day: '2026-07-20', amount: '250.00', name: 'HOTEL NOVO', id: '202607200001', type: 'CREDIT' }
    await uploadStatement(acme, acme.member, { card_id: card.id, bytes: ofxOf([charge, back]) })
    expect(await accept()).toMatchObject([{ kind: 'refund', is_sure: true, difference: 0, claims: [{ kind: 'expense', id: hotel.id }] }])
    expect(await matching()).toMatchObject({ proposals: [], lines: [] })
    expect((await acme.manager.api.get(`/expenses/${hotel.id}`)).body).toMatchObject({ amount: 250, status: 'liquidated' })
  })

  test('is counted whole where it is long, without the lines that have a match', { timeout: 300_000 }, async () => {
    const card = await registerCard(acme, acme.member)
    const day = (of: number) => `2025-02-${String((of % 28) + 1).padStart(2, '0')}`
    const left = Array.from({ length: 203 }, (_, of) => ({ day: day(of), amount: `-${900 + of}.13`, name: 'NOWHERE', id: `L${of}` }))
    const [taxi] = left
    await uploadStatement(acme, acme.member, { card_id: card.id, bytes: ofxOf(left) })
    await recordExpense(acme, acme.member, { amount: 900.13, supplier_name: 'Nowhere', occurred_at: taxi?.day })
    const found = (await acme.member.api.get(`${home}/statement_matching?corporative_card_id=${card.id}`)).body
    expect([found.proposals.length, found.proposals_count, found.lines_count, found.lines.length]).toEqual([1, 1, 202, 201])
  })
})

test.each([250, 500])('an import that is cut off after %i lines says so, and the same file again makes it whole', async (before) => {
  const card = await registerCard(acme, acme.member)
  const bookings = Array.from({ length: 600 }, (_, index) => ({
    ...{
      day: `2026-05-${String(1 + (index % 28)).padStart(2, '0')}`,
      amount: `-${index + 1}.00`,
      name: `SHOP ${index}`,
      id: `cut-${card.id}-${index}`,
    },
  }))
  const path = join(acme.folder, 'cut.ofx')
  await writeFile(path, ofxOf(bookings))
  const { store } = acme.app
  let batches = 0
  const cut: Pick<typeof store, 'reader' | 'transact'> = {
    reader: store.reader,
    transact: (actor, work) => ((batches += 250) > before ? Promise.reject(new Error('killed')) : store.transact(actor, work)),
  }
  const actor = { user_id: acme.manager.user_id, origin: 'api' as const, request_id: null, if_match: null }
  const asked = { path, organization_id: acme.organization_id, card_id: card.id, currency: 'BRL', locale: 'en' as const, isDryRun: false }
  await expect(importStatement(cut, actor, asked)).rejects.toThrow('killed')
  const unfinished = async (person: 'manager' | 'member' | 'analyst') =>
    (await acme[person].api.get(`${home}/statement_matching?corporative_card_id=${card.id}`)).body.unfinished
  const half = { corporative_card_id: card.id, added: before, lines: 600, first_day: '2026-05-01', last_day: '2026-05-28' }
  for (const person of ['manager', 'member'] as const) expect(await unfinished(person)).toMatchObject([half])

  const ofJune = ofxOf(bookings.map((one) => ({ ...one, day: one.day.replace('-05-', '-06-'), id: `june-${one.id}` })))
  expect((await uploadStatement(acme, acme.manager, { card_id: card.id, bytes: ofJune })).body.added).toBe(600)
  expect(await unfinished('manager'), 'another statement').toMatchObject([half])
  const again = await uploadStatement(acme, acme.manager, { card_id: card.id, bytes: ofxOf(bookings) })
  expect(again.body).toMatchObject({ added: 600 - before, known: before })
  expect(await unfinished('manager')).toEqual([])
})
