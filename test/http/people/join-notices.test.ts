import { expect, test } from 'vitest'
import { checked } from '#test/support/contract'
import { recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()
const members = `/organizations/${instance.organization_id}/members`

const add = (by: Person, email: string, role = 'member') => by.api.send('POST', members, { user: { email }, role })
const noticesOf = async ({ api }: Person): Promise<Json[]> => (await checked(api).get('/join_notices')).body.join_notices

test('whom someone adds finds who it was and as what, until they have read it', async () => {
  const joiner = await instance.addUser('Jo Joiner')
  await add(instance.analyst, 'jo.joiner@example.org', 'analyst')
  const [notice, ...others] = await noticesOf(joiner)
  expect(others).toEqual([])
  expect(notice).toMatchObject({
    organization: { id: instance.organization_id, name: 'Acme', type: 'Organization' },
    role: 'analyst',
    added_by: { id: instance.analyst.user_id, name: 'Ann Analyst', type: 'User' },
  })
  const path = `/join_notices/${notice.id}`
  for (const other of [instance.analyst, instance.admin, instance.stranger]) {
    expect(await noticesOf(other)).toEqual([])
    expect((await other.api.send('DELETE', path)).status).toBe(404)
  }
  expect((await checked(joiner.api).send('DELETE', path)).status).toBe(204)
  expect(await noticesOf(joiner)).toEqual([])
  expect((await joiner.api.send('DELETE', path)).status).toBe(404)
  expect((await joiner.api.get(members)).status).toBe(200)
})

test('who leaves instead sees nothing of the organization, and finds a new notice when added again', async () => {
  const joiner = await instance.addUser('Lee Leaver')
  await add(instance.manager, 'lee.leaver@example.org')
  expect((await joiner.api.send('DELETE', members)).status).toBe(204)
  expect((await joiner.api.get(members)).status).toBe(404)
  expect(await noticesOf(joiner)).toEqual([])
  await add(instance.admin, 'lee.leaver@example.org')
  expect(await noticesOf(joiner)).toMatchObject([{ added_by: { id: instance.admin.user_id } }])
})

test('fellow members see nothing of the account of whom they added', async () => {
  const joiner = await instance.addUser('Pat Private')
  const { body: own } = await joiner.api.send('POST', '/organizations', { name: 'Secret Ventures' })
  await joiner.api.send('POST', '/api_tokens', { description: 'hidden laptop' })
  await joiner.api.send('PATCH', '/preferences', { timezone: 'Asia/Kathmandu', locale: 'pt' })
  await joiner.api.send('PATCH', '/notification_preferences', { email_on_expense_created: false })
  const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16).toString('base64url') }
  await joiner.api.send('POST', '/devices', { name: 'hidden phone', endpoint: 'https://push.example.org/x', keys })
  const payer = { id: own.id, type: 'Organization' }
  const expense = await joiner.api.send('POST', '/expenses', { payer, amount: 7, occurred_at: '2026-03-04', description: 'hidden ride' })
  expect(expense.status).toBe(201)
  await add(instance.admin, 'pat.private@example.org', 'admin')
  const shared = await recordExpense(instance, joiner)
  const { user_id } = joiner
  for (const fellow of [instance.admin, instance.member]) {
    const shown: string[] = []
    for (const path of [
      ...[members, `${members}/${user_id}`, '/activities?per_page=100', '/organizations', '/expenses', '/session', '/devices'],
      ...['/api_tokens', '/notification_preferences', '/preferences', '/join_notices', '/corporative_cards', '/pre_expenses'],
      ...[`/expenses/${shared.id}`, `/expenses/${shared.id}/mentionables`, `/expenses/${shared.id}/participants`],
      ...[`/expenses/${shared.id}/activities`, '/sync/snapshot', `/organizations/${own.id}`, `/organizations/${own.id}/members`],
    ])
      shown.push(JSON.stringify((await fellow.api.get(path)).body))
    const all = shown.join('\n')
    for (const secret of ['Secret Ventures', 'hidden', 'Kathmandu', 'push.example.org']) expect(all).not.toContain(secret)
  }
  const membership = (await instance.admin.api.get(`${members}/${user_id}`)).body
  expect(Object.keys(membership.user).sort()).toEqual(
    ['avatar', 'default_avatar', 'default_currency', 'emails', 'first_name', 'id', 'last_name', 'mention_name', 'uid'].sort(),
  )
})
