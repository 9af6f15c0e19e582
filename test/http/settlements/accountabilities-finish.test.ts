import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { type AccountabilityStatus, accountabilityStatuses, decideAccountabilityMove } from '#shared/domain/accountability-status'
import { exponentOf } from '#shared/domain/currencies'
import { moveAccountability, newAccountability, openAccountability, recordApproved } from '#test/support/accountabilities'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { type Json, type Person, startInstance } from '#test/support/instance'
import { openRaw } from '#test/support/databases/raw'
import { inForm } from '#test/support/form'

const instance = await startInstance()
const olga = await instance.addUser('Olga Other', 'member')
const raw = await openRaw(instance)
afterAll(async () => {
  await raw.close()
  return instance.remove()
})

/** All that finishing could change, as it is stored. */
async function stored(): Promise<unknown> {
  const read = (text: string) => raw.all(text)
  return {
    expenses: await read('select id, version, status, reimbursement_id, activities_count from expenses order by id'),
    accountabilities: await read('select id, version, status, activities_count from accountabilities order by id'),
    reimbursements: await read('select * from reimbursements order by id'),
    activities: await read('select count(*) from activities'),
    // Others are notified meanwhile.
    changes: await read("select count(*) from change_log where table_name <> 'user_notifications'"),
  }
}

const putStatus = (person: Person, id: number, status: string) => person.api.send('PUT', `/accountability/${id}/status`, { status })

describe('moving', () => {
  test('offers to each what they may do, by name', async () => {
    const { id } = await openAccountability(instance, instance.member)
    const offered = async (person: Person, headers = {}) => (await person.api.get(`/accountability/${id}/status`, headers)).body.status
    expect(await offered(instance.member)).toEqual([{ slug: 'ready_to_review', name: 'Submitted' }])
    await moveAccountability(instance.member, id, 'ready_to_review')
    expect(await offered(instance.member)).toEqual([])
    expect(await offered(instance.analyst, { 'accept-language': 'pt' })).toMatchObject([{ slug: 'opened' }, { slug: 'analyzed' }])
    await moveAccountability(instance.analyst, id, 'analyzed')
    expect((await offered(instance.analyst)).map(({ slug }: Json) => slug)).toEqual(['ready_to_review'])
    expect((await offered(instance.manager)).map(({ slug }: Json) => slug)).toEqual(['ready_to_review', 'approved'])
  })

  test('gives 403 without permission, 422 where no one could, also for its current status', async () => {
    const { id } = await openAccountability(instance, instance.member)
    expect((await putStatus(instance.member, id, 'opened')).body).toEqual({ errors: { status: ['is not included in the list'] } })
    expect((await putStatus(instance.member, id, 'shipped')).status).toBe(422)
    expect((await putStatus(instance.member, id, 'finished')).status).toBe(422)
    await moveAccountability(instance.member, id, 'ready_to_review')
    expect((await putStatus(instance.member, id, 'analyzed')).status).toBe(403)
    expect((await putStatus(instance.stranger, id, 'analyzed')).status).toBe(404)
    await moveAccountability(instance.analyst, id, 'analyzed')
    expect((await putStatus(instance.analyst, id, 'approved')).status).toBe(403)
  })

  test('never leaves the table, for any caller and move', async () => {
    const people = ['member', 'analyst', 'manager', 'admin'] as const
    const step = fc.record({ person: fc.constantFrom(...people, 'stranger'), to: fc.constantFrom(...accountabilityStatuses) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const { id } = await openAccountability(instance, instance.analyst)
        let status: AccountabilityStatus = 'opened'
        for (const { person, to } of steps) {
          const relation = {
            role: person === 'stranger' ? undefined : person,
            is_receiver: person === 'member',
            is_holder: person === 'analyst',
          }
          const decision = decideAccountabilityMove({ status }, relation, to)
          const response = await putStatus(instance[person], id, to)
          const expected = { allowed: 200, forbidden: 403, not_offered: 422 }[decision.kind]
          expect(response.status).toBe(person === 'stranger' ? 404 : expected)
          if (response.status === 200) status = to
          expect((await instance.admin.api.get(`/accountability/${id}`)).body.status).toBe(status)
        }
      }),
      { numRuns: inForm(8, 25) },
    )
  })

  test('to approved and to finished asks that every expense is approved', async () => {
    const fine = await recordApproved(instance, instance.member)
    const open = await recordExpense(instance, instance.member)
    const { id } = await openAccountability(instance, instance.member, { expense_ids: [fine.id, open.id] })
    await moveAccountability(instance.manager, id, 'ready_to_review', 'analyzed')
    const refusal = { status: 422, body: { errors: { status: [`${open.id} must be approved first`] } } }
    expect(await putStatus(instance.manager, id, 'approved')).toMatchObject(refusal)
    await moveExpense(instance.manager, open.id, { status: 'approved', approved_amount: 1 })
    await moveAccountability(instance.manager, id, 'approved')
    await moveExpense(instance.manager, open.id, { status: 'analyzing' })
    expect((await instance.member.api.get(`/accountability/${id}/liquidation`)).body).toMatchObject({
      reimbursements: [{ amount: 12.5, currency: 'BRL', count: 1, receiver: { name: 'Mel Member' } }],
      advancements: [],
      not_approved_ids: [open.id],
    })
    const before = await stored()
    expect(await putStatus(instance.manager, id, 'finished')).toMatchObject(refusal)
    expect(await stored()).toEqual(before)
  })
})

