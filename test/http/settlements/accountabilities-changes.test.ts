import { describe, expect, test } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { moveAccountability, newAccountability, openAccountability } from '#test/support/accountabilities'
import { recordExpense } from '#test/support/expenses'
import { whileExpired } from '#test/support/expiry'

const instance = await instanceOfFile()

const notOpened = 'Expenses can not be changed when accountability not have opened status'

describe('changing', () => {
  test('PUT demands all attributes, and what a representation says changes nothing when sent back', async () => {
    const expense = await recordExpense(instance, instance.member)
    const { id } = await openAccountability(instance, instance.member, { expense_ids: [expense.id] })
    const path = `/accountability/${id}`
    expect((await instance.member.api.send('PUT', path, {})).body.errors).toEqual(
      Object.fromEntries(['payer', 'receiver', 'title', 'description', 'expense_ids'].map((name) => [name, ["can't be blank"]])),
    )
    await moveAccountability(instance.manager, id, 'ready_to_review', 'analyzed')
    const { body } = await instance.member.api.get(path)
    const echoed = await instance.member.api.send('PUT', path, body)
    expect(echoed).toMatchObject({ status: 200, body })
    expect((await instance.member.api.send('PUT', path, { ...body, title: 'Better', status: 'finished' })).body).toMatchObject({
      title: 'Better',
      status: 'analyzed',
      version: body.version + 1,
    })
  })

  test('its expenses is for everyone who sees it while opened, then for analysts, then for no one', async () => {
    const [one, two] = [await recordExpense(instance, instance.member), await recordExpense(instance, instance.member)]
    const { id } = await openAccountability(instance, instance.member, { expense_ids: [one.id] })
    const change = async (person: 'member' | 'analyst' | 'admin', expense_ids: number[]) =>
      instance[person].api.send('PATCH', `/accountability/${id}`, { expense_ids })
    expect((await change('member', [one.id, two.id])).body.expense_ids).toEqual([one.id, two.id])
    await moveAccountability(instance.member, id, 'ready_to_review')
    expect(await change('member', [one.id])).toMatchObject({ status: 402, body: { errors: { message: notOpened } } })
    expect((await change('member', [two.id, one.id])).status).toBe(200)
    expect((await change('analyst', [two.id])).body).toMatchObject({ expense_ids: [two.id] })
    await moveAccountability(instance.manager, id, 'analyzed')
    for (const person of ['member', 'analyst', 'admin'] as const) {
      expect(await change(person, [])).toMatchObject({ status: 402, body: { errors: { message: notOpened } } })
      expect((await change(person, [two.id])).status).toBe(200)
    }
    const inPortuguese = await instance.member.api.send('PATCH', `/accountability/${id}`, { expense_ids: [] }, { 'accept-language': 'pt' })
    expect(inPortuguese.status).toBe(402)
    expect(inPortuguese.body.errors.message).not.toBe(notOpened)
  })

  test('its expenses raises its version once, and its audit trail says from what to what', async () => {
    const expense = await recordExpense(instance, instance.member)
    const { id } = await openAccountability(instance, instance.member)
    const changed = await instance.member.api.send('PATCH', `/accountability/${id}`, { expense_ids: [expense.id] })
    expect(changed.body).toMatchObject({ version: 2, activities_count: 2 })
    const { body } = await instance.member.api.get(`/accountability/${id}/activities`)
    expect(body.activities[0].details).toEqual([{ attribute: 'expense_ids', from: '', to: String(expense.id) }])
  })

  test('its parties keeps the rules of creating, and its payer stays once it has expenses', async () => {
    const expense = await recordExpense(instance, instance.member)
    const { id } = await openAccountability(instance, instance.member, { expense_ids: [expense.id] })
    const change = (person: 'member' | 'analyst', body: unknown) => instance[person].api.send('PATCH', `/accountability/${id}`, body)
    const to = (user_id: number) => ({ receiver: { id: user_id, type: 'User' } })
    expect((await change('member', to(instance.admin.user_id))).status).toBe(403)
    expect((await change('analyst', to(instance.stranger.user_id))).body.errors).toHaveProperty('receiver')
    expect((await change('analyst', to(instance.analyst.user_id))).body.receiver.id).toBe(instance.analyst.user_id)
    const { body: elsewhere } = await instance.member.api.send('POST', '/organizations', { name: 'Elsewhere too' })
    const moved = { payer: { id: elsewhere.id, type: 'Organization' }, ...to(instance.member.user_id) }
    expect((await change('member', moved)).body).toEqual({ errors: { payer: ['is already in use'] } })
    await change('member', { expense_ids: [] })
    expect((await change('member', moved)).body.payer.id).toBe(elsewhere.id)
    expect((await instance.analyst.api.get(`/accountability/${id}`)).status).toBe(404)
  })

  test('is rejected for an older version', async () => {
    const { id, uid } = await openAccountability(instance, instance.member)
    const seen = { 'if-match': `"${uid}.1"` }
    expect((await instance.member.api.send('PATCH', `/accountability/${id}`, { title: 'A' }, seen)).status).toBe(200)
    expect((await instance.member.api.send('PATCH', `/accountability/${id}`, { title: 'B' }, seen)).status).toBe(412)
    expect((await instance.member.api.send('PUT', `/accountability/${id}/status`, { status: 'ready_to_review' }, seen)).status).toBe(412)
    expect((await instance.manager.api.send('DELETE', `/accountability/${id}`, undefined, seen)).status).toBe(412)
  })
})

