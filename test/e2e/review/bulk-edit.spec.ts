import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, type Json, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: Array.from({ length: 130 }, (_, index) => ({
      claimant: 'Bruno Reis',
      date: '2026-03-02',
      amount: 10 + index,
      description: `Ride ${index}`,
      tags: index % 2 === 0 ? 'Travel' : 'Meals',
    })),
  })
  await app.signIn(page)
  await page.goto(`${app.url}/review?queue=all&sort=amount`)
  await expect(row(page, 'Ride 1')).toBeVisible()
})
test.afterEach(() => app.remove())

const row = (page: Page, text: string) =>
  page
    .getByRole('grid', { name: 'Expenses' })
    .getByRole('row')
    .filter({ hasText: new RegExp(`${text}(?!\\d)`) })
    .first()
const all = async (): Promise<Json[]> => [
  ...(await app.api.get('/expenses?sort=id&per_page=100')).expenses,
  ...(await app.api.get('/expenses?sort=id&per_page=100&page=2')).expenses,
]

test(
  'everything that matches gets a tag, a supplier and a place in one act, which one undo takes back',
  { tag: '@journey' },
  async ({ page }) => {
    await app.api.send('PUT', '/expenses/1/status', { status: 'approved', approved_amount: 10 })
    await app.api.send('PUT', '/expenses/1/status', { status: 'liquidated' })
    const before = await all()
    await page.keyboard.press('Control+Shift+a')
    await page.keyboard.press('Shift+e')
    const sheet = page.getByRole('dialog', { name: /^Edit 130 expenses/ })
    await expect(sheet).toBeVisible()
    await expect(sheet.getByRole('button', { name: 'Change 0' })).toBeDisabled()
    await sheet.getByLabel('Add tags', { exact: true }).fill('Fair')
    await page.keyboard.press('Enter')
    await sheet.getByLabel('Remove tags', { exact: true }).fill('Meals')
    await page.keyboard.press('Enter')
    await sheet.getByLabel('Supplier', { exact: true }).fill('Cooperativa Sol')
    await sheet.getByLabel('Place', { exact: true }).fill('Recife')
    await expect(sheet).toContainText('supplier of 129 · place of 129 · 1 cannot be edited')
    await expect(sheet.getByRole('list', { name: 'What will change' })).toContainText('Travel, Fair')
    await expectAccessible(page)
    await page.screenshot({ path: test.info().outputPath('bulk.png') })
    await sheet.getByRole('button', { name: 'Change 129' }).click()
    await expect(page.getByRole('region', { name: 'Status' }).getByText('129 expenses changed').first()).toBeVisible()
    const after = await all()
    expect(after.filter(({ supplier_name, location }) => supplier_name === 'Cooperativa Sol' && location === 'Recife')).toHaveLength(129)
    expect(new Set(after.map(({ tags }) => tags))).toEqual(new Set(['Travel', 'Travel, Fair', 'Fair']))
    await page.keyboard.press('u')
    await expect.poll(async () => (await app.api.get('/expenses?q[supplier_name_null]=0')).count).toBe(0)
    const shown = ({ tags, location, occurred_at }: Json) => ({ tags, location, occurred_at })
    expect((await all()).map(shown)).toEqual(before.map(shown))
  },
)

test('the sheet says which fields will be emptied', async ({ page }) => {
  await app.api.send('PATCH', '/expenses/1', { location: 'Recife' })
  await expect(row(page, 'Ride 1')).toBeVisible()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+j')
  await page.keyboard.press('Shift+e')
  const sheet = page.getByRole('dialog', { name: /^Edit 2 expenses/ })
  await sheet.getByRole('combobox', { name: 'Fields to empty' }).press('ArrowDown')
  await page.getByRole('option', { name: 'Place' }).click()
  await page.getByRole('option', { name: 'Tags' }).click()
  await page.keyboard.press('Tab')
  await expect(sheet).toContainText('tags of 2 · place of 1')
  await expect(sheet.getByRole('list', { name: 'What will change' })).toContainText('Recife → –')
  await expectAccessible(page)
})

test('on a phone the sheet for two chosen expenses stays within the screen, and a wrong date changes nothing', async ({ page }) => {
  const [{ id }] = (await app.api.get('/expenses?sort=amount&per_page=1')).expenses
  await app.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 10 })
  await expect(row(page, 'Ride 0')).toContainText('Approved')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+j')
  await page.keyboard.press('Shift+e')
  const sheet = page.getByRole('dialog', { name: /^Edit 2 expenses/ })
  await page.setViewportSize({ width: 390, height: 780 })
  await sheet.getByRole('textbox', { name: 'Date' }).fill('banana')
  await expect(sheet.getByRole('button', { name: /^Change/ })).toBeDisabled()
  await sheet.getByRole('textbox', { name: 'Date' }).fill('5/3/2026')
  await expect(sheet).toContainText('date of 2')
  await expect(sheet).toContainText('1 of these is decided already')
  await expect(sheet.getByRole('button', { name: 'Change 2' })).toBeInViewport()
  await page.screenshot({ path: test.info().outputPath('bulk-390.png') })
  await sheet.getByRole('button', { name: 'Change 2' }).click()
  await expect.poll(async () => (await app.api.get('/expenses?q[occurred_at_eq]=2026-03-05')).count).toBe(2)
})
