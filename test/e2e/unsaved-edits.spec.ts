import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { startApp, type E2eApp } from './support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: [
      { claimant: 'Ana Lima', date: '2026-03-02', amount: 10, description: 'Taxi' },
      { claimant: 'Ana Lima', date: '2026-03-03', amount: 20, description: 'Lunch' },
    ],
  })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const grid = (page: Page) => page.getByRole('grid', { name: 'Expenses' })
const row = (page: Page, text: string) => grid(page).getByRole('row').filter({ hasText: text })

/** Opens an expense beside the list and changes its description. */
async function edit(page: Page, description: string): Promise<void> {
  await page.goto(`${app.url}/review`)
  await row(page, 'Taxi').click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Description' }).fill(description)
}

const awaiting = async () =>
  (await app.api.get('/expenses?q[status_eq]=awaiting_analysis')).expenses.map((one: { description: string }) => one.description).sort()

for (const [where, place] of [
  ['on a radio', (page: Page) => page.getByRole('radio').last().click()],
  ['after Escape', (page: Page) => page.getByRole('textbox', { name: 'Description' }).press('Escape')],
] as const) {
  test(`a key does not approve an expense that is being edited: ${where}`, async ({ page }) => {
    await edit(page, 'Taxi to the airport')
    await place(page)
    await page.keyboard.press('a')
    if (where === 'on a radio') await page.keyboard.press('Escape')
    else await expect(page.getByRole('alert')).toHaveText('“Approve” did nothing: save or discard your changes first.')
    await expect(page.getByText('You have an unsaved edit')).toBeVisible()
    await page.getByRole('group', { name: 'Decide' }).getByRole('button', { name: 'Approve', exact: true }).click()
    expect(await awaiting()).toEqual(['Lunch', 'Taxi'])
    await page.reload()
    await page.getByText('You have an unsaved edit').waitFor()
    if (where === 'after Escape') await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Continue editing' }).click()
    await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Taxi to the airport')
  })
}

test('an act waits while an edit that was left is shown; it is offered again, and after Discard the act works', async ({ page }) => {
  await edit(page, 'Taxi to the airport')
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await expect(page.getByRole('alert')).toHaveText('“Approve” did nothing: save or discard your changes first.')
  await row(page, 'Lunch').click()
  await page.keyboard.press('a')
  await expect.poll(awaiting).toEqual(['Taxi'])
  await row(page, 'Taxi').click()
  await page.getByRole('button', { name: 'Continue editing' }).click()
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Taxi to the airport')
  await page.getByRole('textbox', { name: 'Description' }).press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.keyboard.press('a')
  await expect.poll(awaiting).toEqual([])
})

test('what the server offers for an expense moves nothing under the pointer when it comes', async ({ page }) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/expenses/1/status', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(`${app.url}/review`)
  await row(page, 'Taxi').click()
  const button = page.getByRole('button', { name: 'Edit', exact: true })
  await button.hover()
  const before = await button.boundingBox()
  const response = page.waitForResponse('**/expenses/1/status')
  held.resolve()
  await (await response).finished()
  await expect(page.getByRole('group', { name: 'Decide' })).toBeVisible()
  expect(await button.boundingBox()).toEqual(before)
})

for (const [where, approve] of [
  ['of its own', (page: Page) => page.getByRole('group', { name: 'Decide' }).getByRole('button', { name: 'Approve', exact: true })],
  ['of the selection', (page: Page) => page.getByRole('toolbar', { name: 'Selected expenses' }).getByRole('button', { name: /^Approve/ })],
] as const) {
  test(`a click on a button ${where} does not approve an expense that is being edited`, async ({ page }) => {
    await page.goto(`${app.url}/review`)
    await row(page, 'Taxi').click()
    if (where === 'of the selection') await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('Taxi to the airport')
    await approve(page).click()
    await expect(page.getByRole('alert')).toHaveText('“Approve” did nothing: save or discard your changes first.')
    expect(await awaiting()).toEqual(['Lunch', 'Taxi'])
    await page.getByRole('button', { name: 'Save Enter' }).click()
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
    await approve(page).click()
    if (where === 'of the selection') {
      await expect(page.getByText(/will be approved/)).toBeVisible()
      await page.keyboard.press('Enter')
    }
    await expect.poll(awaiting).toEqual(['Lunch'])
    const { expenses } = await app.api.get('/expenses?q[status_eq]=approved')
    expect(expenses).toMatchObject([{ description: 'Taxi to the airport' }])
  })
}
