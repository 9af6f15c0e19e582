import { describe, expect, test } from 'vitest'
import { type Json, type Person, startInstance } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { jpgFile, pdfFile, xmlFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

const instance = await instanceOfFile()

async function makeExpense(person: Person = instance.member): Promise<number> {
  const { body } = await person.api.send('POST', '/expenses', {
    payer: { id: instance.organization_id },
    amount: 10,
    occurred_at: '2026-01-01',
    currency: 'BRL',
  })
  return body.id
}

async function attach(person: Person, expense_id: number, name = 'invoice.pdf') {
  return person.api.send('POST', `/expenses/${expense_id}/attachments`, { file: await uploadFile(person, pdfFile(name)) })
}

/** An expense of the member with one attachment of theirs. */
async function makeAttached(): Promise<{ expense_id: number; path: string; attachment: Json }> {
  const expense_id = await makeExpense()
  const { body } = await attach(instance.member, expense_id)
  return { expense_id, path: `/expenses/${expense_id}/attachments/${body.id}`, attachment: body }
}

async function activitiesOf(expense_id: number) {
  const rows = await instance.app.store.reader.db
    .selectFrom('activities')
    .select(['event', 'source_type', 'source_id', 'details'])
    .where('subject_type', '=', 'Expense')
    .where('subject_id', '=', expense_id)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, details: JSON.parse(row.details) }))
}

test('an uploaded file becomes an attachment with all that the contract shows of one', async () => {
  const expense_id = await makeExpense()
  const file = await uploadFile(instance.member, pdfFile('taxi.pdf'))
  const { status, body, headers } = await instance.member.api.send('POST', `/expenses/${expense_id}/attachments`, {
    file,
    description: 'The taxi',
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    description: 'The taxi',
    content_type: 'application/pdf',
    file_name: 'taxi.pdf',
    bytes: pdfFile().bytes.length,
    version: 1,
    user: {
      id: instance.member.user_id,
      first_name: 'Mel',
      last_name: 'Member',
      emails: [{ email: 'mel.member@example.org', main: true }],
    },
  })
  expect(Date.parse(body.uploaded_at)).toBeLessThanOrEqual(Date.parse(body.created_at))
  expect(body.file.map(({ style }: { style: string }) => style)).toEqual(['original', 'medium', 'thumb', 'tiny'])
  expect(headers.get('etag')).toBe(`"${body.uid}.1"`)
  const shown = await instance.member.api.get(`/expenses/${expense_id}/attachments/${body.id}`)
  expect(shown).toMatchObject({ status: 200, body: { id: body.id, description: 'The taxi' } })
  expect(Buffer.from(await (await fetch(body.url)).arrayBuffer()).equals(pdfFile().bytes)).toBe(true)
})

test('XML has its original only; the contents of two attachments may be the same', async () => {
  const expense_id = await makeExpense()
  const file = await uploadFile(instance.member, xmlFile())
  const first = await instance.member.api.send('POST', `/expenses/${expense_id}/attachments`, { file })
  const second = await instance.member.api.send('POST', `/expenses/${expense_id}/attachments`, { file })
  expect(first.body.file.map(({ style }: { style: string }) => style)).toEqual(['original'])
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body.id).not.toBe(first.body.id)
})

test("the expense's version and count move with its attachments, and each change is in its history", async () => {
  const { expense_id, path, attachment } = await makeAttached()
  const versions = async () => {
    const { body } = await instance.member.api.get(`/expenses/${expense_id}`)
    return { version: body.version, count: body.attachments_count, attached: body.attachments.length, activities: body.activities_count }
  }
  expect(await versions()).toEqual({ version: 2, count: 1, attached: 1, activities: 2 })
  expect((await instance.member.api.send('PATCH', path, { description: 'Hotel' })).body).toMatchObject({ description: 'Hotel', version: 2 })
  expect(await versions()).toEqual({ version: 3, count: 1, attached: 1, activities: 3 })
  expect((await instance.member.api.send('PATCH', path, { description: 'Hotel' })).body.version).toBe(2)
  expect(await versions()).toEqual({ version: 3, count: 1, attached: 1, activities: 3 })
  const destroyed = await instance.member.api.send('DELETE', path)
  expect(destroyed).toMatchObject({ status: 204, body: null })
  expect(await versions()).toEqual({ version: 4, count: 0, attached: 0, activities: 4 })
  const source = { source_type: 'Attachment', source_id: attachment.id }
  expect((await activitiesOf(expense_id)).slice(1)).toEqual([
    { event: 'attachment_created', ...source, details: [{ attribute: 'file', from: null, to: 'invoice.pdf' }] },
    { event: 'attachment_updated', ...source, details: [{ attribute: 'description', from: null, to: 'Hotel' }] },
    { event: 'attachment_destroyed', ...source, details: [{ attribute: 'file', from: 'invoice.pdf', to: null }] },
  ])
})

