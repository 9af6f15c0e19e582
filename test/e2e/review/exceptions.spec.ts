import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

const day = (index: number) => `2026-03-${String((index % 28) + 1).padStart(2, '0')}`

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: Array.from({ length: 40 }, (_, index) => ({
      claimant: 'Bruno Reis',
      date: day(index),
      amount: index % 10 === 3 ? 500 + index : 10 + index,
      description: `Ride ${index}`,
    })),
  })
  await app.api.send('POST', '/organizations/1/policies', {
    ...{ name: 'Meals', weight: 'note', condition: 'amount_over', amount: 80, currency: 'BRL' },
  })
  await app.api.send('POST', '/organizations/1/policies', {
    ...{ name: 'Dear', weight: 'block', condition: 'amount_over', amount: 530, currency: 'BRL' },
  })
  await expect.poll(async () => (await app.api.get('/expenses?q[queue]=flagged')).count).toBe(4)
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const grid = (page: Page) => page.getByRole('grid', { name: 'Expenses' })
const row = (page: Page, text: string) => grid(page).getByRole('row').filter({ hasText: text })
const queue = (page: Page, name: string) => page.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name })

/** The text of the row that the keys act on. */
async function focusedText(page: Page): Promise<string> {
  const id = await grid(page).getAttribute('aria-activedescendant')
  return (id === null ? null : await page.locator(`[id="${id}"]`).textContent()) ?? ''
}

test(
  'what needs a look is a queue, worst first, and the clean rest is approved at once and taken back',
  { tag: '@journey' },
  async ({ page }) => {
    await page.goto(`${app.url}/review`)
    await expect(queue(page, 'Needs a look')).toContainText('4')
    await expect(queue(page, 'Clean')).toContainText('36')
    await queue(page, 'Needs a look').click()
    await expect(grid(page).getByRole('row')).toHaveCount(5)
    await page.keyboard.press('s')
    await expect(page).toHaveURL(/sort=-flags/)
    await expect(grid(page).getByRole('row').nth(1)).toContainText('Ride 33')
    await expect(page.getByRole('note')).toContainText('Dear: BRL\u00a0533.00, limit BRL\u00a0530.00')
    await expectAccessible(page)
    await page.screenshot({ path: test.info().outputPath('flagged.png') })

    await queue(page, 'To review').click()
    await page.keyboard.press('Shift+a')
    const sheet = page.getByRole('dialog', { name: '36 will be approved' })
    await expect(sheet).toContainText('Only matches without findings.')
    await page.screenshot({ path: test.info().outputPath('sheet.png') })
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await app.api.get('/expenses?q[status_eq]=approved')).count).toBe(36)
    expect((await app.api.get('/expenses?q[status_eq]=approved&q[flag_level_null]=0')).count).toBe(0)
    await expect(queue(page, 'Clean')).toHaveCount(0)
    await page.keyboard.press('u')
    await expect.poll(async () => (await app.api.get('/expenses?q[queue]=clean')).count).toBe(36)
  },
)

test('when asked, the keys for next and previous stop only at findings', async ({ page }) => {
  await page.goto(`${app.url}/review?queue=awaiting_analysis`)
  await expect(row(page, 'Ride 39')).toBeVisible()
  await page.keyboard.press('Shift+f')
  await expect(page).toHaveURL(/walk=flagged/)
  await expect(page.getByRole('button', { name: 'Findings only' })).toBeVisible()
  for (const found of ['Ride 23', 'Ride 13']) {
    await page.keyboard.press('j')
    await expect.poll(() => focusedText(page)).toContain(found)
  }
  await page.keyboard.press('k')
  await expect.poll(() => focusedText(page)).toContain('Ride 23')
  await page.keyboard.press('Shift+f')
  await page.keyboard.press('j')
  await expect.poll(() => focusedText(page)).not.toMatch(/Ride \d?3\D/)
})
