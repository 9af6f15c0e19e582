import { expect, test } from 'vitest'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { type Api, type Json, type Person, apiOf } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { untilNotified } from '#test/support/notifications'

// No mail server is set: nothing leaves this instance.
const acme = await instanceOfFile({ settings: { OUTLAY_MAIL_DIGEST_MS: 200 } })
// What happens before the first look at the trail notifies nobody.
await untilNotified(acme)
const pat = await acme.addUser('Pat Participant', 'member')

async function inboxOf({ api }: { api: Api }): Promise<{ user_notifications: Json[]; unseen_count: number }> {
  await untilNotified(acme)
  return (await api.get('/user_notifications')).body
}
const kindsOf = async (person: { api: Api }) => (await inboxOf(person)).user_notifications.map(({ kind }) => kind)
const seen = (person: { api: Api }, until_id: unknown) => person.api.send('POST', '/user_notifications/seen', { until_id })
const commentOn = (by: Person, id: number, content: string) => by.api.send('POST', `/expenses/${id}/comments`, { content })

test('a mention, an answer and a decision are in the inbox of the person they concern, and in no other', async () => {
  const { id } = await recordExpense(acme, acme.member, { description: 'Taxi' })
  expect((await commentOn(acme.member, id, 'See @patparticipant')).status).toBe(201)
  expect((await commentOn(pat, id, 'I was there too')).status).toBe(201)
  const mentioned = await inboxOf(pat)
  await moveExpense(acme.manager, id, { status: 'analyzing' })
  expect(mentioned.unseen_count).toBe(1)
  expect(mentioned.user_notifications).toMatchObject([{ kind: 'mention', is_seen: false, title: 'Taxi', path: `/expenses/${id}` }])
  expect(mentioned.user_notifications[0].sentence).toContain('See @patparticipant')
  expect(await kindsOf(acme.member)).toEqual(['decision', 'comment'])
  expect(await kindsOf(acme.manager)).toEqual([])
  expect(await kindsOf(acme.stranger)).toEqual([])
})

test('notifications seen up to one are seen in every session, and the newer ones are not', async () => {
  const { id } = await recordExpense(acme, acme.member, { description: 'Hotel' })
  for (const status of ['analyzing', 'pending']) await moveExpense(acme.manager, id, { status })
  const [newest, older] = (await inboxOf(acme.member)).user_notifications
  expect((await seen(acme.member, older.id)).status).toBe(204)
  const elsewhere = { api: apiOf(acme.url, (await acme.member.api.send('POST', '/user/tokens', { description: 'second' })).body.token) }
  const { user_notifications, unseen_count } = await inboxOf(elsewhere)
  expect(unseen_count).toBe(1)
  expect(user_notifications.filter(({ is_seen }) => !is_seen)).toMatchObject([{ id: newest.id }])
  await seen(acme.member, newest.id)
  await seen(elsewhere, older.id)
  expect((await inboxOf(acme.member)).unseen_count).toBe(0)
})

test('marking as seen changes only the caller’s, and needs an id', async () => {
  const { id } = await recordExpense(acme, acme.member, {})
  await commentOn(acme.member, id, 'And @patparticipant')
  const { user_notifications, unseen_count } = await inboxOf(pat)
  await seen(acme.stranger, user_notifications[0].id)
  expect((await inboxOf(pat)).unseen_count).toBe(unseen_count)
  for (const until_id of [undefined, 'all', 0.5]) expect((await seen(pat, until_id)).status).toBe(422)
  expect((await inboxOf(pat)).unseen_count).toBe(unseen_count)
})

test('what a person may no longer see is not in their inbox', async () => {
  const gone = await acme.addUser('Gil Gone', 'member')
  const { id } = await recordExpense(acme, acme.member, { description: 'Secret dinner' })
  await commentOn(acme.member, id, 'See @gilgone')
  expect(await kindsOf(gone)).toEqual(['mention'])
  await acme.admin.api.send('DELETE', `/organizations/${acme.organization_id}/members/${gone.user_id}`)
  expect(await inboxOf(gone)).toEqual({ user_notifications: [], unseen_count: 0 })
})

test('a changed role and a deleted expense are in the inbox, without sentences that only reviewers see', async () => {
  const rae = await acme.addUser('Rae Role', 'analyst')
  const { id } = await recordExpense(acme, acme.admin, { receiver: { id: rae.user_id, type: 'User' }, description: 'Lunch' })
  await acme.admin.api.send('PUT', `/organizations/${acme.organization_id}/members/${rae.user_id}`, { role: 'member' })
  expect((await inboxOf(rae)).user_notifications).toMatchObject([
    { kind: 'role', path: '/team' },
    { kind: 'money', title: 'Lunch' },
  ])
  await acme.admin.api.send('DELETE', `/expenses/${id}`)
  const unsaid = { sentence: null, title: null }
  expect((await inboxOf(rae)).user_notifications).toMatchObject([{ kind: 'deleted', path: null, ...unsaid }, { kind: 'role' }])
})

test('a stand-in reaches the person who stands in', async () => {
  const times = { starts_at: '2026-01-01T00:00:00Z', ends_at: '2099-01-01T00:00:00Z' }
  const as = ({ user_id: id }: Person) => ({ id, type: 'User' })
  const body = { name: 'Away', user: as(acme.manager), delegate: as(acme.admin), ...times }
  expect((await acme.manager.api.send('POST', `/organizations/${acme.organization_id}/stand_ins`, body)).status).toBe(201)
  expect((await inboxOf(acme.admin)).user_notifications).toMatchObject([{ kind: 'stand_in', path: '/stand-ins' }])
})
