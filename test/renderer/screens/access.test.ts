import { afterAll, expect, test } from 'vitest'
import { newCardNumber } from '#test/support/cards'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { startScreens } from './shown'

/** What each person reads on a screen, and which buttons they have there. */
const screens = await startScreens()
const organization = { id: screens.instance.organization_id, type: 'Organization' }
afterAll(() => screens.end())

const receiverOf = ({ user_id: id }: { readonly user_id: number }) => ({ id, type: 'User' })

test('who does not look after tags reads them', async () => {
  const { instance, show } = screens
  const { body } = await instance.admin.api.send('POST', `/organizations/${organization.id}/tags`, { name: 'Meals' })
  const [read, managed] = [await show(instance.member, `/tags/${body.id}`), await show(instance.manager, `/tags/${body.id}`)]
  expect(managed.buttons).toContain('New tag N')
  expect(managed.links.get('Show expenses with this tag')).toBe('/review?queue=all&f=tag.is.Meals')
  expect(read.text).toContain('Managers manage the tags.')
  expect(read.buttons).not.toContain('New tag N')
  expect(read.links.has('Show expenses with this tag')).toBe(false)
})

test('a claimant reads why an expense under review is not theirs to change, and sees no moves', async () => {
  const { instance, show } = screens
  const { id } = await recordExpense(instance, instance.member)
  await moveExpense(instance.manager, id, { status: 'analyzing' })
  const [own, reviewed] = [await show(instance.member, `/expenses/${id}`), await show(instance.manager, `/expenses/${id}`)]
  expect(own.text).toContain('In review: you cannot change it now')
  expect(own.buttons.filter((name) => /^(Approve|Delete expense)/.test(name))).toEqual([])
  expect(reviewed.text).not.toContain('In review: you cannot change it now')
  expect(reviewed.buttons).toEqual(expect.arrayContaining(['Approve A', 'Delete expense']))
})

test.each([
  ['/expenses/99', 'This expense does not exist, or you do not have access to it.'],
  ['/cards/99', 'This card does not exist, or you do not have access to it.'],
  ['/accountabilities/99', 'This expense report does not exist'],
  ['/pre-expenses/99', 'This suggested expense does not exist, or you do not have access to it.'],
])('what is not there has a message: %s', async (path, message) => {
  expect((await screens.show(screens.instance.admin, path)).text).toContain(message)
})

test('a member sees what they hold, and cannot hand out or give back', async () => {
  const { instance, show } = screens
  const paid = { payer: organization, receiver: receiverOf(instance.member), amount: 50, currency: 'BRL', date: '2026-03-01' }
  await instance.manager.api.send('POST', '/advancements', paid)
  const address = `/advances?person=${instance.member.user_id}&currency=BRL`
  const [held, handed] = [await show(instance.member, address), await show(instance.manager, address)]
  const acts = (buttons: readonly string[]) => buttons.filter((name) => /^(Pay an advance|Record a return)/.test(name))
  expect(held.text).toContain('Mel Member (you) Holds an advance BRL 50.00')
  expect(held.text).toMatch(/Advance BRL 50\.00 BRL 50\.00/)
  expect(acts(held.buttons)).toEqual([])
  expect(acts(handed.buttons)).not.toEqual([])
})

test('a member sees and adds only their own cards; a manager sees all, and which have expired', async () => {
  const { instance, show } = screens
  const { body } = await instance.admin.api.send('POST', '/corporative_cards', {
    name: 'Fuel',
    number: newCardNumber(),
    expiration_date: '01/24',
    organization_id: organization.id,
  })
  const [own, all] = [await show(instance.member, '/cards'), await show(instance.manager, '/cards')]
  expect(own.text).toContain('You have no cards yet.')
  expect([own.fields.has('Mine'), all.fields.has('Mine')]).toEqual([false, true])
  const [adding, addingForOthers] = [await show(instance.member, '/cards/new'), await show(instance.manager, '/cards/new')]
  expect([adding.fields.has('User'), addingForOthers.fields.has('User')]).toEqual([false, true])
  expect([adding.fields.has('Number'), addingForOthers.fields.has('Number')]).toEqual([true, true])
  expect((await show(instance.member, `/cards/${body.id}`)).text).toContain('This card does not exist')
  expect((await show(instance.manager, `/cards/${body.id}`)).text).toContain('Expired')
})

test('who receives a reimbursement may read it but not change it', async () => {
  const { instance, show } = screens
  const paid = { payer: organization, receiver: receiverOf(instance.member), amount: 40, currency: 'BRL', date: '2026-03-01' }
  const { body } = await instance.manager.api.send('POST', '/reimbursements', paid)
  const [read, managed] = [
    await show(instance.member, `/reimbursements/${body.id}`),
    await show(instance.manager, `/reimbursements/${body.id}`),
  ]
  const acts = (buttons: readonly string[]) => buttons.filter((name) => /^(Edit|New reimbursement)/.test(name))
  expect(read.text).toContain('Reimbursement to Mel Member')
  expect(acts(read.buttons)).toEqual([])
  expect(acts(managed.buttons)).not.toEqual([])
})

test('who submits an expense report gets none of its review acts', async () => {
  const { instance, show } = screens
  const made = await instance.member.api.send('POST', '/accountabilities', {
    ...{ payer: organization, receiver: receiverOf(instance.member) },
    ...{ title: 'Mine', expense_ids: [] },
  })
  const address = `/accountabilities/${made.body.id}`
  expect((await show(instance.member, address)).buttons.join()).toContain('Submit')
  await instance.member.api.send('PUT', `/accountability/${made.body.id}/status`, { status: 'ready_to_review' })
  const acts = (buttons: readonly string[]) =>
    buttons.filter((name) => /^(Mark as reviewed|Back to draft|Delete|Add expenses|Approve)/.test(name))
  const [own, reviewed] = [await show(instance.member, address), await show(instance.manager, address)]
  expect(own.text).toContain('Submitted')
  expect(acts(own.buttons)).toEqual([])
  expect(acts(reviewed.buttons)).not.toEqual([])
})

test('people who do not manage webhooks learn who does', async () => {
  const { instance, show } = screens
  const { text, buttons } = await show(instance.analyst, '/webhooks')
  expect(text).toContain('Managers manage the webhooks of this organization.')
  expect(buttons).not.toContain('New webhook N')
  expect((await show(instance.manager, '/webhooks')).text).not.toContain('Managers manage the webhooks of this organization.')
})

test('without a mail server settings and invitations say that nothing is sent', async () => {
  const { instance, show } = screens
  await instance.admin.api.send('POST', `/organizations/${organization.id}/members`, { user: { email: 'lia@example.org' }, role: 'member' })
  expect((await show(instance.admin, '/settings/notifications')).text).toContain('No mail server is set up, so no e-mail is sent.')
  await expect.poll(async () => (await show(instance.admin, '/team')).text).toContain('Not sent by e-mail')
  const { text, buttons } = await show(instance.admin, '/team')
  expect(text).toContain('No mail server is set up, so Outlay sent nothing.')
  expect(buttons).toContain('Get link: the invitation to lia@example.org')
  expect(buttons.filter((name) => name.startsWith('Send again'))).toEqual([])
})
