import { afterAll, expect, test } from 'vitest'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { settled, uploadImport } from '#test/support/imports'
import { startMailbox } from '#test/support/mailbox'
import { startScreens } from './shown'

const mailbox = await startMailbox()
/** What screens say of records, with the amounts and links that the server gives them. */
const screens = await startScreens({
  settings: { OUTLAY_SMTP_URL: mailbox.url, OUTLAY_IMAP_URL: 'imap://a:b@127.0.0.1:9/', OUTLAY_IMAP_ADDRESS: 'receipts@example.org' },
})
const organization = { id: screens.instance.organization_id, type: 'Organization' }
afterAll(async () => {
  await screens.end()
  await mailbox.close()
})

const admin = () => screens.instance.admin
const show = (path: string) => screens.show(admin(), path)
const create = async (path: string, body: object) => {
  const made = await admin().api.send('POST', path, body)
  expect(made.status).toBe(201)
  return made.body
}
const ofOrganization = (what: string, body: object) => create(`/organizations/${organization.id}/${what}`, body)
const member = () => ({ id: screens.instance.member.user_id, type: 'User' })

async function approve(attributes: { readonly amount: number }): Promise<number> {
  const { id } = await recordExpense(screens.instance, screens.instance.member, attributes)
  await moveExpense(admin(), id, { status: 'approved', approved_amount: attributes.amount })
  return id
}

test('settings say where e-mail goes, and show the address for receipts', async () => {
  const { text } = await show('/settings/notifications')
  expect(text).toMatch(/receipts\+\d+-[a-z2-7]{16}@example\.org/)
  expect(text).toContain('ada.admin@example.org')
  expect(text).not.toContain('No mail server is set up')
})

test('a policy says that it finds nothing once its tags are deleted', async () => {
  const tag = await ofOrganization('tags', { name: 'Fair' })
  const { id } = await ofOrganization('policies', { name: 'Tagged', weight: 'block', condition: 'tag_other', tag_ids: [tag.id] })
  const gone = 'Its tags were deleted, so this policy finds nothing.'
  expect((await show(`/policies/${id}`)).text).not.toContain(gone)
  await admin().api.send('DELETE', `/organizations/${organization.id}/tags/${tag.id}`)
  const { text } = await show(`/policies/${id}`)
  expect(text).toContain(gone)
  expect(text).toContain('A deleted tag')
})

test('an expense to pay that is in an expense report says so, and leads to it', async () => {
  const id = await approve({ amount: 62.5 })
  const report = await create('/accountabilities', { payer: organization, receiver: member(), title: 'Trip to Recife', expense_ids: [id] })
  const { text, links } = await show(`/reimbursements?to=${member().id}&currency=BRL`)
  expect(links.get('Trip to Recife')).toBe(`/accountabilities/${report.id}`)
  expect(text).toContain('1 of the chosen expenses is in an expense report that is not finished.')
})

test('an advance of a closed month is shown without its buttons', async () => {
  const { id } = await create('/advancements', { payer: organization, receiver: member(), amount: 50, currency: 'BRL', date: '2026-01-05' })
  const edits = (buttons: readonly string[]) => buttons.filter((name) => name.startsWith('Edit'))
  expect(edits((await show(`/advances/${id}`)).buttons)).toHaveLength(1)
  await ofOrganization('closings', { name: '2026-01' })
  const { text, buttons } = await show(`/advances/${id}`)
  expect(text).toContain('January 2026 is closed: Ada Admin closed it on')
  expect(edits(buttons)).toEqual([])
})

test('an expense that arrives after its month was closed says where it counts', async () => {
  await ofOrganization('closings', { name: '2025-12' })
  const { id } = await recordExpense(screens.instance, screens.instance.member, { occurred_at: '2025-12-09' })
  expect((await show(`/expenses/${id}`)).text).toContain('Arrived after December 2025 was closed: counts in February 2026.')
})

test('reports begin with what expenses come to, what waits for whom, the months, and the largest of each kind', async () => {
  await recordExpense(screens.instance, screens.instance.member, { occurred_at: '2026-03-02', amount: 40, description: 'Overview' })
  await recordExpense(screens.instance, screens.instance.member, { occurred_at: '2026-04-02', amount: 30, description: 'Overview' })
  const { id } = await recordExpense(screens.instance, screens.instance.member, {
    occurred_at: '2026-04-03',
    amount: 20,
    description: 'Overview',
  })
  await moveExpense(admin(), id, { status: 'approved', approved_amount: 20 })
  const { text, links } = await show('/reports?queue=all&f=description.contains.Overview')
  expect(text).toContain('Expenses (BRL) 90.00 3 expenses · Apr 2026: +25% on Mar 2026')
  expect(text).toContain('Waiting for reviewers 70.00 2 expenses Waiting for claimants 0.00 0 expenses Approved, to pay 20.00 1 expense')
  expect(links.get('70.00')).toMatch(/^\/review\?.*description\.contains\.Overview.*status\.is\.awaiting_analysis/)
  expect(links.get('Apr 2026: 50.00')).toMatch(/^\/review\?.*occurred_at\.from\.2026-04-01/)
  expect(text).toMatch(/Claimant .* 90\.00 3/)
  expect(links.get('Tag')).toMatch(/^\/reports\?by=tag.*Overview/)
})

