import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1280, height: 800 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({ expenses: [{ claimant: 'Bruno Reis', date: '2026-03-02', amount: 10, description: 'Taxi' }] })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const makePolicy = (said: object) => app.api.send('POST', '/organizations/1/policies', { weight: 'note', ...said })

test('a policy names whom invoices may be issued to, and says which number is none', { tag: '@journey' }, async ({ page }) => {
  await page.goto(`${app.url}/policies/new`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Issued to us')
  await page.getByRole('combobox', { name: 'Looks for' }).click()
  await page.getByRole('option', { name: 'E-invoice: other buyer' }).click()
  const numbers = page.getByRole('combobox', { name: 'Tax numbers of the organization' })
  await numbers.fill('11222333000182')
  await numbers.press('Enter')
  await page.getByRole('button', { name: 'Create policy' }).click()
  await expect(page.getByText('Enter CNPJ or CPF numbers only.')).toBeVisible()
  await numbers.press('Backspace')
  await numbers.fill('11222333000181')
  await numbers.press('Enter')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create policy' }).click()
  await expect(page.getByRole('row', { name: /Issued to us/ })).toContainText('not 11.222.333/0001-81')
})

test('making an expense of a suggested one asks why where a policy wants a reason', async ({ page }) => {
  await makePolicy({ name: 'Rides', weight: 'reason', condition: 'amount_over', amount: 20, currency: 'BRL' })
  const ride = { description: 'Ride', amount: 50, currency: 'BRL', occurred_at: '2026-03-04T10:20:00Z' }
  await app.api.send('POST', '/pre_expenses', ride)
  await app.api.send('POST', '/expenses', { ...ride, payer: { id: 1, type: 'Organization' } })
  await page.goto(`${app.url}/pre-expenses/1`)
  await page.getByRole('button', { name: /^Convert/ }).click()
  const form = page.getByRole('form')
  await expect(form.getByText(/Rides: BRL.50\.00, limit BRL.20\.00/)).toBeVisible()
  await expect(form.getByRole('note').filter({ hasText: 'This may already be on an expense' })).toContainText('Same claimant')
  await form.getByRole('textbox', { name: 'Description' }).press('Enter')
  await expect(form.getByText('Say why this expense is out of policy')).toBeVisible()
  expect((await app.api.get('/expenses')).count).toBe(2)
  await form.getByRole('textbox', { name: 'Why it is out of policy' }).fill('No taxi there')
  await expectAccessible(page)
  await form.getByRole('textbox', { name: 'Description' }).press('Enter')
  await expect.poll(async () => (await app.api.get('/expenses?q[justification_eq]=No taxi there')).count).toBe(1)
})
