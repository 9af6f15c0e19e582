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

test(
  'a policy is written, finds what is there, blocks its approval, and lets it pass once the breach is accepted',
  { tag: '@journey' },
  async ({ page }) => {
    await page.goto(`${app.url}/policies`)
    await expect(page.getByText('No policies yet.')).toBeVisible()
    await page.keyboard.press('n')
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
    await page.getByRole('button', { name: 'Create policy' }).click()
    await expect(page.getByText('Enter a name.')).toBeVisible()
    await expect(page.getByText('Fill this in.')).toBeVisible()
    await page.getByRole('textbox', { name: 'Name' }).fill('Meals up to BRL 80')
    await page.getByRole('textbox', { name: 'Limit' }).fill('80')
    await page.getByText('Block approval', { exact: true }).click()
    await page.getByRole('button', { name: 'Create policy' }).click()
    await expect(page).toHaveURL(/\/policies\/\d+$/)
    await expect(page.getByRole('row', { name: /Meals up to BRL 80/ })).toContainText('over BRL 80.00')

    await page.goto(`${app.url}/review`)
    const found = 'Meals up to BRL 80: BRL 212.00, limit BRL 80.00'
    await expect(row(page, 'Dinner').getByTitle(found.replaceAll(/BRL (?=\d+\.)/g, 'BRL\u00a0'))).toBeVisible()
    await row(page, 'Dinner').click()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('list', { name: 'Policies' })).toContainText('limit BRL 80.00')
    await page.keyboard.press('Escape')
    await page.keyboard.press('a')
    await expect(page.getByText(/blocks this/).first()).toBeVisible()
    await expect(row(page, 'Dinner')).toBeVisible()
    const dinner = async () => (await app.api.get('/expenses?q[description_eq]=Dinner')).expenses[0]
    const { id, status } = await dinner()
    expect(status).toBe('awaiting_analysis')

    await page.goto(`${app.url}/expenses/${id}`)
    await page.getByRole('group', { name: 'Decide' }).getByRole('button', { name: 'Mark as out of policy' }).click()
    const form = page.getByRole('form', { name: 'Mark as out of policy' })
    await form.getByRole('checkbox', { name: /^Accept it/ }).check()
    await form.getByRole('button', { name: 'Mark as out of policy' }).click()
    await expect(form).toContainText('Say why you accept it')
    await form.getByRole('textbox', { name: /^Reason/ }).fill('Agreed before')
    await form.getByRole('button', { name: 'Mark as out of policy' }).click()
    await expect.poll(async () => (await dinner()).comments_count).toBe(1)
    await expect(page.getByRole('region', { name: 'Status' }).getByText('Now: Out of policy').first()).toBeVisible()
    await expect(
      page
        .getByRole('group', { name: 'Decide' })
        .getByRole('button', { name: /^Approve/ })
        .first(),
    ).toBeEnabled()
    await page.keyboard.press('a')
    await expect.poll(async () => (await dinner()).status).toBe('approved')
  },
)

test('a policy is tried on past expenses, adds up a day, and asks the claimant why', { tag: '@journey' }, async ({ page }) => {
  await page.goto(`${app.url}/policies/new`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Meals in a day')
  await page.getByRole('combobox', { name: 'Looks for' }).click()
  await page.getByRole('option', { name: 'Sum over a limit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Limit' }).fill('80')
  await page.getByText('Ask why', { exact: true }).click()
  await page.getByRole('combobox', { name: 'How far back' }).selectOption('24')
  await page.getByRole('button', { name: 'Try it' }).click()
  await expect(page.getByText('1 of 2 expenses found · BRL 212.00')).toBeVisible()
  await expect(page.getByText('Bruno Reis (1)')).toBeVisible()
  await expect(page.getByText('BRL 212.00 on that day, limit BRL 80.00')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Limit' }).fill('300')
  await expect(page.getByText('The policy has changed since. Try it again.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Limit' }).fill('80')
  await page.getByRole('button', { name: 'Create policy' }).click()
  await expect(page.getByRole('row', { name: /Meals in a day/ })).toContainText('over BRL 80.00 a day')

  await page.goto(`${app.url}/capture`)
  const amount = page.getByRole('textbox', { name: 'Amount' })
  await amount.fill('50')
  await page.getByRole('textbox', { name: 'Date' }).fill('2026-04-01')
  await page.getByRole('textbox', { name: 'Description' }).fill('Lunch')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(amount).toHaveValue('')
  await amount.fill('40')
  await page.getByRole('textbox', { name: 'Date' }).fill('2026-04-01')
  await expect(page.getByRole('list', { name: 'Policies will find:' })).toContainText('BRL 90.00 on that day, limit BRL 80.00')
  await page.getByRole('button', { name: /^Save/ }).click()
  const reason = page.getByRole('textbox', { name: 'Why it is out of policy' })
  await expect(page.getByText('Say why this expense is out of policy')).toBeVisible()
  await expect(reason).toBeFocused()
  await reason.fill('Two clients')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(amount).toHaveValue('')
  const { expenses } = await app.api.get('/expenses?q[justification_eq]=Two+clients')
  expect(expenses).toHaveLength(1)
  expect(expenses[0]).toMatchObject({ amount: 40, flag_level: 1 })
})
