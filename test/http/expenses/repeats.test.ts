import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { drawReceipt } from '#main/demo/receipts'
import { capture, listProcessed } from '#test/support/captures'
import { moveExpense, newExpense, recordExpense } from '#test/support/expenses'
import { type Json, type Person, apiOf, startInstance } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { cancellation, goodsInvoice, makeKey, municipalService } from '#test/support/invoices'
import { restart } from '#test/support/restart'
import { damage, makeCode, paintReceipt } from '#test/support/receipts/coded-receipts'
import { uploadFile } from '#test/support/upload'

const instance = await instanceOfFile()

let used = 100
/** An amount that no other test has. */
const newAmount = () => (used += 1)
const newNumber = () => String(7000 + newAmount())

type Caller = Pick<Person, 'api'>
const repeatsOf = async ({ api }: Caller, id: number): Promise<Json> => (await api.get(`/expenses/${id}/repeats`)).body
const idsOf = ({ repeats }: Json): number[] => repeats.map(({ expense }: Json) => expense.id)
const others = async (caller: Caller, id: number) => idsOf(await repeatsOf(caller, id))
const countOn = async (id: number): Promise<number> =>
  (await instance.manager.api.get(`/expenses/${id}`)).body.flags.find(({ condition }: Json) => condition === 'repeat')?.value ?? 0

async function attach(person: Caller, expense_id: number, upload: Parameters<typeof uploadFile>[1]): Promise<number> {
  const file = await uploadFile(person, upload)
  const { status, body } = await person.api.send('POST', `/expenses/${expense_id}/attachments`, { file })
  expect(status).toBe(201)
  return body.id
}
const attachXml = (person: Caller, id: number, xml: string) =>
  attach(person, id, { bytes: Buffer.from(xml), name: 'invoice.xml', type: 'application/xml' })

/** An expense like no other, with an electronic invoice. */
async function recordWith(person: Person, xml: string): Promise<number> {
  const { id } = await recordExpense(instance, person, { amount: newAmount(), description: `only ${newNumber()}` })
  await attachXml(person, id, xml)
  return id
}

async function drawn(amount: number): Promise<Buffer> {
  const lines = [
    ['Coffee', amount / 2],
    ['Bread and butter', amount / 2],
  ] as const
  return Buffer.from((await drawReceipt({ kind: 'photo', supplier: 'Cantina', lines }, { day: '2026-03-04', currency: 'BRL' })).bytes)
}

async function decide(person: Person, [expense_id, other_expense_id]: readonly [number, number], name = 'Two rides') {
  const path = `/organizations/${instance.organization_id}/repeat_decisions`
  return person.api.send('POST', path, { expense_id, other_expense_id, name })
}

