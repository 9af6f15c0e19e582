import { expect, test } from './support/kept/kept-page'
import { z } from 'zod'
import { expectAccessible } from './support/axe'
import { Claim } from './support/claim'
import { withoutFeed } from './support/without-feed'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

let claim: Claim
test.beforeEach(async ({ page }) => {
  claim = await Claim.start()
  await claim.signIn(page, claim.admin)
})
test.afterEach(() => claim.served.remove())

test(
  'an expense is edited, commented on with a mention and moved, and its trail shows old and new',
  { tag: '@journey' },
  async ({ page }) => {
    const { id } = await claim.makeExpense()
    await claim.openExpense(page, id)
    // Facts that are empty are left out.
    await expect(page.getByRole('term').filter({ hasText: /^Amount$/ })).toBeVisible()
    await expect(page.getByText('None', { exact: true })).toHaveCount(0)
    await page.keyboard.press('e')
    await expect(page.getByRole('textbox', { name: 'Description' })).toBeFocused()
    await page.getByRole('textbox', { name: 'Amount' }).fill('abc')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Enter an amount such as 12.50')).toBeVisible()
    await page.getByRole('textbox', { name: 'Amount' }).fill('1.234,56')
    await expect(page.getByRole('form', { name: 'Edit the expense' })).toContainText('BRL 1,234.56')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
    expect(await claim.getExpense(id)).toMatchObject({ amount: 1234.56, description: 'Lunch, 3 people' })

    await page.keyboard.press('c')
    await expect(page.getByLabel('Write a comment')).toBeFocused()
    await page.keyboard.type('Who was there, @bru')
    await expect(page.getByRole('option', { name: /Bruno Lima/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await page.keyboard.type(':tada: <b>')
    await page.keyboard.press('Control+Enter')
    const comment = page.getByRole('list', { name: 'Comments' }).getByRole('listitem')
    await expect(comment).toContainText('Who was there, @brunolima 🎉 <b>')
    await expect(comment.getByTitle('Bruno Lima')).toHaveText('@brunolima')
    await expectAccessible(page)

    await page.keyboard.press('Escape')
    await page.keyboard.press('p')
    const part = page.getByRole('form', { name: 'Approve in part' })
    await expect(part).toContainText('Lunch, 3 people · Bruno Lima · claimed BRL 1,234.56')
    await page.getByRole('textbox', { name: 'Approved amount in BRL' }).fill('1000')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Approved', { exact: true }).first()).toBeVisible()
    await expect(page.locator('header').filter({ hasText: 'Lunch' })).toContainText('Claimed 1,234.56Approved BRL 1,000.00')

    await page.keyboard.press('v')
    await page.keyboard.press('a')
    const trail = page.getByRole('list', { name: 'Activity' }).getByRole('listitem')
    await expect(trail.nth(0)).toContainText('To review')
    await expect(trail.nth(0)).toContainText('BRL 1,000.00')
    await expect(trail.filter({ hasText: 'BRL 210.00' }).first()).toContainText('BRL 1,234.56')
    await expectAccessible(page)
  },
)

test('a form says before saving that it takes an approval back', async ({ page }) => {
  const { id } = await claim.makeExpense()
  await claim.write('PUT', `/expenses/${String(id)}/status`, { body: { status: 'approved', approved_amount: 210 } })
  await claim.openExpense(page, id)
  await page.keyboard.press('e')
  const form = page.getByRole('form', { name: 'Edit the expense' })
  await form.getByRole('textbox', { name: 'Description' }).fill('Dinner')
  await expect(form).not.toContainText('takes that back')
  await form.getByRole('textbox', { name: 'Amount' }).fill('250')
  await expect(form).toContainText('This expense is “Approved”. Saving takes that back')
  await expectAccessible(page)
  await form.getByRole('textbox', { name: 'Amount' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeVisible()
  expect(await claim.getExpense(id)).toMatchObject({ status: 'awaiting_analysis', amount: 250 })
})

test('an approval is taken back by its undo', async ({ page }) => {
  const { id } = await claim.makeExpense()
  await claim.openExpense(page, id)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()
  let writes = 0
  await page.route('**/api/v1/expenses/*/status', async (route) => {
    if (route.request().method() === 'PUT') writes += 1
    await route.continue()
  })
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeVisible()
  expect(await claim.getExpense(id)).toMatchObject({ status: 'awaiting_analysis' })
  expect(writes).toBe(1)
  await page.keyboard.press('a')
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeVisible()
})

test('concurrent changes by someone else are shown next to one’s own, to choose from', async ({ page }) => {
  const { id } = await claim.makeExpense()
  // What the page hears of before Enter is said in the form instead.
  await withoutFeed(page)
  await claim.openExpense(page, id)
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Description' }).fill('Lunch with the press')
  await page.getByRole('textbox', { name: 'Place' }).fill('Brasília')
  await claim.write('PATCH', `/expenses/${String(id)}`, { body: { description: 'Lunch with guests' } })
  await page.keyboard.press('Enter')
  const form = page.getByRole('form', { name: 'Someone else changed this too' })
  await expect(form.getByRole('radio', { name: 'Yours: Lunch with the press' })).toBeChecked()
  await form.getByRole('radio', { name: 'Saved: Lunch with guests' }).check()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save my choice' }).click()
  await expect(page.getByRole('heading', { name: 'Lunch with guests' })).toBeVisible()
  await expect.poll(async () => (await claim.getExpense(id)).location).toBe('Brasília')
})

test('a change by someone else that the page hears just before Enter is not replaced unasked', async ({ page }) => {
  const { id } = await claim.makeExpense()
  await claim.openExpense(page, id)
  await page.keyboard.press('e')
  const description = page.getByRole('textbox', { name: 'Description' })
  await description.fill('Lunch with the press')
  await claim.write('PATCH', `/expenses/${String(id)}`, { body: { description: 'Lunch with guests' } })
  await expect(page.getByText('is now Lunch with guests; you have Lunch with the press')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Save again to replace' })).toBeInViewport()
  expect((await claim.getExpense(id)).description).toBe('Lunch with guests')
  await expectAccessible(page)
  // Something else of theirs asks again; what is the same in both asks nothing.
  await claim.write('PATCH', `/expenses/${String(id)}`, { body: { description: 'Lunch with friends' } })
  await expect(page.getByText('is now Lunch with friends; you have Lunch with the press')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Save again to replace' })).toBeVisible()
  expect((await claim.getExpense(id)).description).toBe('Lunch with friends')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'Lunch with the press' })).toBeVisible()
  expect((await claim.getExpense(id)).description).toBe('Lunch with the press')
})

test('a warning that arrives late moves no button under a press', async ({ page }) => {
  const { id } = await claim.makeExpense()
  // What is decided has no finding of its own: the page has to ask.
  const approved = { status: 'approved', approved_amount: 210 }
  await claim.write('PUT', `/expenses/${String(id)}/status`, { body: approved })
  await claim.makeExpense()
  const held = Promise.withResolvers<void>()
  await page.route(/\/expenses\/\d+\/repeats/, async (route) => {
    await held.promise
    await route.continue()
  })
  await claim.openExpense(page, id)
  const reopen = page.getByRole('button', { name: 'Reopen', exact: true })
  // A pressed button is drawn a little lower: the one next to it tells whether they were moved.
  const beside = page.getByRole('button', { name: 'Reject', exact: true })
  await reopen.hover()
  const before = await beside.boundingBox()
  await page.mouse.down()
  held.resolve()
  await expect(page.getByText('1 later expense may repeat this one')).toBeInViewport()
  expect(await beside.boundingBox()).toEqual(before)
  await page.mouse.up()
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeVisible()
})

test('deleting an expense names what it does, and cannot be meant by accident', async ({ page }) => {
  const { id } = await claim.makeExpense()
  await claim.openExpense(page, id)
  await page.getByRole('button', { name: 'Delete expense' }).click()
  const sheet = page.getByRole('dialog', { name: 'Delete this expense?' })
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('button', { name: 'Delete expense' })).toBeFocused()
  await page.keyboard.down('Enter')
  await expect(sheet).toBeVisible()
  // Held: it has opened the sheet and does not confirm it.
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await sheet.getByRole('button', { name: 'Delete expense' }).click()
  await expect
    .poll(async () => z.object({ errors: z.unknown() }).safeParse(await claim.served.get(`/expenses/${String(id)}`, claim.admin)).success)
    .toBe(true)
})
