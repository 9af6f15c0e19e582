import { expect, test } from '../support/kept/kept-page'
import { startApp } from '../support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo' })

test('a batch that is stopped writes what was on its way, says so, and leaves the rest as it was', async ({ page }) => {
  const app = await startApp({
    expenses: Array.from({ length: 320 }, (_, index) => ({
      ...{ claimant: 'Bruno Reis', date: '2026-03-02', amount: 10 + index, description: `Ride ${index}` },
    })),
  })
  try {
    let batches = 0
    const stopped = Promise.withResolvers<undefined>()
    await page.route('**/api/v1/batch', async (route) => {
      batches += 1
      if (batches === 2) await stopped.promise
      await route.continue()
    })
    await app.signIn(page)
    await page.goto(`${app.url}/review`)
    await expect(page.getByRole('grid', { name: 'Expenses' })).toContainText('Ride 319')
    await page.keyboard.press('Control+Shift+a')
    await page.keyboard.press('a')
    await expect(page.getByRole('dialog', { name: '320 will be approved' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByText('100 of 320')).toBeVisible()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    stopped.resolve(undefined)
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('200 approved. Stopped.')
    expect((await app.api.get('/expenses?q[status_eq]=approved')).count).toBe(200)
    await expect(page.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name: 'To review' })).toContainText('120')
    await page.reload()
    await expect(page.getByRole('grid', { name: 'Expenses' })).toContainText('Ride 319')
    await expect(page.getByText(/not saved/)).toHaveCount(0)
  } finally {
    await app.remove()
  }
})
