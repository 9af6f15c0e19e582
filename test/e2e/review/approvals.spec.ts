import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: [
      { claimant: 'Bruno Reis', date: '2026-03-02', amount: 10, description: 'Taxi' },
      { claimant: 'Bruno Reis', date: '2026-03-03', amount: 212, description: 'Dinner' },
    ],
  })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const row = (page: Page, text: string) => page.getByRole('grid', { name: 'Expenses' }).getByRole('row').filter({ hasText: text })

test('a rule is written for large amounts: no key approves one before someone else has looked', { tag: '@journey' }, async ({ page }) => {
  const { memberships } = await app.api.get('/organizations/1/members')
  const bruno = memberships.find(({ user }: { user: { first_name: string } }) => user.first_name === 'Bruno')
  await app.api.send('PUT', `/organizations/1/members/${bruno.user.id}`, { role: 'manager' })
  await page.goto(`${app.url}/approvals`)
  await expect(page.getByText('No approval rules yet.')).toBeVisible()
  await page.keyboard.press('n')
  await page.getByRole('button', { name: 'Create rule' }).click()
  await expect(page.getByText('Choose at least one person.')).toBeVisible()
  await page.getByText('Two people decide', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Large amounts')
  await page.getByRole('textbox', { name: 'Over' }).fill('100')
  await page.getByRole('button', { name: 'Create rule' }).click()
  await expect(page.getByRole('row', { name: /Large amounts/ })).toContainText('over BRL 100.00')

  await page.goto(`${app.url}/review`)
  await row(page, 'Dinner').click()
  await page.keyboard.press('a')
  await expect(page.getByText(/Two people decide amounts like this/).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Two people decide this/)).toBeVisible()
  await expectAccessible(page)
  await row(page, 'Taxi').click()
  await page.keyboard.press('a')
  await expect(page.getByTitle('1 approved.')).toBeVisible()
  const { expenses } = await app.api.get('/expenses')
  expect(expenses.map(({ description, status }: Record<string, string>) => [description, status]).sort()).toEqual([
    ['Dinner', 'awaiting_analysis'],
    ['Taxi', 'approved'],
  ])
})

test('an admin chooses who stands in, and the list says so', { tag: '@journey' }, async ({ page }) => {
  const { memberships } = await app.api.get('/organizations/1/members')
  const bruno = memberships.find(({ user }: { user: { first_name: string } }) => user.first_name === 'Bruno')
  await app.api.send('PUT', `/organizations/1/members/${bruno.user.id}`, { role: 'analyst' })
  await page.goto(`${app.url}/stand-ins`)
  await expect(page.getByText('Nobody stands in for anyone.')).toBeVisible()
  await page.keyboard.press('n')
  await page.getByRole('button', { name: 'Add stand-in' }).click()
  await expect(page.getByText('Choose a person.').first()).toBeVisible()
  await page.getByRole('combobox', { name: 'Who is away' }).click()
  await page.getByRole('option').filter({ hasNotText: 'Bruno' }).first().click()
  await page.getByRole('combobox', { name: 'Who stands in' }).click()
  await page.getByRole('option', { name: 'Bruno Reis' }).click()
  await page.getByLabel('First day').fill('2026-01-01')
  await page.getByLabel('Last day').fill('2090-12-31')
  await page.getByRole('button', { name: 'Add stand-in' }).click()
  await expect(page).toHaveURL(/\/stand-ins\/\d+$/)
  await expect(page.getByRole('row', { name: /Bruno Reis/ })).toContainText('now')
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click()
  await expect(page.getByText('Nobody stands in for anyone.')).toBeVisible()
})
