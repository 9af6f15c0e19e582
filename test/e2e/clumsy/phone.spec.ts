import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, type Json, startApp } from '../support/app'

test.use({ locale: 'en-GB', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

let app: E2eApp
let receiver: Json
const payer = { id: 1, type: 'Organization' }
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: ['hotel', 'taxi', 'lunch'].map((description, index) => ({
      claimant: 'Bartolomeu Albuquerque de Vasconcelos',
      date: `2026-03-0${index + 1}`,
      amount: 10 + index,
      description: `Trip to Brasília: ${description}`,
      tags: 'Travel',
    })),
  })
  const { expenses }: Json = await app.api.get('/expenses?sort=id')
  receiver = { id: expenses[0].receiver.id, type: 'User' }
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const inView = async (locator: Locator) => {
  await locator.scrollIntoViewIfNeeded()
  return locator.evaluate((element) => {
    const box = element.getBoundingClientRect()
    const list = element.closest('[role=grid]')?.getBoundingClientRect()
    return list !== undefined && box.top >= list.top - 1 && box.bottom <= list.bottom + 1
  })
}

async function makeReport(): Promise<Json> {
  const { expenses }: Json = await app.api.get('/expenses?sort=id')
  const approved = { status: 'approved', approved_amount: 9.5 }
  await app.api.send('PUT', `/expenses/${String(expenses[0].id)}/status`, approved)
  const expense_ids = expenses.map(({ id }: Json) => id)
  return app.api.send('POST', '/accountabilities', { payer, receiver, title: 'Brasília', expense_ids })
}

test('the lists inside a report and a reimbursement show whole cards, which say what their second amount is', async ({ page }) => {
  const { id } = await makeReport()
  await page.goto(`${app.url}/accountabilities/${String(id)}`)
  const cards = page.getByRole('grid', { name: 'Expenses' }).getByRole('row').filter({ hasText: 'Trip to' })
  await expect(cards).toHaveCount(3)
  const list = page.getByRole('grid', { name: 'Expenses' })
  await expect.poll(() => list.evaluate((grid) => grid.scrollHeight - grid.clientHeight)).toBeLessThanOrEqual(1)
  expect(await inView(cards.last())).toBe(true)
  const second = cards.filter({ hasText: 'hotel' }).locator('[data-column=approved_amount]')
  await expect(second).toContainText('9.50')
  expect(await second.evaluate((cell) => getComputedStyle(cell, '::before').content)).toContain('Approved')
})

test('the steps of a report on the board do not lie over its text', async ({ page }) => {
  await makeReport()
  await page.goto(`${app.url}/accountabilities`)
  const name = page.getByText('Bartolomeu Albuquerque de Vasconcelos')
  const text = await name.boundingBox()
  const step = await page.getByRole('button', { name: 'Move “Brasília” to Submitted' }).boundingBox()
  expect(text).not.toBeNull()
  expect(step !== null && text !== null && (step.y >= text.y + text.height || step.y + step.height <= text.y)).toBe(true)
})

test('the status can be read to its end', async ({ page }) => {
  const { id } = await makeReport()
  await page.goto(`${app.url}/accountabilities/${String(id)}`)
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  const said = page.getByRole('region', { name: 'Status' }).getByText('“Brasília” is now Submitted').first()
  await expect(said).toBeVisible()
  expect(await said.evaluate((text) => text.scrollWidth - text.clientWidth)).toBeLessThanOrEqual(0)
})

const amount = (page: Page) => page.getByRole('textbox', { name: 'Amount' })

test('after a double click on Save the next expense begins at its amount', async ({ page }) => {
  await page.goto(`${app.url}/capture`)
  await amount(page).fill('12')
  await page.getByRole('textbox', { name: 'Date' }).fill('yesterday')
  await page.getByRole('button', { name: 'Save and start the next' }).hover()
  await page.mouse.down()
  await page.mouse.up()
  // The second press comes once the next expense is there, and scrolled to.
  await expect(amount(page)).toHaveValue('')
  await expect(amount(page)).toBeFocused()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('Recorded')
  await expect(amount(page)).toHaveValue('')
  await expect(amount(page)).toBeFocused()
  await expect(amount(page)).toBeInViewport({ ratio: 1 })
})

test('the second click of a double click does not open what came under the pointer', async ({ page }) => {
  await app.api.send('POST', '/advancements', { payer, receiver, amount: 50, currency: 'BRL', date: '2026-03-01' })
  await page.goto(`${app.url}/advances`)
  await page.getByRole('row').filter({ hasText: 'Bartolomeu' }).click()
  await expect(page.getByRole('grid', { name: 'Entries' })).toContainText('Advance')
  await page.getByRole('button', { name: 'Record a return' }).dblclick()
  await expect(page.locator('form[data-form=devolution-new]')).toBeVisible()
  await expect(page).toHaveURL(/\/advances\?person=/)
})
