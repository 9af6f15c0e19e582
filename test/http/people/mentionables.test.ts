import { expect, test } from 'vitest'
import { checkedInstance } from '#test/support/contract'
import { recordExpense } from '#test/support/expenses'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = checkedInstance(await instanceOfFile())
const body = await recordExpense(instance, instance.member)
const path = `/expenses/${body.id}/mentionables`

test('members of the payer, the receiver and the participants can be mentioned', async () => {
  const { status, body } = await instance.member.api.get(path)
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['mentionables'])
  expect(body.mentionables.map(({ name }: Json) => name)).toEqual(['Ada Admin', 'Ann Analyst', 'Max Manager', 'Mel Member'])
  expect(body.mentionables[1]).toEqual({
    id: instance.analyst.user_id,
    uid: expect.any(String),
    name: 'Ann Analyst',
    email: 'ann.analyst@example.org',
    mention_name: 'annanalyst',
    avatar: [],
  })
})

test('who has seen the current list gets 304 with an empty body, by the ETag header of the contract or by If-None-Match', async () => {
  const first = await instance.member.api.get(path)
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
  const sent: Array<Record<string, string>> = [
    { etag },
    { etag: etag.replaceAll('"', '') },
    { 'if-none-match': etag },
    { 'if-none-match': `W/${etag}` },
  ]
  for (const headers of sent) {
    const again = await instance.member.api.get(path, headers)
    expect(again).toMatchObject({ status: 304, body: null })
    expect(again.headers.get('etag')).toBe(etag)
  }
  expect((await instance.member.api.get(path, { etag: '"other"' })).status).toBe(200)
})

test('the tag changes when someone becomes mentionable', async () => {
  const { headers } = await instance.member.api.get(path)
  const etag = headers.get('etag') ?? ''
  await instance.addUser('Nell Newcomer', 'member')
  const after = await instance.member.api.get(path, { etag })
  expect(after.status).toBe(200)
  expect(after.body.mentionables).toHaveLength(5)
  expect(after.headers.get('etag')).not.toBe(etag)
})

test('who does not see the expense does not learn who can be mentioned', async () => {
  expect(await instance.stranger.api.get(path)).toMatchObject({ status: 404, body: { errors: { message: 'Record Not Found' } } })
})