test('the list is paged, newest first', async () => {
  const expense_id = await makeExpense()
  const ids = []
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) ids.unshift((await attach(instance.member, expense_id, name)).body.id)
  const { status, body, headers } = await instance.member.api.get(`/expenses/${expense_id}/attachments?per_page=2`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ count: 3, current_page: 1, total_pages: 2 })
  expect(body.attachments.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 2))
  expect(headers.get('link')).toContain('rel=next')
  const second = await instance.member.api.get(`/expenses/${expense_id}/attachments?page=2&per_page=2`)
  expect(second.body.attachments.map(({ id }: { id: number }) => id)).toEqual(ids.slice(2))
  expect((await instance.member.api.get(`/expenses/${expense_id}/attachments?page=0`)).status).toBe(422)
})

describe('a change', () => {
  test('by PUT needs the file and the description', async () => {
    const { path } = await makeAttached()
    const put = async (body: unknown) => (await instance.member.api.send('PUT', path, body)).body
    expect(await put({})).toEqual({ errors: { file: ["can't be blank"], description: ["can't be blank"] } })
    expect(await put({ file: '', description: 'x' })).toEqual({ errors: { file: ["can't be blank"] } })
    expect(await put({ file: 'nonsense', description: 'x' })).toEqual({ errors: { file: ['is invalid'] } })
    expect((await instance.member.api.send('PATCH', path, { file: ' ' })).body).toEqual({ errors: { file: ["can't be blank"] } })
  })

  test('by PUT replaces the file, and names the user who sent the new one', async () => {
    const { path, attachment, expense_id } = await makeAttached()
    const file = await uploadFile(instance.analyst, await jpgFile())
    const { status, body } = await instance.analyst.api.send('PUT', path, { file, description: null })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: attachment.id,
      content_type: 'image/jpeg',
      file_name: 'receipt.jpg',
      version: 2,
      user: { id: instance.analyst.user_id },
    })
    expect(body.file[1]).toMatchObject({ style: 'medium', width: 300, height: 200 })
    expect((await activitiesOf(expense_id)).at(-1)?.details).toEqual([{ attribute: 'file', from: 'invoice.pdf', to: 'receipt.jpg' }])
    expect((await fetch(attachment.url)).status).toBe(200)
  })

  test('of an attachment that has changed since is rejected', async () => {
    const { path, attachment } = await makeAttached()
    const seen = { 'if-match': `"${attachment.uid}.1"` }
    expect((await instance.member.api.send('PATCH', path, { description: 'a' }, seen)).status).toBe(200)
    expect((await instance.member.api.send('PATCH', path, { description: 'b' }, seen)).status).toBe(412)
    expect((await instance.member.api.send('DELETE', path, undefined, seen)).status).toBe(412)
    expect((await instance.member.api.get(path)).body.description).toBe('a')
  })

  test('read again under its tag is not sent again', async () => {
    const { path, attachment } = await makeAttached()
    expect((await instance.member.api.get(path, { 'if-none-match': `"${attachment.uid}.1"` })).status).toBe(304)
  })
})

