import { beforeEach, expect, test } from 'vitest'
import { checkedInstance } from '#test/support/contract'
import { recordExpense } from '#test/support/expenses'
import { whileExpired } from '#test/support/expiry'
import type { Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

let expense_id: number
let path: string
const instance = checkedInstance(await instanceOfFile())
beforeEach(async () => {
  const body = await recordExpense(instance, instance.member)
  expense_id = body.id
  path = `/expenses/${expense_id}/comments`
})

const comment = (person: Person, content: string, query = '') => person.api.send('POST', `${path}${query}`, { content })

test('a comment is created, shown, listed, changed and deleted', async () => {
  const created = await comment(instance.member, 'A taxi to the airport')
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({
    content: 'A taxi to the airport',
    content_html: 'A taxi to the airport',
    deleted_at: null,
    mentioned_users: [],
    user: {
      id: instance.member.user_id,
      first_name: 'Mel',
      last_name: 'Member',
      emails: [{ email: 'mel.member@example.org', main: true }],
      avatar: [],
    },
  })
  expect(created.body.user).not.toHaveProperty('mention_name')
  expect(created.body._links).toEqual([
    { rel: 'self', method: 'GET', href: `${instance.url}/api/v1${path}/${created.body.id}` },
    { rel: 'update', method: 'PUT', href: `${instance.url}/api/v1${path}/${created.body.id}` },
    { rel: 'destroy', method: 'DELETE', href: `${instance.url}/api/v1${path}/${created.body.id}` },
  ])
  const member = `${path}/${created.body.id}`
  const shown = await instance.analyst.api.get(member)
  expect(shown).toMatchObject({ status: 200, body: created.body })
  expect(shown.headers.get('etag')).toBe(`"${created.body.uid}.1"`)
  const changed = await instance.member.api.send('PUT', member, { content: 'A bus' })
  expect(changed).toMatchObject({ status: 200, body: { id: created.body.id, content: 'A bus', version: 2 } })
  expect((await instance.member.api.get(path)).body).toEqual({ count: 1, current_page: 1, total_pages: 1, comments: [changed.body] })
  const deleted = await instance.member.api.send('DELETE', member)
  expect(deleted).toMatchObject({ status: 204, body: null })
})

test('blank content is refused in both languages', async () => {
  for (const body of [{}, { content: '' }, { content: ' \n ' }, { content: null }]) {
    expect(await instance.member.api.send('POST', path, body)).toMatchObject({
      status: 422,
      body: { errors: { content: ["can't be blank"] } },
    })
    const pt = await instance.member.api.send('POST', path, body, { 'accept-language': 'pt-BR' })
    expect(pt.body).toEqual({ errors: { content: ['não pode ficar em branco'] } })
  }
  const { body } = await comment(instance.member, 'x')
  expect((await instance.member.api.send('PUT', `${path}/${body.id}`, { content: ' ' })).status).toBe(422)
  expect((await instance.member.api.send('POST', path, { content: 'x'.repeat(10_001) })).status).toBe(422)
})

test('comments are paged, oldest first, and a filter of theirs is refused', async () => {
  for (const content of ['one', 'two', 'three']) await comment(instance.member, content)
  const { body, headers } = await instance.member.api.get(`${path}?per_page=2`)
  expect(body).toMatchObject({ count: 3, current_page: 1, total_pages: 2, comments: [{ content: 'one' }, { content: 'two' }] })
  expect(headers.get('link')).toContain('rel=next')
  expect((await instance.member.api.get(`${path}?page=2&per_page=2`)).body.comments).toMatchObject([{ content: 'three' }])
  expect((await instance.member.api.get(`${path}?q[content_eq]=one`)).status).toBe(422)
  expect((await instance.member.api.get(`${path}?emoji_in_unicode=perhaps`)).status).toBe(422)
})

test('emojis are understood as codes and as unicode, and shown as codes unless unicode is asked for', async () => {
  const { body } = await comment(instance.member, 'ok :+1: 😄 :nothing_like_it: 👍🏽')
  expect(body.content).toBe('ok :+1: :smile: :nothing_like_it: :+1:')
  const member = `${path}/${body.id}`
  expect((await instance.member.api.get(`${member}?emoji_in_unicode=true`)).body.content).toBe('ok 👍 😄 :nothing_like_it: 👍🏽')
  expect((await instance.member.api.get(`${path}?emoji_in_unicode=1`)).body.comments[0].content_html).toBe('ok 👍 😄 :nothing_like_it: 👍🏽')
  expect((await instance.member.api.get(path)).body.comments[0].content).toBe('ok :+1: :smile: :nothing_like_it: :+1:')
  expect((await comment(instance.member, ':+1:', '?emoji_in_unicode=true')).body.content).toBe('👍')
})

test('who is mentioned takes part, and who is no mentionable is not mentioned', async () => {
  const { member, analyst, stranger } = instance
  const { body } = await comment(member, 'See this, @annanalyst. And @samstranger, @AnnAnalyst, mail a@annanalyst.org, @nobody')
  expect(body.mentioned_users).toEqual([{ name: 'Ann Analyst', email: 'ann.analyst@example.org', mention_name: 'annanalyst', avatar: [] }])
  const link = (text: string) => `<a href="mailto:ann.analyst@example.org" class="mention" title="Ann Analyst">${text}</a>`
  expect(body.content_html).toBe(
    `See this, ${link('@annanalyst')}. And @samstranger, ${link('@AnnAnalyst')}, mail a@annanalyst.org, @nobody`,
  )
  const { body: list } = await member.api.get(`/expenses/${expense_id}/participants`)
  expect(list.participants.map(({ id }: { id: number }) => id)).toEqual([member.user_id, analyst.user_id])
  expect((await stranger.api.get(`/expenses/${expense_id}`)).status).toBe(404)
})

test('a mention lets a colleague see the expense and comment on it; removing it again does not take that away', async () => {
  const colleague = await instance.addUser('Carl Colleague', 'member')
  expect((await colleague.api.get(path)).status).toBe(404)
  const { body } = await comment(instance.member, 'Nothing to see')
  await instance.member.api.send('PUT', `${path}/${body.id}`, { content: 'Over to @carlcolleague' })
  expect((await colleague.api.get(`/expenses/${expense_id}`)).status).toBe(200)
  expect((await colleague.api.get('/expenses')).body.expenses.map(({ id }: { id: number }) => id)).toEqual([expense_id])
  const unmentioned = await instance.member.api.send('PUT', `${path}/${body.id}`, { content: 'Never mind' })
  expect(unmentioned.body.mentioned_users).toEqual([])
  expect((await comment(colleague, 'I was there')).status).toBe(201)
})

test('content is escaped in content_html', async () => {
  const { body } = await comment(instance.member, '<img src=x onerror=alert(1)> & "quotes" \'too\'')
  expect(body.content_html).toBe('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quotes&quot; &#39;too&#39;')
})

test('only the author changes a comment; the author or an admin deletes it', async () => {
  const { body } = await comment(instance.analyst, 'Mine')
  const member = `${path}/${body.id}`
  for (const person of [instance.admin, instance.manager, instance.member])
    expect((await person.api.send('PUT', member, { content: 'Yours' })).status).toBe(403)
  expect((await instance.manager.api.send('DELETE', member)).status).toBe(403)
  expect((await instance.member.api.send('DELETE', member)).status).toBe(403)
  expect((await instance.admin.api.send('DELETE', member)).status).toBe(204)
})

test('a deleted comment stays in the list as a notice without what it said', async () => {
  const { body } = await comment(instance.member, 'A secret for @annanalyst')
  const member = `${path}/${body.id}`
  await instance.member.api.send('DELETE', member)
  expect((await instance.member.api.get(member)).status).toBe(404)
  expect((await instance.member.api.send('PUT', member, { content: 'again' })).status).toBe(404)
  expect((await instance.member.api.send('DELETE', member)).status).toBe(404)
  const { body: list } = await instance.member.api.get(path)
  expect(list).toMatchObject({
    count: 1,
    comments: [
      { id: body.id, content: 'This comment was removed.', content_html: 'This comment was removed.', mentioned_users: [], _links: [] },
    ],
  })
  expect(list.comments[0].deleted_at).toMatch(/Z$/)
  expect(JSON.stringify(list)).not.toContain('secret')
  const pt = await instance.member.api.get(path, { 'accept-language': 'pt' })
  expect(pt.body.comments[0].content).toBe('Este comentário foi removido.')
  expect((await instance.member.api.get(`/expenses/${expense_id}`)).body.comments_count).toBe(0)
})

test('a comment changes the version and the counts of its expense', async () => {
  const before = await instance.member.api.get(`/expenses/${expense_id}`)
  await comment(instance.member, 'One')
  const after = await instance.member.api.get(`/expenses/${expense_id}`)
  expect(after.body).toMatchObject({ version: before.body.version + 1, comments_count: 1, activities_count: 2 })
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
})

test('a stranger learns nothing: 404 for all five operations, even of a deleted expense', async () => {
  const { body } = await comment(instance.member, 'Private')
  const ask = async () => {
    const { api } = instance.stranger
    const responses = [
      await api.get(path),
      await api.get(`${path}/${body.id}`),
      await api.send('POST', path, { content: 'x' }),
      await api.send('PUT', `${path}/${body.id}`, { content: 'x' }),
      await api.send('DELETE', `${path}/${body.id}`),
    ]
    return responses.map(({ status, body: response }) => ({ status, answer: response }))
  }
  const absent = { status: 404, answer: { errors: { message: 'Record Not Found' } } }
  expect(await ask()).toEqual(Array(5).fill(absent))
  await instance.member.api.send('DELETE', `/expenses/${expense_id}`)
  expect(await ask()).toEqual(Array(5).fill(absent))
})

test('a comment of another expense, or none, is 404', async () => {
  const { body } = await comment(instance.member, 'Here')
  const other = await recordExpense(instance, instance.member)
  expect((await instance.member.api.get(`/expenses/${other.id}/comments/${body.id}`)).status).toBe(404)
  expect((await instance.member.api.get(`${path}/999999`)).status).toBe(404)
  expect((await instance.member.api.get(`${path}/abc`)).status).toBe(404)
})

test('the comments of a deleted expense are gone: 410 with an empty body', async () => {
  const { body } = await comment(instance.member, 'Here')
  await instance.member.api.send('DELETE', `/expenses/${expense_id}`)
  for (const person of [instance.member, instance.analyst]) {
    expect(await person.api.get(`${path}/${body.id}`)).toMatchObject({ status: 410, body: null })
    expect(await person.api.get(path)).toMatchObject({ status: 410, body: null })
    expect((await person.api.send('POST', path, { content: 'x' })).status).toBe(410)
  }
})

test('an expired organization can be read and not be written to', async () => {
  const { body } = await comment(instance.member, 'Here')
  await whileExpired(instance, async () => {
    expect((await comment(instance.member, 'x')).status).toBe(402)
    expect((await instance.member.api.send('PUT', `${path}/${body.id}`, { content: 'x' })).status).toBe(402)
    expect((await instance.member.api.send('DELETE', `${path}/${body.id}`)).status).toBe(402)
    expect((await instance.member.api.send('DELETE', `/expenses/${expense_id}/participants`)).status).toBe(402)
    expect((await instance.member.api.get(path)).status).toBe(200)
  })
})

test('a change of a comment that has changed since is refused', async () => {
  const { body } = await comment(instance.member, 'One')
  const send = (method: string, content?: string) =>
    instance.member.api.send(method, `${path}/${body.id}`, content && { content }, { 'if-match': `"${body.uid}.1"` })
  expect((await send('PUT', 'Two')).status).toBe(200)
  expect((await send('PUT', 'Three')).status).toBe(412)
  expect((await send('DELETE')).status).toBe(412)
})

test('the reason of a move into pending or rejected becomes a comment, and the response has the newest version', async () => {
  const status = `/expenses/${expense_id}/status`
  const moved = await instance.analyst.api.send('PUT', status, { status: 'pending', comment: 'Which receipt, @melmember?' })
  expect(moved).toMatchObject({ status: 200, body: { status: 'pending', comments_count: 1, activities_count: 3 } })
  const shown = await instance.analyst.api.get(`/expenses/${expense_id}`)
  expect(shown.body).toEqual(moved.body)
  expect(shown.headers.get('etag')).toBe(moved.headers.get('etag'))
  expect((await instance.member.api.get(path)).body.comments).toMatchObject([
    { content: 'Which receipt, @melmember?', user: { id: instance.analyst.user_id }, mentioned_users: [{ mention_name: 'melmember' }] },
  ])
  await instance.manager.api.send('PUT', status, { status: 'rejected', comment: ' ' })
  await instance.analyst.api.send('PUT', status, { status: 'analyzing', comment: 'not a reason' })
  expect((await instance.member.api.get(path)).body.count).toBe(1)
})
