import { beforeEach, expect, test } from 'vitest'
import { checkedInstance } from '#test/support/contract'
import { recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

let expense: string
let path: string
const instance = checkedInstance(await instanceOfFile())
beforeEach(async () => {
  const body = await recordExpense(instance, instance.member)
  expense = `/expenses/${body.id}`
  path = `${expense}/participants`
})
const idsSeenBy = async (person: Person) => (await person.api.get(path)).body.participants.map(({ id }: Json) => id)

test('one takes part by taking it into analysis, by commenting or by being mentioned, once', async () => {
  const { member, analyst, manager } = instance
  expect((await member.api.get(path)).body).toEqual({ count: 0, participants: [] })
  await analyst.api.send('PUT', `${expense}/status`, { status: 'analyzing' })
  await analyst.api.send('POST', `${expense}/comments`, { content: 'Looks fine' })
  await member.api.send('POST', `${expense}/comments`, { content: 'Thanks @annanalyst and @maxmanager' })
  expect(await idsSeenBy(member)).toEqual([analyst.user_id, member.user_id, manager.user_id])
  const { body } = await member.api.get(path)
  expect(body.count).toBe(3)
  expect(body.participants[0]).toEqual({
    id: analyst.user_id,
    uid: expect.any(String),
    first_name: 'Ann',
    last_name: 'Analyst',
    mention_name: 'annanalyst',
    emails: [{ email: 'ann.analyst@example.org', main: true }],
    avatar: [],
    default_avatar: true,
  })
})

test('one removes only oneself, as often as one likes, and may come back', async () => {
  const { member, analyst } = instance
  await analyst.api.send('POST', `${expense}/comments`, { content: 'Hello @melmember' })
  expect(await analyst.api.send('DELETE', path)).toMatchObject({ status: 204, body: null })
  expect(await analyst.api.send('DELETE', path)).toMatchObject({ status: 204, body: null })
  expect(await idsSeenBy(analyst)).toEqual([member.user_id])
  await analyst.api.send('POST', `${expense}/comments`, { content: 'Back again' })
  expect(await idsSeenBy(analyst)).toEqual([member.user_id, analyst.user_id])
  const { body } = await member.api.get(`${expense}/activities`, { 'accept-language': 'pt' })
  expect(body.activities.map(({ changes }: Json) => changes)).toEqual([
    'Ann Analyst comentou: “Back again”',
    'Ann Analyst saiu dos participantes.',
    'Ann Analyst comentou: “Hello @melmember”',
    expect.stringContaining('Mel Member criou a despesa de BRL'),
  ])
})

test('who saw the expense only as a participant sees it no longer after leaving', async () => {
  const colleague = await instance.addUser('Carl Colleague', 'member')
  await instance.member.api.send('POST', `${expense}/comments`, { content: '@carlcolleague was there' })
  expect((await colleague.api.get(expense)).status).toBe(200)
  expect((await colleague.api.send('DELETE', path)).status).toBe(204)
  expect((await colleague.api.get(expense)).status).toBe(404)
  expect((await colleague.api.get(path)).status).toBe(404)
})

test('who does not see the expense finds no participants, and nothing to leave', async () => {
  expect((await instance.stranger.api.get(path)).status).toBe(404)
  expect((await instance.stranger.api.send('DELETE', path)).status).toBe(404)
  await instance.member.api.send('DELETE', expense)
  expect((await instance.member.api.get(path)).status).toBe(404)
  expect((await instance.member.api.send('DELETE', path)).status).toBe(404)
})
