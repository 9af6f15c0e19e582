import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { type E2eApp, startApp } from './support/app'
import { expectAccessible } from './support/axe'

test.describe.configure({ mode: 'parallel' })
test.use({ locale: 'en-GB' })

let app: E2eApp
test.beforeEach(async () => {
  const expense = { claimant: 'Bruno Lima', date: '2026-01-04', amount: 12.5, description: 'Taxi' }
  app = await startApp({
    expenses: [
      { ...expense, tags: 'Travel' },
      { ...expense, description: 'Lunch', tags: 'Meals' },
    ],
  })
})
test.afterEach(() => app.remove())

const row = (page: Page, name: string) => page.getByRole('row', { name })

test('a tag is made, grouped, restricted, renamed and deleted', { tag: '@journey' }, async ({ page }) => {
  await app.signIn(page)
  await page.goto(`${app.url}/tags`)
  await expect(page.getByText('2 tags')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('travel')
  await page.getByRole('button', { name: 'Create tag' }).click()
  await expect(page.getByText('This is already taken. Choose another.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Lodging')
  await page.getByRole('combobox', { name: 'Group' }).fill('Trips')
  await page.getByRole('combobox', { name: 'Who can use it' }).click()
  await page.getByRole('option', { name: 'Bruno Lima' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option', { name: 'Bruno Lima' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Create tag' }).click()
  await expect(page).toHaveURL(/\/tags\/\d+$/)
  await expect(row(page, 'Lodging').getByText('Trips')).toBeVisible()
  await expect(row(page, 'Lodging').getByText('Bruno Lima')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Hotels')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(row(page, 'Hotels')).toBeVisible()
  await page.keyboard.press('Escape')
  await row(page, 'Travel').click()
  await page.getByRole('button', { name: 'Delete tag' }).click()
  const sheet = page.getByRole('dialog', { name: 'Delete Travel?' })
  await expect(sheet.getByText('1 expense has it.')).toBeVisible()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Delete tag' }).click()
  await expect(row(page, 'Travel')).toHaveCount(0)
})

test('tags are found by name and group, and lead to their expenses', async ({ page }) => {
  await app.signIn(page)
  await page.goto(`${app.url}/tags`)
  await expect(row(page, 'Travel')).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('trav')
  await expect(row(page, 'Meals')).toHaveCount(0)
  await row(page, 'Travel').click()
  await page.getByRole('link', { name: 'Show expenses with this tag' }).click()
  await expect(page).toHaveURL(/\/review\?/)
  await expect(row(page, 'Taxi')).toBeVisible()
  await expect(row(page, 'Lunch')).toHaveCount(0)
})
