import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { apiOf, startApp, type E2eApp } from './support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
let token: string
/** The manager whose page is open while the admin does something else. */
let managerId: number
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: [
      { claimant: 'Bruno Reis', date: '2026-03-02', amount: 10, description: 'Taxi' },
      { claimant: 'Bruno Reis', date: '2026-03-03', amount: 20, description: 'Lunch' },
      { claimant: 'Bruno Reis', date: '2026-03-04', amount: 30, description: 'Hotel' },
    ],
  })
  token = await app.addUser({ name: 'Marta Dias', email: 'marta@example.org', role: 'manager' })
  managerId = (await apiOf(app.url, token).get('/session')).user.id
  await app.signIn(page, token)
})
test.afterEach(() => app.remove())

const row = (page: Page, text: string) => page.getByRole('grid', { name: 'Expenses' }).getByRole('row').filter({ hasText: text })

test('a person who may no longer see expenses sees none of them, and why; typed text is kept', async ({ page }) => {
  await page.goto(`${app.url}/review`)
  await row(page, 'Hotel').click()
  await page.keyboard.press('c')
  await page.getByLabel('Write a comment').fill('Which night was this?')
  await app.api.send('PUT', `/organizations/1/members/${managerId}`, { role: 'member' })
  await expect(page.getByText('Your role in Acme is now Member').first()).toBeVisible()
  for (const text of ['Taxi', 'Lunch', 'Hotel']) await expect(page.getByText(text)).toHaveCount(0)
  await expect(page.getByText('This expense does not exist, or you do not have access to it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0)

  await app.api.send('PUT', `/organizations/1/members/${managerId}`, { role: 'manager' })
  await expect(row(page, 'Taxi')).toBeVisible()
  await page.getByRole('tab', { name: /Comments/ }).click()
  await expect(page.getByLabel('Write a comment')).toHaveValue('Which night was this?')
})

test('the screens of a manager are closed when the role changes while they are open', async ({ page }) => {
  await page.goto(`${app.url}/webhooks`)
  await expect(page.getByRole('button', { name: /New webhook/ }).first()).toBeVisible()
  await app.api.send('PUT', `/organizations/1/members/${managerId}`, { role: 'member' })
  await expect(page.getByRole('button', { name: /New webhook/ })).toHaveCount(0)
})

test('a person who is removed while a page is open reads so, and what to do', async ({ page }) => {
  await page.goto(`${app.url}/review`)
  await expect(row(page, 'Hotel')).toBeVisible()
  await app.api.send('DELETE', `/organizations/1/members/${managerId}`)
  await expect(page.getByText('You no longer belong to Acme').first()).toBeVisible()
  await expect(page.getByText('You do not belong to an organization. Ask a member to invite you.')).toBeVisible()
  await expect(row(page, 'Hotel')).toHaveCount(0)
})

test('what someone else does before a page is connected to the feed reaches it', async ({ page }) => {
  let connect = () => {}
  const isAllowed = new Promise<void>((resolve) => (connect = resolve))
  await page.route('**/api/v1/events', async (route) => {
    await isAllowed
    await route.continue()
  })
  await page.goto(`${app.url}/review`)
  await expect(row(page, 'Hotel')).toBeVisible()
  await app.api.send('DELETE', `/organizations/1/members/${managerId}`)
  connect()
  await expect(page.getByText('You no longer belong to Acme').first()).toBeVisible()
})
