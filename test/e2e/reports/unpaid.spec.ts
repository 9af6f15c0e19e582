import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: ['Hotel', 'Taxi'].map((description) => ({ claimant: 'Bruno Reis', date: '2026-03-02', amount: 100, description })),
  })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

test('finishing a report says whose advance it overdraws, and To pay who is owed by it', async ({ page }) => {
  const { api, url } = app
  const { expenses } = await api.get('/expenses?sort=id')
  const [hotel, taxi] = expenses
  const payer = { id: 1, type: 'Organization' }
  await api.send('PATCH', `/expenses/${taxi.id}`, { liquidate_through_advancement: true })
  for (const { id } of expenses) await api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 80 })
  await api.send('POST', '/advancements', { payer, receiver: hotel.receiver, amount: 50, currency: 'BRL', date: '2026-03-01' })
  const { id } = await api.send('POST', '/accountabilities', {
    title: 'Trip',
    payer,
    receiver: hotel.receiver,
    expense_ids: [hotel.id, taxi.id],
  })
  for (const status of ['ready_to_review', 'analyzed', 'approved']) await api.send('PUT', `/accountability/${id}/status`, { status })
  await page.goto(`${url}/accountabilities/${id}`)
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByRole('alert')).toContainText(/more than their advance holds.*Bruno Reis.*30\.00/)
  await page.screenshot({ path: test.info().outputPath('finish.png') })
  await page.getByRole('button', { name: 'Finish and settle' }).click()
  await expect(page.getByText('Paid', { exact: true })).toBeVisible()
  await page.goto(`${url}/reimbursements`)
  const owed = page.getByRole('region', { name: 'Owed because of an advance' })
  await expect(owed).toContainText(/Bruno Reis.*30\.00/)
  await expectAccessible(page)
  await page.screenshot({ path: test.info().outputPath('to-pay.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: test.info().outputPath('to-pay-phone.png') })
  await owed.getByRole('link', { name: 'Bruno Reis' }).click()
  await expect(page.getByText('BRL −30.00').first()).toBeVisible()
})