test('times are compared with the period before', async () => {
  for (const occurred_at of ['2026-05-02', '2026-06-02', '2026-06-03']) {
    const { id } = await recordExpense(screens.instance, screens.instance.member, { occurred_at, amount: 10 })
    await moveExpense(admin(), id, { status: 'approved', approved_amount: 10 })
  }
  const { text } = await show('/reports?by=times&queue=all&f=occurred_at.from.2026-06-01&f=occurred_at.to.2026-06-30')
  expect(text).toContain('Compared with 01 May to 31 May')
  expect(text).toContain('Step Expenses Median Before 90 of 100 within Before')
  expect(text).toMatch(/From recorded to approved 2 \d+ mins \d+ mins \d+ mins \d+ mins/)
})

test('an expense report says what was approved, paid and is unpaid, and To pay who is owed by an advance', async () => {
  const { user_id } = await screens.instance.addUser('Bruno Reis', 'member')
  const receiver = { id: user_id, type: 'User' }
  const record = (attributes: object) =>
    create('/expenses', { payer: organization, receiver, amount: 100, occurred_at: '2026-07-01', ...attributes })
  const made = [await record({}), await record({ liquidate_through_advancement: true })]
  for (const { id } of made) await moveExpense(admin(), id, { status: 'approved', approved_amount: 80 })
  await create('/advancements', { payer: organization, receiver, amount: 50, currency: 'BRL', date: '2026-07-01' })
  const report = await create('/accountabilities', { payer: organization, receiver, title: 'Trip', expense_ids: made.map(({ id }) => id) })
  for (const status of ['ready_to_review', 'analyzed', 'approved', 'finished'])
    await admin().api.send('PUT', `/accountability/${report.id}/status`, { status })
  expect((await show(`/accountabilities/${report.id}`)).text).toContain('Paid BRL 160.00')
  const { body } = await admin().api.get('/reimbursements')
  const paid = body.reimbursements.find((one: { receiver: { id: number }; expenses: unknown[] }) => one.receiver.id === user_id)
  await admin().api.send('DELETE', `/reimbursements/${paid.id}`)
  expect((await show(`/accountabilities/${report.id}`)).text).toContain(
    'Claimed 2 expensesBRL 200.00 Approved BRL 160.00 Paid BRL 80.00 Not paid yet BRL 80.00',
  )
  const { text, links } = await show('/reimbursements')
  expect(text).toMatch(/Owed because of an advance.*Bruno Reis.*30\.00/)
  expect((await show(links.get('Bruno Reis') ?? '')).text).toContain('BRL −30.00')
})

test.each([
  ['empty.csv', '', 'This file is empty.'],
  ['binary.csv', Buffer.from(Uint8Array.from({ length: 9000 }, (_, index) => (index * index) % 251)), 'This file is not text.'],
  ['twice.csv', 'Name,Date,Amount,Amount\nAna,2024-05-01,1,2', 'Two columns are called “Amount”'],
  ['odd.csv', 'wer;wann;was\nAna;03/04/2024;1.250,00\n', 'No column was recognized'],
])('%s, which cannot be imported, says why', async (name, bytes, sentence) => {
  const { token, api } = admin()
  const { body } = await uploadImport(screens.instance, { token, organization_id: organization.id, bytes, name })
  await settled(api, body)
  expect((await show(`/import/${body.id}`)).text).toContain(sentence)
})

test('an invitation that no mail server takes says so, as do those that are sent', async () => {
  mailbox.unknown.add('typo@example.org')
  for (const email of ['typo@example.org', 'eva@example.org']) await ofOrganization('members', { user: { email }, role: 'manager' })
  await mailbox.waitFor('eva@example.org')
  await expect.poll(async () => (await show('/team')).text).toMatch(/Could not send: .*No such user here/)
  expect((await show('/team')).text).toMatch(/eva@example\.orgManagerSent/)
})

test('what one policy found is a filter with its name', async () => {
  const { id } = await ofOrganization('policies', { name: 'Dear', weight: 'block', condition: 'amount_over', amount: 530, currency: 'BRL' })
  await recordExpense(screens.instance, screens.instance.member, { amount: 533 })
  const { text } = await show(`/reports?by=flag&queue=all&f=policy.is.${id}`)
  expect(text).toContain('Policy: Dear')
  expect(text).toContain('1 expense · BRL 533.00')
})