describe('deleting', () => {
  test('is for managers and above, frees the expenses, and is impossible once finished', async () => {
    const expense = await recordExpense(instance, instance.member)
    const { id } = await openAccountability(instance, instance.member, { expense_ids: [expense.id] })
    for (const name of ['member', 'analyst'] as const)
      expect((await instance[name].api.send('DELETE', `/accountability/${id}`)).status).toBe(403)
    await moveAccountability(instance.member, id, 'ready_to_review')
    expect((await instance.manager.api.send('DELETE', `/expenses/${expense.id}`)).status).toBe(422)
    expect((await instance.manager.api.send('DELETE', `/accountability/${id}`)).status).toBe(204)
    expect((await instance.manager.api.get(`/accountability/${id}`)).status).toBe(404)
    expect((await instance.manager.api.send('DELETE', `/expenses/${expense.id}`)).status).toBe(204)
    const done = await openAccountability(instance, instance.member)
    await moveAccountability(instance.admin, done.id, 'ready_to_review', 'analyzed', 'approved', 'finished')
    for (const name of ['analyst', 'admin'] as const)
      expect((await instance[name].api.send('DELETE', `/accountability/${done.id}`)).status).toBe(422)
  })

  test('deleting an expense removes it from its opened accountability', async () => {
    const [kept, gone] = [await recordExpense(instance, instance.member), await recordExpense(instance, instance.member)]
    const { id } = await openAccountability(instance, instance.member, { expense_ids: [kept.id, gone.id] })
    expect((await instance.member.api.send('DELETE', `/expenses/${gone.id}`)).status).toBe(204)
    expect((await instance.member.api.get(`/accountability/${id}`)).body).toMatchObject({ expense_ids: [kept.id], totals: [{ count: 1 }] })
  })
})

test('an expired organization takes no writes, and may still be read', async () => {
  const { id } = await openAccountability(instance, instance.member)
  await whileExpired(instance, async () => {
    const responses = [
      await instance.member.api.send('POST', '/accountabilities', newAccountability(instance)),
      await instance.member.api.send('PATCH', `/accountability/${id}`, { title: 'x' }),
      await instance.member.api.send('PUT', `/accountability/${id}/status`, { status: 'ready_to_review' }),
      await instance.manager.api.send('DELETE', `/accountability/${id}`),
    ]
    for (const { status, body } of responses) {
      expect(status).toBe(402)
      expect(body.errors.message).toMatch(/^This organization is expired/)
    }
    expect((await instance.stranger.api.send('PATCH', `/accountability/${id}`, { title: 'x' })).status).toBe(404)
    expect((await instance.member.api.get(`/accountability/${id}`)).status).toBe(200)
  })
})