describe('what is found', () => {
  test('a purchase that was claimed whole is found again in two parts, by the second of them', async () => {
    const { member, analyst } = instance
    const amount = 3 * newAmount() + 7000
    const claim = (part: number) => recordExpense(instance, member, { amount: part, description: `Stage and lights ${amount}` })
    const [whole, small] = [await claim(amount), await claim(1234)]
    expect(await countOn(small.id)).toBe(0)
    const large = await claim(amount - 1234)
    expect(await countOn(large.id)).toBe(2)
    const { repeats } = await repeatsOf(analyst, large.id)
    expect(repeats.map(({ expense, evidence }: Json) => [expense.id, evidence])).toEqual([
      [whole.id, ['split']],
      [small.id, ['split']],
    ])
  })

  test('an expense that says the same as one before is a repeat of it, and the one before stays as it was', async () => {
    const { member } = instance
    const amount = newAmount()
    const first = await recordExpense(instance, member, { amount, description: 'Taxi to the airport' })
    const second = await recordExpense(instance, member, { amount, description: 'airport taxi', occurred_at: '2026-03-07' })
    expect(second.flags).toMatchObject([{ condition: 'repeat', weight: 'note', policy_id: null, policy: null, value: 1 }])
    expect(second.flag_level).toBe(1)
    expect((await member.api.get(`/expenses/${first.id}`)).body).toMatchObject({ version: 1, flags: [] })
    expect(await repeatsOf(member, first.id)).toMatchObject({
      repeats: [{ expense: { id: second.id }, evidence: ['description', 'claimant'] }],
      hidden_count: 0,
    })
  })

  test('in a batch, too, and when an edit makes it one or takes it away', async () => {
    const { member } = instance
    const amount = newAmount()
    const operation = { method: 'POST', path: '/expenses', body: newExpense(instance, { amount }) }
    const { body } = await member.api.send('POST', '/batch', { operations: [operation, operation] })
    const [first, second] = body.results.map((one: Json) => one.body)
    expect([await countOn(first.id), await countOn(second.id)]).toEqual([0, 1])
    await member.api.send('PATCH', `/expenses/${first.id}`, { amount: newAmount() })
    expect(await countOn(second.id)).toBe(0)
    await member.api.send('PATCH', `/expenses/${first.id}`, { amount })
    expect(await countOn(second.id)).toBe(1)
    await member.api.send('DELETE', `/expenses/${first.id}`)
    expect(await countOn(second.id)).toBe(0)
  })

  test('two fares of a supplier that someone buys from every few days: repeats only in the same words', async () => {
    const { member } = instance
    const ride = (amount: number, day: string, description: string) =>
      recordExpense(instance, member, { amount, occurred_at: day, description, supplier_name: 'Rides & Co' })
    const fare = newAmount()
    const seldom = [await ride(fare, '2026-06-01', 'Ride to the office'), await ride(fare, '2026-06-02', 'My ride to the office')]
    expect(await countOn(seldom[1]?.id)).toBe(1)
    for (let day = 10; day < 18; day += 1) await ride(newAmount(), `2026-06-${day}`, 'Ride')
    const first = await ride(newAmount(), '2026-06-20', 'Ride to the office')
    const reworded = await ride(first.amount, '2026-06-21', 'My ride to the office')
    expect(await countOn(reworded.id)).toBe(0)
    const repeated = await ride(first.amount, '2026-06-22', 'Ride to the office')
    expect((await repeatsOf(member, repeated.id)).repeats).toMatchObject([{ expense: { id: first.id } }])
    expect((await repeatsOf(member, (await ride(first.amount, '2026-06-22', 'By car')).id)).repeats).toMatchObject([
      { expense: { id: repeated.id } },
    ])
  })

  test('the same file, of another amount and another person', async () => {
    const { member, analyst } = instance
    const upload = { bytes: await drawn(40), name: 'receipt.jpg', type: 'image/jpeg' }
    const mine = (await recordExpense(instance, member, { amount: newAmount() })).id
    const theirs = (await recordExpense(instance, analyst, { amount: newAmount() })).id
    await attach(member, mine, upload)
    const attachment = await attach(analyst, theirs, upload)
    expect((await repeatsOf(analyst, theirs)).repeats).toMatchObject([{ expense: { id: mine }, evidence: ['file'], score: 97 }])
    expect(await countOn(theirs)).toBe(1)
    await analyst.api.send('DELETE', `/expenses/${theirs}/attachments/${attachment}`)
    expect(await countOn(theirs)).toBe(0)
  })

  test('a copy of the picture: re-compressed and shrunk', async () => {
    const { member, analyst } = instance
    const amount = newAmount()
    const bytes = await drawn(amount)
    const copy = await sharp(bytes).resize({ width: 400 }).jpeg({ quality: 55 }).toBuffer()
    const mine = (await recordExpense(instance, member, { amount, description: 'Coffee' })).id
    const theirs = (await recordExpense(instance, analyst, { amount, occurred_at: '2026-09-01' })).id
    await attach(member, mine, { bytes, name: 'a.jpg', type: 'image/jpeg' })
    await attach(analyst, theirs, { bytes: copy, name: 'b.jpg', type: 'image/jpeg' })
    expect((await repeatsOf(analyst, theirs)).repeats).toMatchObject([{ expense: { id: mine }, evidence: ['picture'] }])
  })

  test('the same invoice in another file, also where it was captured first', async () => {
    const { member, url } = instance
    const number = newNumber()
    const first = await recordWith(member, goodsInvoice({ number }))
    const second = await recordWith(member, goodsInvoice({ number, name: 'Cantina' }))
    expect((await repeatsOf(member, second)).repeats).toMatchObject([{ expense: { id: first }, evidence: ['invoice'], score: 99 }])
    const xml = goodsInvoice({ number, name: 'Captured' })
    const { id } = await capture({ token: member.token, url }, { bytes: Buffer.from(xml), name: 'invoice.xml' })
    const third = (await recordExpense(instance, member, { amount: newAmount() })).id
    await listProcessed(member)
    expect((await member.api.send('POST', '/captures/attach', { expense_id: third, capture_ids: [id] })).status).toBe(201)
    await expect.poll(() => countOn(third)).toBe(2)
  })

  test('the same invoice as XML and by the code on a photo', async () => {
    const { member, analyst } = instance
    const code = makeCode(4)
    const first = (await recordExpense(instance, analyst, { amount: newAmount() })).id
    await attach(analyst, first, { bytes: await damage(await paintReceipt(code), 'mild', 4), name: 'photo.jpg', type: 'image/jpeg' })
    const second = await recordWith(member, goodsInvoice({ key: code.key }))
    await expect
      .poll(async () => (await repeatsOf(analyst, second)).repeats)
      .toMatchObject([{ expense: { id: first }, evidence: ['invoice'] }])
  })

  test('an NFS-e without an access key by issuer, number and code, and a wrong key as it is', async () => {
    const { member } = instance
    const number = newNumber()
    const first = await recordWith(member, municipalService({ number }))
    expect(await others(member, await recordWith(member, municipalService({ number }, 'ns2:')))).toEqual([first])
    const key = makeKey({ number: newNumber() })
    const wrong = key.slice(0, -1) + String((Number(key.at(-1)) + 1) % 10)
    const odd = await recordWith(member, goodsInvoice({ key: wrong, name: 'One' }))
    expect(await others(member, await recordWith(member, goodsInvoice({ key: wrong })))).toEqual([odd])
  })

  test('not the event that cancels an invoice, a rejected expense, a usual price', async () => {
    const { member, manager } = instance
    await recordWith(member, cancellation())
    expect(await others(member, await recordWith(member, `${cancellation()}<!-- -->`))).toEqual([])
    const amount = newAmount()
    const rejected = await recordExpense(instance, member, { amount })
    const again = await recordExpense(instance, member, { amount })
    await moveExpense(manager, rejected.id, { status: 'rejected' })
    expect(await countOn(again.id)).toBe(0)
    const daily = { amount: newAmount(), description: 'Daily allowance' }
    const days: number[] = []
    for (let day = 0; day < 7; day += 1) days.push((await recordExpense(instance, member, daily)).id)
    expect(await Promise.all(days.map(countOn))).toEqual([0, 1, 2, 3, 4, 0, 0])
  })
})

