import { describe, expect, test } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { moveAccountability, newAccountability, openAccountability, recordApproved } from '#test/support/accountabilities'
import { moveExpense, recordExpense } from '#test/support/expenses'

const instance = await instanceOfFile()

describe('creating', () => {
  test('returns 201 with everything the contract names', async () => {
    const first = await recordExpense(instance, instance.member, { amount: 100, currency: 'BRL' })
    const second = await recordExpense(instance, instance.member, { amount: 7.5, currency: 'USD' })
    const { status, body, headers } = await instance.member.api.send(
      'POST',
      '/accountabilities',
      newAccountability(instance, { description: 'All of March', expense_ids: [second.id, first.id, first.id] }),
    )
    expect(status).toBe(201)
    expect(body).toMatchObject({
      title: 'Trip to Brasília',
      description: 'All of March',
      status: 'opened',
      expense_ids: [first.id, second.id],
      totals: [
        { currency: 'BRL', amount: 100, count: 1 },
        { currency: 'USD', amount: 7.5, count: 1 },
      ],
      payer: { id: instance.organization_id, type: 'Organization', name: 'Acme' },
      receiver: { id: instance.member.user_id, type: 'User' },
      responsible_user: { id: instance.member.user_id },
      activities_count: 1,
      version: 1,
    })
    expect(headers.get('etag')).toBe(`"${body.uid}.1"`)
    expect(body._links.map(({ rel }: { rel: string }) => rel)).toEqual([
      'self',
      'update',
      'partial_update',
      'destroy',
      'status',
      'activities',
    ])
  })

  test('responds on the singular path too, and accepts plain ids and no expenses', async () => {
    const { status, body } = await instance.analyst.api.send('POST', '/accountability', {
      title: 'Empty',
      payer_id: instance.organization_id,
      receiver_id: instance.member.user_id,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ expense_ids: [], totals: [], description: null })
    expect((await instance.member.api.get(`/accountabilities/${body.id}`)).body).toEqual(
      (await instance.member.api.get(`/accountability/${body.id}`)).body,
    )
  })

  test('rejects missing, blank and impossible values', async () => {
    const send = (body: unknown) => instance.member.api.send('POST', '/accountabilities', body)
    expect((await send({})).body).toEqual({
      errors: { payer: ["can't be blank"], receiver: ["can't be blank"], title: ["can't be blank"] },
    })
    expect((await send(newAccountability(instance, { title: ' ' }))).body).toEqual({ errors: { title: ["can't be blank"] } })
    expect((await send(newAccountability(instance, { payer: { id: 4711, type: 'Organization' } }))).body).toEqual({
      errors: { payer: ['is invalid'] },
    })
    expect((await instance.stranger.api.send('POST', '/accountabilities', newAccountability(instance))).status).toBe(422)
    const foreign = newAccountability(instance, { receiver: { id: instance.stranger.user_id, type: 'User' } })
    expect((await instance.analyst.api.send('POST', '/accountabilities', foreign)).body).toEqual({
      errors: { receiver: ['is not a member of this organization'] },
    })
    const other = newAccountability(instance, { receiver: { id: instance.admin.user_id, type: 'User' } })
    expect((await send(other)).status).toBe(403)
  })

  test('says which expenses cannot be in it', async () => {
    const mine = await recordExpense(instance, instance.member)
    const hidden = await recordExpense(instance, instance.analyst)
    const paid = await recordApproved(instance, instance.member)
    await moveExpense(instance.manager, paid.id, { status: 'liquidated' })
    const send = async (person: 'member' | 'analyst', expense_ids: number[]) =>
      (await instance[person].api.send('POST', '/accountabilities', newAccountability(instance, { expense_ids }))).body
    expect(await send('member', [hidden.id])).toEqual({ errors: { expense_ids: ['is invalid'] } })
    expect(await send('member', [4711])).toEqual({ errors: { expense_ids: ['is invalid'] } })
    expect(await send('member', [paid.id])).toEqual({ errors: { expense_ids: [`${paid.id} can not be added once liquidated`] } })
    const elsewhere = await instance.member.api.send('POST', '/organizations', { name: 'Elsewhere' })
    const foreign = await recordExpense(instance, instance.member, { payer: { id: elsewhere.body.id, type: 'Organization' } })
    expect(await send('member', [foreign.id])).toEqual({
      errors: { expense_ids: [`${foreign.id} must have the payer of the accountability`] },
    })
    const first = await openAccountability(instance, instance.member, { expense_ids: [mine.id] })
    const taken = { errors: { expense_ids: [`${mine.id} can not be in two unfinished accountabilities`] } }
    expect(await send('analyst', [mine.id])).toEqual(taken)
    expect(await send('analyst', [mine.id, hidden.id])).toEqual(taken)
    expect((await instance.manager.api.send('DELETE', `/accountability/${first.id}`)).status).toBe(204)
    expect(await send('analyst', [mine.id, hidden.id])).toMatchObject({ expense_ids: [mine.id, hidden.id] })
  })
})

test('of two that ask for the same expense at once, one gets it', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const ask = (person: 'member' | 'analyst') =>
    instance[person].api.send('POST', '/accountabilities', newAccountability(instance, { expense_ids: [id] }))
  const responses = await Promise.all([ask('member'), ask('analyst')])
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 422])
})

