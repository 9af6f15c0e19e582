import { beforeAll, describe, expect, test } from 'vitest'
import { checkedInstance } from '#test/support/contract'
import { whileExpired } from '#test/support/expiry'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { recordMoney } from '#test/support/settlements'

const instance = checkedInstance(await instanceOfFile())

describe.each(['reimbursement', 'advancement'] as const)('under a %s', (kind) => {
  let path: string
  beforeAll(async () => {
    path = `/${kind}s/${(await recordMoney(instance, `/${kind}s`)).id}`
  })
  const comment = (content: string, person = instance.member) => person.api.send('POST', `${path}/comments`, { content })

  test('comments are written, counted, changed and deleted', async () => {
    const before = (await instance.member.api.get(path)).body
    const { status, body } = await comment('Thanks :+1: @annanalyst')
    expect(status).toBe(201)
    expect(body).toMatchObject({ content: 'Thanks :+1: @annanalyst', mentioned_users: [{ mention_name: 'annanalyst' }] })
    expect(body._links[0].href).toBe(`${instance.url}/api/v1${path}/comments/${body.id}`)
    const after = (await instance.member.api.get(path)).body
    expect(after).toMatchObject({ comments_count: before.comments_count + 1, version: before.version + 1 })
    const changed = await instance.member.api.send('PUT', `${path}/comments/${body.id}`, { content: 'Thank you' })
    expect(changed.body.content).toBe('Thank you')
    expect((await instance.analyst.api.send('PUT', `${path}/comments/${body.id}`, { content: 'No' })).status).toBe(403)
    const list = (await instance.member.api.get(`${path}/comments?emoji_in_unicode=true`)).body
    expect(list.comments.map((one: Json) => one.content)).toContain('Thank you')
    expect((await instance.member.api.send('DELETE', `${path}/comments/${body.id}`)).status).toBe(204)
    expect((await instance.member.api.get(`${path}/comments/${body.id}`)).status).toBe(404)
    expect((await instance.member.api.get(path)).body.comments_count).toBe(before.comments_count)
    expect((await comment('  ')).body).toEqual({ errors: { content: ["can't be blank"] } })
  })

  test('a comment of one parent is not there under another', async () => {
    const { body } = await comment('Here')
    const other = await recordMoney(instance, `/${kind}s`)
    expect((await instance.member.api.get(`/${kind}s/${other.id}/comments/${body.id}`)).status).toBe(404)
  })

  test('commenting and being mentioned make participants, who may leave', async () => {
    await comment('@melmember and @adaadmin', instance.analyst)
    const idsOf = async () => (await instance.member.api.get(`${path}/participants`)).body.participants.map(({ id }: Json) => id)
    expect(await idsOf()).toEqual(expect.arrayContaining([instance.analyst.user_id, instance.admin.user_id]))
    expect((await instance.admin.api.send('DELETE', `${path}/participants`)).status).toBe(204)
    expect(await idsOf()).not.toContain(instance.admin.user_id)
  })

  test('members can be mentioned, and the ETag header of the contract is honoured', async () => {
    const { body, headers } = await instance.member.api.get(`${path}/mentionables`)
    expect(body.mentionables.map(({ name }: Json) => name)).toEqual(['Ada Admin', 'Ann Analyst', 'Max Manager', 'Mel Member'])
    const etag = headers.get('etag') ?? ''
    expect(await instance.member.api.get(`${path}/mentionables`, { etag })).toMatchObject({ status: 304, body: null })
  })

  test('an activity is worded, with emojis as text codes unless asked otherwise', async () => {
    await comment('Well done 🎉', instance.manager)
    const { body } = await instance.member.api.get(`${path}/activities`)
    expect(body.activities[0]).toMatchObject({
      changes: 'Max Manager commented: “Well done :tada:”',
      subject: { type: kind === 'advancement' ? 'Advancement' : 'Reimbursement' },
      source: { type: 'Comment' },
    })
    const unicode = await instance.member.api.get(`${path}/activities?emoji_in_unicode=true`)
    expect(unicode.body.activities[0].changes).toContain('🎉')
    expect(body.activities.at(-1)).not.toHaveProperty('source')
    expect(body.count).toBe((await instance.member.api.get(path)).body.activities_count)
  })

  test('who does not see it finds nothing under it', async () => {
    for (const part of ['comments', 'participants', 'mentionables', 'activities'])
      expect((await instance.stranger.api.get(`${path}/${part}`)).status, part).toBe(404)
    expect((await comment('Hello', instance.stranger)).status).toBe(404)
  })

  test('an expired organization takes no comments', async () => {
    await whileExpired(instance, async () => expect((await comment('Late')).status).toBe(402))
  })

  test('the comments of a deleted one are gone', async () => {
    const { id } = await recordMoney(instance, `/${kind}s`)
    const parent = `/${kind}s/${id}`
    const { body } = await instance.member.api.send('POST', `${parent}/comments`, { content: 'Soon gone' })
    expect((await instance.manager.api.send('DELETE', parent)).status).toBe(204)
    for (const at of [`${parent}/comments/${body.id}`, `${parent}/comments`])
      expect(await instance.member.api.get(at)).toMatchObject({ status: 410, body: null })
    expect((await instance.stranger.api.get(`${parent}/comments`)).status).toBe(404)
    expect((await instance.member.api.get(`${parent}/participants`)).status).toBe(404)
  })
})