describe('who learns of it', () => {
  test('reviewers see both; a claimant learns that there is another and nothing of it', async () => {
    const { member } = instance
    const other = await instance.addUser('Otto', 'member')
    const amount = newAmount()
    const asked = { amount, description: 'Dinner with the board' }
    const theirs = (await recordExpense(instance, other, asked)).id
    const query = `amount=${amount}&currency=BRL&occurred_at=2026-03-05&description=board%20dinner%20with%20the`
    const preview = (person: Person) => person.api.get(`/organizations/${instance.organization_id}/repeats?${query}`)
    expect((await preview(member)).body).toEqual({ repeats: [], hidden_count: 1 })
    expect(idsOf((await preview(instance.manager)).body)).toEqual([theirs])
    expect((await preview(instance.stranger)).status).toBe(404)
    const mine = (await recordExpense(instance, member, asked)).id
    expect(await repeatsOf(member, mine)).toEqual({ repeats: [], hidden_count: 1, decisions: [] })
    for (const reviewer of [instance.analyst, instance.manager, instance.admin]) expect(await others(reviewer, mine)).toEqual([theirs])
    expect((await other.api.get(`/expenses/${mine}/repeats`)).status).toBe(404)
  })

  test('before it is saved, by the hash of a file, by an upload of the caller, by a capture and by the key of an invoice', async () => {
    const { member, url } = instance
    const number = newNumber()
    const xml = goodsInvoice({ number })
    const id = await recordWith(member, xml)
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(xml))).toString('hex')
    const preview = async (query: string) =>
      idsOf((await member.api.get(`/organizations/${instance.organization_id}/repeats?${query}`)).body)
    expect(await preview(`files=${digest}`)).toEqual([id])
    const upload = { bytes: Buffer.from(xml), name: 'invoice.xml', type: 'text/xml' }
    expect(await preview(`files=${encodeURIComponent(await uploadFile(member, upload))}`)).toEqual([id])
    expect(await preview(`files=${encodeURIComponent(await uploadFile(instance.manager, upload))}`)).toEqual([])
    expect(await preview(`invoice_keys=${makeKey({ number })}`)).toEqual([id])
    const { id: capture_id } = await capture({ token: member.token, url }, { bytes: Buffer.from(xml), name: 'invoice.xml' })
    await listProcessed(member)
    expect(await preview(`capture_ids=${capture_id}`)).toEqual([id])
    expect(await preview(`files=${digest}&except_id=${id}`)).toEqual([])
  })
})

