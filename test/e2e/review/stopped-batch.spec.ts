import { expect, test } from '../support/kept/kept-page'
import { startApp } from '../support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo' })

test('a batch shows how far it is, and its button stops it', async ({ page }) => {
  const app = await startApp({
    expenses: [1, 2, 3].map((amount) => ({ claimant: 'Bruno Reis', date: '2026-03-02', amount, description: `Ride ${amount}` })),
  })
  try {
    const stopped = Promise.withResolvers<undefined>()
    await page.route('**/api/v1/batch', async (route) => {
      await stopped.promise
      await route.continue()
    })
    await app.signIn(page)
    await page.goto(`${app.url}/review`)
    await expect(page.getByRole('grid', { name: 'Expenses' })).toContainText('Ride 3')
    await page.keyboard.press('Control+Shift+a')
    await page.keyboard.press('a')
    await expect(page.getByRole('dialog', { name: '3 will be approved' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByText('0 of 3')).toBeVisible()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    stopped.resolve(undefined)
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('3 approved. Stopped.')
  } finally {
    await app.remove()
  }
})
