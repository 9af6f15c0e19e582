import { expect, test } from 'vitest'
import { activityEvents } from '#shared/domain/activity-events'
import { activityAttributes } from '#shared/records/audited'
import { translate } from '#shared/i18n/translations'
import { languages } from '#shared/domain/locales'
import { listSubjectRows, visibleActivities } from '#main/store/records/conversations/activity-reader'
import { listCommentRows } from '#main/store/records/conversations/comments'
import { isOnPostgres } from '#test/support/databases/database-of'
import { checkedInstance } from '#test/support/contract'
import { recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { pdfFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

const instance = checkedInstance(await instanceOfFile())

async function create(person: Person, more: Json = {}): Promise<number> {
  return (await recordExpense(instance, person, { amount: 10, occurred_at: '2026-01-02', currency: 'BRL', ...more })).id
}
/** Sentences with the no-break spaces of amounts and dates made plain. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')
async function sentences(person: Person, path: string, language = 'en'): Promise<string[]> {
  const { body } = await person.api.get(path, { 'accept-language': language })
  return body.activities.map(({ changes }: { changes: string }) => plain(changes))
}

test('activities of an expense come newest first, in the language of the caller', async () => {
  const id = await create(instance.member, { description: 'Taxi' })
  const { api } = instance.member
  await api.send('PATCH', `/expenses/${id}`, { amount: 1234.5, description: 'Bus', occurred_at: '2026-01-03T10:30:00Z' })
  await api.send('PATCH', `/expenses/${id}`, { currency: 'USD', tags: 'food, travel', description: null })
  await instance.manager.api.send('PUT', `/expenses/${id}/status`, {
    status: 'approved',
    approved_amount: 1000,
    approved_amount_currency: 'BRL',
  })
  expect(await sentences(instance.member, `/expenses/${id}/activities`)).toEqual([
    'Max Manager moved the expense from To review to Approved: the approved amount from empty to BRL 1,000.00.',
    'Mel Member changed the expense: the amount from BRL 1,234.50 to USD 1,234.50, the description from “Bus” to empty and the tags from empty to “food, travel”.',
    'Mel Member changed the expense: the amount from BRL 10.00 to BRL 1,234.50, the description from “Taxi” to “Bus” and the date from 2 Jan 2026 to 3 Jan 2026, 10:30 UTC.',
    'Mel Member created the expense of BRL 10.00.',
  ])
  expect(await sentences(instance.member, `/expenses/${id}/activities`, 'pt')).toEqual([
    'Max Manager moveu a despesa de Aguardando análise para Aprovada: o valor aprovado de vazio para BRL 1.000,00.',
    'Mel Member alterou a despesa: o valor de BRL 1.234,50 para USD 1.234,50, a descrição de “Bus” para vazio e as etiquetas de vazio para “food, travel”.',
    'Mel Member alterou a despesa: o valor de BRL 10,00 para BRL 1.234,50, a descrição de “Taxi” para “Bus” e a data de 2 de jan. de 2026 para 3 de jan. de 2026, 10:30 UTC.',
    'Mel Member criou a despesa de BRL 10,00.',
  ])
  expect(await sentences(instance.member, `/expenses/${id}/activities`, 'es')).toEqual([
    'Max Manager movió el gasto de Por revisar a Aprobado: el monto aprobado de vacío a BRL 1.000,00.',
    'Mel Member modificó el gasto: el monto de BRL 1.234,50 a USD 1.234,50, la descripción de “Bus” a vacío y las etiquetas de vacío a “food, travel”.',
    'Mel Member modificó el gasto: el monto de BRL 10,00 a BRL 1.234,50, la descripción de “Taxi” a “Bus” y la fecha de 2 ene 2026 a 3 ene 2026, 10:30 UTC.',
    'Mel Member creó el gasto de BRL 10,00.',
  ])
})

test('an entry has what the contract names, and the details of its change', async () => {
  const id = await create(instance.member)
  const { body, headers } = await instance.member.api.get(`/expenses/${id}/activities?per_page=1`)
  expect(body).toMatchObject({ count: 1, current_page: 1, total_pages: 1 })
  const [entry] = body.activities
  expect(Object.keys(entry).sort()).toEqual(['changes', 'created_at', 'details', 'id', 'occurred_at', 'subject', 'uid', 'user'])
  expect(entry).toMatchObject({
    subject: { id, type: 'Expense' },
    user: { id: instance.member.user_id, first_name: 'Mel', emails: [{ email: 'mel.member@example.org', main: true }] },
    details: [
      { attribute: 'amount', from: null, to: 10 },
      { attribute: 'currency', from: null, to: 'BRL' },
    ],
  })
  expect(headers.get('link')).toBeNull()
  await instance.member.api.send('POST', `/expenses/${id}/comments`, { content: 'x' })
  expect((await instance.member.api.get(`/expenses/${id}/activities?per_page=1`)).headers.get('link')).toContain('rel=next')
  expect((await instance.member.api.get(`/expenses/${id}/activities?q[id_eq]=1`)).status).toBe(422)
})

test('comments are listed with their source, and their emojis as codes unless unicode is asked for', async () => {
  const id = await create(instance.member)
  const path = `/expenses/${id}/comments`
  const { body: comment } = await instance.member.api.send('POST', path, { content: 'Nice 👍 $t(errors:forbidden) {{user}}' })
  await instance.member.api.send('PUT', `${path}/${comment.id}`, { content: ':smile:' })
  await instance.member.api.send('DELETE', `${path}/${comment.id}`)
  const activities = `/expenses/${id}/activities`
  expect((await sentences(instance.member, activities)).slice(0, 3)).toEqual([
    'Mel Member deleted the comment “:smile:”',
    'Mel Member changed a comment from “Nice :+1: $t(errors:forbidden) {{user}}” to “:smile:”',
    'Mel Member commented: “Nice :+1: $t(errors:forbidden) {{user}}”',
  ])
  expect((await sentences(instance.member, `${activities}?emoji_in_unicode=true`, 'pt')).slice(0, 2)).toEqual([
    'Mel Member excluiu o comentário “😄”',
    'Mel Member alterou um comentário de “Nice 👍 $t(errors:forbidden) {{user}}” para “😄”',
  ])
  const { body } = await instance.member.api.get(activities)
  expect(body.activities[0]).toMatchObject({
    source: { id: comment.id, type: 'Comment' },
    details: [{ attribute: 'content', from: ':smile:', to: null }],
  })
})

test('changes of other records are listed too', async () => {
  const { admin, member, organization_id } = instance
  const { api } = admin
  const organization = `/organizations/${organization_id}`
  const { body: tag } = await api.send('POST', `${organization}/tags`, { name: 'lodging' })
  await api.send('PATCH', `${organization}/tags/${tag.id}`, { restricted_user_ids: [member.user_id, admin.user_id] })
  await api.send('DELETE', `${organization}/tags/${tag.id}`)
  await api.send('POST', `${organization}/distances_rules`, { amount: 1.5, currency: 'BRL', distance_kind: 'km' })
  await api.send('POST', `${organization}/distances_rules`, { amount: 2 })
  await api.send('PATCH', organization, { name: 'Acme & Co' })
  const guest = await instance.addUser('Gus Guest', 'member')
  await api.send('PUT', `${organization}/members/${guest.user_id}`, { role: 'analyst' })
  await api.send('DELETE', `${organization}/members/${guest.user_id}`)
  await api.send('POST', `${organization}/members`, { user: { email: 'new@example.org' }, role: 'manager' })
  await api.send('PATCH', '/preferences', { locale: 'pt', mention_name: 'ada' })
  await api.send('PATCH', '/preferences', { locale: 'en', mention_name: 'adaadmin' })
  const told = (await sentences(admin, '/activities')).slice(1, 12)
  expect(told.toReversed()).toEqual([
    'Ada Admin created the tag “lodging”.',
    'Ada Admin changed the tag: the users of the tag from empty to Ada Admin and Mel Member.',
    'Ada Admin deleted the tag “lodging” (the users of the tag Ada Admin and Mel Member).',
    'Ada Admin changed the distance rate: the amount from empty to BRL 1.50 and the unit of distance from empty to “km”.',
    'Ada Admin changed the distance rate: the amount from BRL 1.50 to BRL 2.00.',
    'Ada Admin changed the organization: the name from “Acme” to “Acme & Co”.',
    'Ada Admin added Gus Guest to the organization as member.',
    'Ada Admin changed the role of Gus Guest from member to analyst.',
    'Ada Admin removed Gus Guest from the organization.',
    'Ada Admin invited “new@example.org” as manager.',
    'Ada Admin changed the preferences: the language from “en” to “pt” and the mention name from “adaadmin” to “ada”.',
  ])
  for (const language of languages)
    for (const sentence of await sentences(admin, '/activities?per_page=100', language))
      expect(sentence).not.toMatch(/undefined|activities:|\{\{change|  |“”| \.$/)
})

test('receipts are named by their file names', async () => {
  const id = await create(instance.member)
  const path = `/expenses/${id}/attachments`
  const { api } = instance.member
  const { body } = await api.send('POST', path, { file: await uploadFile(instance.member, pdfFile('taxi.pdf')) })
  await api.send('PATCH', `${path}/${body.id}`, { description: 'The taxi', file: await uploadFile(instance.member, pdfFile('bus.pdf')) })
  await api.send('DELETE', `${path}/${body.id}`)
  expect((await sentences(instance.member, `/expenses/${id}/activities`, 'pt')).slice(0, -1)).toEqual([
    'Mel Member excluiu o anexo “bus.pdf”.',
    'Mel Member alterou um anexo: a descrição de vazio para “The taxi” e o arquivo de “taxi.pdf” para “bus.pdf”.',
    'Mel Member anexou “taxi.pdf”.',
  ])
  const { activities } = (await instance.member.api.get(`/expenses/${id}/activities`)).body
  expect(activities[0].source).toEqual({ id: body.id, type: 'Attachment' })
})

test('tolerating a noncompliant expense is a change of it, not a move', async () => {
  const id = await create(instance.member)
  for (const ignore_noncompliant of [false, true, true])
    await instance.analyst.api.send('PUT', `/expenses/${id}/status`, { status: 'noncompliant', ignore_noncompliant })
  expect((await sentences(instance.member, `/expenses/${id}/activities`, 'pt')).slice(0, -1)).toEqual([
    'Ann Analyst alterou a despesa: a tolerância ao desacordo de não para sim.',
    'Ann Analyst moveu a despesa de Aguardando análise para Em desacordo: a tolerância ao desacordo de vazio para não.',
  ])
})

test('who does not see an expense does not see what happened to it, and a deleted one is 404', async () => {
  const id = await create(instance.member)
  expect((await instance.stranger.api.get(`/expenses/${id}/activities`)).status).toBe(404)
  await instance.member.api.send('DELETE', `/expenses/${id}`)
  expect((await instance.member.api.get(`/expenses/${id}/activities`)).status).toBe(404)
  expect((await sentences(instance.analyst, '/activities'))[0]).toBe('Mel Member deleted the expense.')
})

test('everyone sees the activities of what they may see: a whole organization, or their own and what they follow', async () => {
  const colleague = await instance.addUser('Cleo Colleague', 'member')
  const mine = await create(instance.member)
  const theirs = await create(colleague)
  const seen = async (person: Person) => {
    const { body } = await person.api.get('/activities?per_page=100')
    const subjects = body.activities.filter(({ subject }: Json) => subject.type === 'Expense').map(({ subject }: Json) => subject.id)
    expect(body.count).toBe(body.activities.length)
    return { mine: subjects.includes(mine), theirs: subjects.includes(theirs) }
  }
  expect(await seen(instance.analyst)).toEqual({ mine: true, theirs: true })
  expect(await seen(instance.member)).toEqual({ mine: true, theirs: false })
  expect(await seen(colleague)).toEqual({ mine: false, theirs: true })
  expect(await seen(instance.stranger)).toEqual({ mine: false, theirs: false })
  await instance.analyst.api.send('POST', `/expenses/${theirs}/comments`, { content: 'What do you think, @melmember?' })
  expect(await seen(instance.member)).toEqual({ mine: true, theirs: true })
  await instance.member.api.send('DELETE', `/expenses/${theirs}/participants`)
  expect(await seen(instance.member)).toEqual({ mine: true, theirs: false })
})

test('pages of what a user may see join without a gap', async () => {
  const all = (await instance.member.api.get('/activities?per_page=100')).body
  expect(all.count).toBeGreaterThan(6)
  const pages: number[] = []
  for (let page = 1; page <= Math.ceil(all.count / 3); page += 1)
    pages.push(...(await instance.member.api.get(`/activities?per_page=3&page=${page}`)).body.activities.map(({ id }: Json) => id))
  expect(pages).toEqual(all.activities.map(({ id }: Json) => id))
  expect(pages).toEqual(pages.toSorted((a, b) => b - a))
})

test.each(languages)('every event and every attribute has words in %s', (locale) => {
  const keys = [...activityEvents.map((event) => `events.${event}`), ...Object.keys(activityAttributes).map((name) => `attributes.${name}`)]
  expect(keys.filter((key) => translate(locale, `activities:${key}`) === key)).toEqual([])
})

test('the audit trail can only be added to', async () => {
  const nobody = { user_id: 0, origin: 'test', request_id: null, if_match: null }
  const run = (text: string) => instance.app.store.transact(nobody, async (tx) => tx.write(text, []))
  await expect(run("UPDATE activities SET event = 'other'")).rejects.toThrow('append-only')
  await expect(run('DELETE FROM activities')).rejects.toThrow('append-only')
})

// SQLite's plans.
test.skipIf(isOnPostgres)('indexes serve the lists of comments and activities', async () => {
  const { store } = instance.app
  const { reader } = store
  const plans: string[][] = []
  const explain = ({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
    plans.push(
      store.explain(
        sql,
        parameters.map((value) => (typeof value === 'object' ? 1 : value)),
      ),
    )
  for (const statement of [listCommentRows.expense, listSubjectRows]) explain(statement.build(reader.db).compile())
  for (const person of [instance.admin, instance.analyst, instance.member]) {
    const { page, counted } = await visibleActivities(reader, person, { limit: 30, offset: 30 })
    explain(page.compile())
    explain(counted.compile())
  }
  const scans = plans.flat().filter((step) => /^SCAN (?!CONSTANT|\(subquery|newest$|\d)/.test(step))
  expect(scans).toEqual([])
  expect(plans.slice(0, 2).flat()).toEqual([
    'SEARCH comments USING INDEX comments_expense_id (expense_id=? AND created_at>?)',
    'SEARCH activities USING INDEX activities_subject (subject_type=? AND subject_id=? AND id<?)',
  ])
})