describe('a decision that two are no repeats', () => {
  test('holds for the pair, says who and why, and can be taken back', async () => {
    const { member, manager } = instance
    const amount = newAmount()
    const [one, two] = [await recordExpense(instance, member, { amount }), await recordExpense(instance, member, { amount })]
    expect((await decide(member, [one.id, two.id])).status).toBe(403)
    expect((await decide(manager, [one.id, two.id], '')).body.errors.name).toEqual(["can't be blank"])
    const { status, body } = await decide(manager, [two.id, one.id])
    expect([status, body.expense_id, body.other_expense_id, body.user.id]).toEqual([201, one.id, two.id, manager.user_id])
    expect(await countOn(two.id)).toBe(0)
    expect(await repeatsOf(manager, two.id)).toMatchObject({ repeats: [], decisions: [{ id: body.id, name: 'Two rides' }] })
    expect((await repeatsOf(member, two.id)).decisions).toEqual([])
    expect((await decide(manager, [one.id, two.id])).body.errors.other_expense_id).toHaveLength(1)
    // Nor is it asked again after an edit.
    await member.api.send('PATCH', `/expenses/${two.id}`, { description: 'The second ride' })
    expect(await countOn(two.id)).toBe(0)
    const three = await recordExpense(instance, member, { amount })
    expect(await countOn(three.id)).toBe(2)
    const { activities } = (await manager.api.get('/activities?per_page=100')).body
    expect(activities.find(({ subject }: Json) => subject.type === 'RepeatDecision').changes).toContain('Two rides')
    const path = `/organizations/${instance.organization_id}/repeat_decisions/${body.id}`
    expect((await manager.api.send('PATCH', path, { expense_id: three.id })).status).toBe(422)
    expect((await manager.api.send('DELETE', path)).status).toBe(204)
    expect(await countOn(two.id)).toBe(1)
  })

  test('an approved expense keeps what was found', async () => {
    const { member, manager } = instance
    const amount = newAmount()
    const [one, two] = [await recordExpense(instance, member, { amount }), await recordExpense(instance, member, { amount })]
    await moveExpense(manager, two.id, { status: 'approved', approved_amount: amount, approved_amount_currency: 'BRL' })
    await decide(manager, [one.id, two.id])
    expect(await countOn(two.id)).toBe(1)
  })
})

test('files and expenses from before are compared at the next start', async () => {
  const before = await startInstance()
  const actor = { user_id: 0, origin: 'test', request_id: null, if_match: null }
  const bytes = await drawn(31)
  const record = async (attributes: Record<string, unknown>) => (await recordExpense(before, before.member, attributes)).id
  const [one, two] = [await record({ amount: 31, description: 'a' }), await record({ amount: 31, occurred_at: '2026-08-01' })]
  await attach(before.member, one, { bytes, name: 'a.jpg', type: 'image/jpeg' })
  const copy = await sharp(bytes).jpeg({ quality: 50 }).toBuffer()
  await attach(before.member, two, { bytes: copy, name: 'b.jpg', type: 'image/jpeg' })
  await before.app.store.transact(actor, async (tx) => {
    await tx.db.updateTable('picture_hashes').set({ is_read: 0, hash: null }).execute()
    await tx.db.deleteFrom('picture_bands').execute()
    await tx.db.updateTable('expenses').set({ flags: null, flag_level: null }).execute()
  })
  const again = await restart(before)
  try {
    const { api } = { api: apiOf(again.url, before.member.token) }
    await expect.poll(async () => (await api.get(`/expenses/${two}`)).body.flag_level).toBe(1)
    expect(await others({ api }, one)).toEqual([two])
  } finally {
    await again.close()
    await before.remove()
  }
})