describe('who may what', () => {
  const move = async (expense_id: number, ...statuses: string[]) => {
    for (const status of statuses) {
      const { status: code } = await instance.manager.api.send('PUT', `/expenses/${expense_id}/status`, {
        status,
        approved_amount: 10,
        approved_amount_currency: 'BRL',
      })
      expect(code).toBe(200)
    }
  }
  const tries = async (person: Person, { expense_id, path }: { expense_id: number; path: string }) => ({
    list: (await person.api.get(`/expenses/${expense_id}/attachments`)).status,
    show: (await person.api.get(path)).status,
    create: (await attach(person, expense_id)).status,
    update: (await person.api.send('PATCH', path, { description: person.token })).status,
  })
  const all = { list: 200, show: 200, create: 201, update: 200 }
  const reads = { ...all, create: 403, update: 403 }
  const nothing = { list: 404, show: 404, create: 404, update: 404 }

  test('while the expense awaits analysis: its receiver, and analysts and above', async () => {
    const attached = await makeAttached()
    const other = await instance.addUser('Olga Other', 'member')
    expect(await tries(instance.member, attached)).toEqual(all)
    expect(await tries(instance.analyst, attached)).toEqual(all)
    expect(await tries(instance.manager, attached)).toEqual(all)
    expect(await tries(other, attached)).toEqual(nothing)
    expect(await tries(instance.stranger, attached)).toEqual(nothing)
    expect((await other.api.send('DELETE', attached.path)).status).toBe(404)
  })

  test('while it is approved: managers and above', async () => {
    const attached = await makeAttached()
    await move(attached.expense_id, 'approved')
    expect(await tries(instance.member, attached)).toEqual(reads)
    expect(await tries(instance.analyst, attached)).toEqual(reads)
    expect(await tries(instance.admin, attached)).toEqual(all)
    expect((await instance.analyst.api.send('DELETE', attached.path)).status).toBe(403)
  })

  test('once it is liquidated: no one', async () => {
    const attached = await makeAttached()
    await move(attached.expense_id, 'approved', 'liquidated')
    expect(await tries(instance.admin, attached)).toEqual({ ...all, create: 422, update: 422 })
    expect((await instance.admin.api.send('DELETE', attached.path)).status).toBe(422)
  })

  test('in an expired organization: no one', async () => {
    const expired = await startInstance()
    try {
      const expense = await expired.member.api.send('POST', '/expenses', {
        payer: { id: expired.organization_id },
        amount: 1,
        occurred_at: '2026-01-01',
      })
      const file = await uploadFile(expired.member, pdfFile())
      await expired.app.store.transact({ user_id: expired.admin.user_id, origin: 'test', request_id: null, if_match: null }, async (tx) => {
        await tx.write('UPDATE organizations SET expired_at = ? WHERE id = ? RETURNING id', [tx.now, expired.organization_id])
      })
      expect((await expired.member.api.send('POST', `/expenses/${expense.body.id}/attachments`, { file })).status).toBe(402)
      expect((await expired.member.api.get(`/expenses/${expense.body.id}/attachments`)).status).toBe(200)
    } finally {
      await expired.remove()
    }
  })

  test('of a deleted expense, of another expense or of none: not found', async () => {
    const attached = await makeAttached()
    const elsewhere = `/expenses/${await makeExpense()}/attachments/${attached.attachment.id}`
    expect((await instance.member.api.get(elsewhere)).status).toBe(404)
    expect((await instance.member.api.send('PATCH', elsewhere, { description: 'x' })).status).toBe(404)
    expect((await instance.member.api.get(`/expenses/${attached.expense_id}/attachments/x`)).status).toBe(404)
    await instance.member.api.send('DELETE', `/expenses/${attached.expense_id}`)
    expect(await tries(instance.member, attached)).toEqual(nothing)
    expect((await instance.member.api.get(attached.path)).body).toEqual({ errors: { message: 'Record Not Found' } })
  })

  test('a deleted attachment is not found', async () => {
    const { path } = await makeAttached()
    expect((await instance.member.api.send('DELETE', path)).status).toBe(204)
    expect((await instance.member.api.get(path)).status).toBe(404)
    expect((await instance.member.api.send('DELETE', path)).status).toBe(404)
  })
})

test('admins read the files of deleted receipts, and nobody else does', async () => {
  const { expense_id, path, attachment } = await makeAttached()
  expect((await instance.member.api.send('DELETE', path)).status).toBe(204)
  const read = (person: Person) => person.api.get(`/expenses/${expense_id}/originals`)
  for (const person of [instance.member, instance.manager]) expect((await read(person)).status).toBe(403)
  expect((await read(instance.stranger)).status).toBe(404)
  const { originals } = (await read(instance.admin)).body
  expect(originals).toMatchObject([{ attachment_id: attachment.id, file_name: 'invoice.pdf', captured_at: null }])
  expect(originals[0].deleted_at).not.toBeNull()
  expect((await fetch(originals[0].url)).status).toBe(200)
})

test('the file that another one takes the place of stays among the originals, and a description replaces none', async () => {
  const { expense_id, path, attachment } = await makeAttached()
  await instance.member.api.send('PATCH', path, { description: 'The hotel' })
  const file = await uploadFile(instance.member, await jpgFile({ name: 'better.jpg' }))
  expect((await instance.member.api.send('PUT', path, { file, description: 'The hotel' })).status).toBe(200)
  const { originals } = (await instance.admin.api.get(`/expenses/${expense_id}/originals`)).body
  expect(originals).toMatchObject([
    { attachment_id: attachment.id, file_name: 'invoice.pdf', replaced_at: expect.stringMatching(/Z$/) },
    { attachment_id: attachment.id, file_name: 'better.jpg', replaced_at: null },
  ])
  for (const { url } of originals) expect((await fetch(url)).status).toBe(200)
})