describe('reading', () => {
  test('is for the receiver, the creator and those who review; others get a 404', async () => {
    const other = await instance.addUser('Olga Other', 'member')
    const made = await openAccountability(instance, instance.analyst)
    for (const name of ['member', 'analyst', 'manager', 'admin'] as const)
      expect((await instance[name].api.get(`/accountability/${made.id}`)).status).toBe(200)
    for (const { api } of [other, instance.stranger])
      for (const path of ['', '/status', '/liquidation', '/expenses', '/activities'])
        expect((await api.get(`/accountability/${made.id}${path}`)).status).toBe(404)
    const listed = async (api: typeof other.api) =>
      (await api.get('/accountabilities?per_page=100')).body.accountabilities.some(({ id }: { id: number }) => id === made.id)
    expect(await listed(other.api)).toBe(false)
    expect(await listed(instance.stranger.api)).toBe(false)
    for (const name of ['member', 'analyst', 'manager'] as const) expect(await listed(instance[name].api)).toBe(true)
  })

  test('lists in pages, newest first, filtered and sorted', async () => {
    const receiver = await instance.addUser('Filip Filter', 'member')
    const made = []
    for (const title of ['Alpha', 'Beta', 'Gamma'])
      made.push(await openAccountability(instance, instance.analyst, { title, receiver: { id: receiver.user_id, type: 'User' } }))
    await moveAccountability(instance.analyst, made[1].id, 'ready_to_review')
    const titles = async (query: string) => {
      const { status, body } = await receiver.api.get(`/accountabilities?${query}`)
      return status === 200 ? body.accountabilities.map(({ title }: { title: string }) => title) : status
    }
    expect(await titles('')).toEqual(['Gamma', 'Beta', 'Alpha'])
    expect(await titles('q[status_eq]=ready_to_review')).toEqual(['Beta'])
    expect(await titles('q[title_start]=al')).toEqual(['Alpha'])
    expect(await titles(`q[id_in][]=${made[0].id}&q[id_in][]=${made[2].id}`)).toEqual(['Gamma', 'Alpha'])
    expect(await titles(`q[receiver_id_eq]=${receiver.user_id}&q[payer_id_eq]=${instance.organization_id}&sort=title`)).toEqual([
      'Alpha',
      'Beta',
      'Gamma',
    ])
    expect(await titles('q[created_at_gt]=2100-01-01')).toEqual([])
    expect(await titles('q[description_eq]=x')).toBe(422)
    const page = await receiver.api.get('/accountabilities?per_page=2')
    expect(page.body).toMatchObject({ count: 3, current_page: 1, total_pages: 2 })
    expect(page.headers.get('link')).toContain('rel=next')
  })

  test('of its expenses shows those that the caller may see', async () => {
    const own = await recordExpense(instance, instance.member)
    const others = await recordExpense(instance, instance.analyst)
    const { id } = await openAccountability(instance, instance.analyst, { expense_ids: [own.id, others.id] })
    const seen = async (person: 'member' | 'manager') =>
      (await instance[person].api.get(`/accountability/${id}/expenses?sort=id`)).body.expenses.map((expense: { id: number }) => expense.id)
    expect(await seen('manager')).toEqual([own.id, others.id])
    expect(await seen('member')).toEqual([own.id])
    expect((await instance.member.api.get(`/accountability/${id}`)).body.expense_ids).toEqual([own.id])
    expect((await instance.member.api.get(`/expenses/${others.id}`)).status).toBe(404)
    const empty = await openAccountability(instance, instance.analyst)
    expect((await instance.manager.api.get(`/accountability/${empty.id}/expenses`)).body).toMatchObject({ count: 0, expenses: [] })
  })

  test('offers the expenses of a receiver that are in no report yet', async () => {
    const receiver = await instance.addUser('Jo Joinable', 'member')
    const [free, taken, rejected] = [
      await recordExpense(instance, receiver),
      await recordExpense(instance, receiver),
      await recordExpense(instance, receiver),
    ]
    await moveExpense(instance.manager, rejected.id, { status: 'rejected' })
    await openAccountability(instance, receiver, { receiver: { id: receiver.user_id, type: 'User' }, expense_ids: [taken.id] })
    const path = `/accountabilities/new/expenses?payer_id=${instance.organization_id}&receiver_id=${receiver.user_id}`
    for (const { api } of [receiver, instance.analyst])
      expect((await api.get(path)).body).toMatchObject({ count: 1, expenses: [{ id: free.id }] })
    expect((await instance.member.api.get(path)).body).toMatchObject({ count: 0 })
    expect((await receiver.api.get('/accountabilities/new/expenses')).status).toBe(422)
  })

  test('shows what happened to it', async () => {
    const { id } = await openAccountability(instance, instance.member, { title: 'Old' })
    await instance.member.api.send('PATCH', `/accountability/${id}`, { title: 'New' })
    await moveAccountability(instance.member, id, 'ready_to_review')
    const { body } = await instance.analyst.api.get(`/accountability/${id}/activities`)
    expect(body.activities.map(({ changes }: { changes: string }) => changes)).toEqual([
      'Mel Member moved the expense report from Draft to Submitted.',
      'Mel Member changed the expense report: the title from “Old” to “New”.',
      'Mel Member created the expense report “Old”.',
    ])
    expect((await instance.member.api.get(`/accountability/${id}`)).body.activities_count).toBe(3)
  })
})