describe('finishing', () => {
  const advance = { liquidate_through_advancement: true }

  test('pays each receiver in each currency once, and takes flagged expenses from the advance', async () => {
    const expenses = [
      await recordApproved(instance, instance.member, { amount: 100 }),
      await recordApproved(instance, instance.member, { amount: 20.01, approved_amount: 20 }),
      await recordApproved(instance, instance.member, { amount: 30, currency: 'USD' }),
      await recordApproved(instance, olga, { amount: 5, currency: 'USD', approved_amount: 26, approved_amount_currency: 'BRL' }),
      await recordApproved(instance, instance.member, { amount: 9, ...advance }),
    ]
    const ids = expenses.map(({ id }) => id)
    const { id } = await openAccountability(instance, instance.manager, { title: 'March', expense_ids: ids })
    await moveAccountability(instance.manager, id, 'ready_to_review', 'analyzed', 'approved')
    const { body: plan } = await instance.manager.api.get(`/accountability/${id}/liquidation`)
    expect(plan.reimbursements.map(({ receiver, currency, amount, count }: Json) => [receiver.name, currency, amount, count])).toEqual([
      ['Mel Member', 'BRL', 120, 2],
      ['Mel Member', 'USD', 30, 1],
      ['Olga Other', 'BRL', 26, 1],
    ])
    expect(plan.advancements).toMatchObject([{ currency: 'BRL', amount: 9, count: 1 }])
    expect(await moveAccountability(instance.manager, id, 'finished')).toMatchObject({ status: 'finished', expense_ids: ids })
    const after = await Promise.all(ids.map(async (one) => (await instance.manager.api.get(`/expenses/${one}`)).body))
    expect(after.map(({ status }) => status)).toEqual(ids.map(() => 'liquidated'))
    const [first, second, third, fourth, fifth] = after.map(({ reimbursement_id }) => reimbursement_id)
    expect(first).toBe(second)
    expect(new Set([first, third, fourth]).size).toBe(3)
    expect(fifth).toBeNull()
    const paid = async (reimbursement: number) =>
      (
        await raw.all(
          `select receiver_id, currency, amount_minor, description, responsible_user_id from reimbursements where id = ${reimbursement}`,
        )
      )[0]
    const by = { description: 'March', responsible_user_id: instance.manager.user_id }
    expect(await paid(first)).toEqual({ receiver_id: instance.member.user_id, currency: 'BRL', amount_minor: 12_000, ...by })
    expect(await paid(third)).toEqual({ receiver_id: instance.member.user_id, currency: 'USD', amount_minor: 3000, ...by })
    expect(await paid(fourth)).toEqual({ receiver_id: olga.user_id, currency: 'BRL', amount_minor: 2600, ...by })
    expect((await putStatus(instance.admin, id, 'approved')).status).toBe(422)
    expect((await instance.admin.api.send('PATCH', `/accountability/${id}`, { expense_ids: [] })).status).toBe(402)
  })

  test('settles all with the right sums or changes nothing at all', async () => {
    const drawn = fc.record({
      who: fc.constantFrom('member', 'olga'),
      currency: fc.constantFrom('BRL', 'USD', 'JPY', 'KWD'),
      amount_minor: fc.integer({ min: 1, max: 10_000_000 }),
      flagged: fc.boolean(),
      // Now and then one that has left approved since.
      spoiled: fc.integer({ min: 0, max: 11 }).map((n) => n === 0),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { maxLength: 8 }), async (mix) => {
        const expense_ids: number[] = []
        for (const { who, currency, amount_minor, flagged } of mix) {
          const amount = amount_minor / 10 ** exponentOf(currency)
          const attributes = { amount, currency, liquidate_through_advancement: flagged }
          expense_ids.push((await recordApproved(instance, who === 'olga' ? olga : instance.member, attributes)).id)
        }
        const { id } = await openAccountability(instance, instance.manager, { expense_ids })
        await moveAccountability(instance.manager, id, 'ready_to_review', 'analyzed', 'approved')
        for (const [index, { spoiled }] of mix.entries())
          if (spoiled) await moveExpense(instance.manager, expense_ids[index] ?? 0, { status: 'analyzing' })
        const before = await stored()
        const { status } = await putStatus(instance.manager, id, 'finished')
        if (mix.some(({ spoiled }) => spoiled)) {
          expect(status).toBe(422)
          expect(await stored()).toEqual(before)
          return
        }
        expect(status).toBe(200)
        const sums = new Map<string, number>()
        for (const { who, currency, amount_minor, flagged } of mix) {
          if (!flagged) sums.set(`${who} ${currency}`, (sums.get(`${who} ${currency}`) ?? 0) + amount_minor)
        }
        const rows = await raw.all(
          `select e.id, e.status, e.liquidate_through_advancement as flagged, r.id as paid, r.receiver_id, r.currency, r.amount_minor
             from accountability_expenses l join expenses e on e.id = l.expense_id left join reimbursements r on r.id = e.reimbursement_id
             where l.accountability_id = ${id}`,
        )
        expect(rows.length).toBe(mix.length)
        for (const row of rows) {
          expect(row.status).toBe('liquidated')
          expect(row.paid === null).toBe(row.flagged === 1)
        }
        const paid = new Map(rows.filter(({ paid: one }) => one !== null).map((row) => [row.paid, row]))
        expect(
          new Map(
            [...paid.values()].map(({ receiver_id, currency, amount_minor }) => [
              `${receiver_id === olga.user_id ? 'olga' : 'member'} ${currency}`,
              amount_minor,
            ]),
          ),
        ).toEqual(sums)
        expect(paid.size).toBe(sums.size)
      }),
      { numRuns: inForm(6, 20) },
    )
  })

  test.each([
    ['the second reimbursement', 'before insert on reimbursements when new.currency = ' + "'USD'"],
    ['the last expense', 'before update of status on expenses when new.currency = ' + "'USD'"],
    ['the move itself', "before update of status on accountabilities when new.status = 'finished'"],
    ['the audit trail', "before insert on activities when new.event = 'accountability_status_changed'"],
  ])('leaves nothing behind when %s fails', async (_, when) => {
    const expense_ids = [
      (await recordApproved(instance, instance.member, { amount: 1, ...advance })).id,
      (await recordApproved(instance, instance.member, { amount: 2 })).id,
      (await recordApproved(instance, instance.member, { amount: 3, currency: 'USD' })).id,
    ]
    const { id } = await openAccountability(instance, instance.manager, { expense_ids })
    await moveAccountability(instance.manager, id, 'ready_to_review', 'analyzed', 'approved')
    const before = await stored()
    await raw.exec(`create trigger broken ${when} begin select raise(abort, 'broken'); end`)
    expect((await putStatus(instance.manager, id, 'finished')).status).toBe(500)
    await raw.exec('drop trigger broken')
    expect(await stored()).toEqual(before)
    await moveAccountability(instance.manager, id, 'finished')
  })

  test('frees its expenses for another one when what paid them is deleted', async () => {
    const expense = await recordApproved(instance, instance.member)
    const { id } = await openAccountability(instance, instance.manager, { expense_ids: [expense.id] })
    await moveAccountability(instance.manager, id, 'ready_to_review', 'analyzed', 'approved', 'finished')
    const again = newAccountability(instance, { expense_ids: [expense.id] })
    expect((await instance.member.api.send('POST', '/accountabilities', again)).status).toBe(422)
    const { reimbursement_id } = (await instance.member.api.get(`/expenses/${expense.id}`)).body
    expect((await instance.manager.api.send('DELETE', `/reimbursements/${reimbursement_id}`)).status).toBe(204)
    expect((await instance.member.api.send('POST', '/accountabilities', again)).status).toBe(201)
  })

  test('refuses a sum that no reimbursement can hold', async () => {
    const amount = 900_000_000_000
    const expense_ids = [
      (await recordApproved(instance, instance.member, { amount })).id,
      (await recordApproved(instance, instance.member, { amount })).id,
    ]
    const { id } = await openAccountability(instance, instance.manager, { expense_ids })
    await moveAccountability(instance.manager, id, 'ready_to_review', 'analyzed', 'approved')
    const before = await stored()
    expect((await putStatus(instance.manager, id, 'finished')).body).toEqual({ errors: { status: ['is too large'] } })
    expect(await stored()).toEqual(before)
  })
})
