import type { Page } from '@playwright/test'
import { apiOf, startAlone, startApp, type Api, type E2eApp, type Json } from './support/app'
import { expectAccessible } from './support/axe'
import { expect, test } from './support/kept/kept-page'
import { startPair, type Pair } from './support/replica'

test.use({ locale: 'en-GB', viewport: { width: 1360, height: 820 } })

const taxis = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    claimant: 'bruno@example.org',
    date: `2026-01-${String((index % 28) + 1).padStart(2, '0')}`,
    amount: 12.5 + index,
    description: `Taxi ${index + 1}`,
    tags: 'Travel',
  }))

const status = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Sync:/ })

test.describe('a replica', () => {
  let pair: Pair
  let carla: Api
  test.beforeEach(async ({ page }) => {
    pair = await startPair({ expenses: taxis(3) })
    carla = apiOf(pair.remote.url, await pair.remote.addUser({ name: 'Carla Dias', email: 'carla@example.org', role: 'manager' }))
    await pair.exchange()
    await pair.signIn(page)
  })
  test.afterEach(() => pair.remove())

  const first = async (): Promise<Json> => (await pair.api.get('/expenses?sort=id')).expenses[0]

  test('offline changes are marked and counted, and sent when the connection is back', { tag: '@journey' }, async ({ page }) => {
    await page.goto(`${pair.served.url}/review`)
    await expect(status(page)).toContainText('Up to date')
    await expect(page.getByRole('row', { name: /Taxi 3/ })).toBeVisible()
    await pair.line.cut()
    await page.keyboard.press('a')
    await expect(status(page)).toContainText('1 to send')
    const row = page.getByRole('row', { name: /Taxi 3/ })
    await expect(row).toContainText('Approved')
    await expect(row).toContainText('Will be sent')
    await page.goto(`${pair.served.url}/expenses/${(await first()).id}`)
    await expect(page.getByRole('tab', { name: 'Details' })).toBeVisible()
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'Description' }).fill('Taxi to the airport')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('main').getByText('Will be sent')).toBeVisible()
    await expect(status(page)).toContainText('2 to send')
    await expect(status(page)).toContainText('Offline')
    await status(page).click()
    await expect(page.getByRole('row', { name: /Approve expense \d+, BRL 14.50/ })).toContainText('Will be sent')
    await expect(page.getByRole('row', { name: /Edit of expense \d+: description/ })).toBeVisible()
    await expectAccessible(page)
    await pair.line.mend()
    await page.keyboard.press('s')
    await expect(status(page)).toContainText('Up to date')
    await expect(page.getByText('Nothing to send.')).toBeVisible()
    const { expenses } = await pair.remote.api.get('/expenses?sort=id')
    expect(expenses.map(({ description }: Json) => description)).toContain('Taxi to the airport')
    expect(expenses.map(({ status: at }: Json) => at)).toContain('approved')
  })

  test('an approval of what has changed since comes back, and is decided again with one key', { tag: '@journey' }, async ({ page }) => {
    const { id, amount, currency } = await first()
    await pair.line.cut()
    const approval = { status: 'approved', approved_amount: amount, approved_amount_currency: currency }
    await pair.api.send('PUT', `/expenses/${id}/status`, approval)
    await carla.send('PATCH', `/expenses/${id}`, { description: 'Taxi, two people' })
    await pair.line.mend()
    await pair.exchange()
    await page.goto(`${pair.served.url}/review`)
    await expect(status(page)).toContainText('1 needs a decision')
    await status(page).click()
    const row = page.getByRole('row', { name: new RegExp(`Approve expense ${id}, BRL`) })
    await expect(row).toContainText('You saw Taxi 1 · Now Taxi, two people')
    const detail = page.getByRole('region', { name: 'Change' })
    await expect(detail.getByRole('row', { name: /Description Taxi 1 Taxi, two people/ })).toBeVisible()
    await expect(detail).toContainText('Changed by Carla Dias')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/expenses/${id}$`))
    await page.goBack()
    await expect(row).toBeVisible()
    await page.keyboard.press('a')
    await expect(page.getByText(/^Nothing needs a decision/)).toBeVisible()
    await expect(status(page)).toContainText('Up to date')
    // Whoever leaves has decided.
    await page.goto(`${pair.served.url}/review`)
    await expect(async () => expect((await pair.remote.api.get(`/expenses/${id}`)).status).toBe('approved')).toPass()
  })

  test('of a disagreement one’s own is kept', async ({ page }) => {
    const { id } = await first()
    await pair.line.cut()
    await pair.api.send('PATCH', `/expenses/${id}`, { description: 'Mine' })
    await carla.send('PATCH', `/expenses/${id}`, { description: 'Theirs' })
    await pair.line.mend()
    await pair.exchange()
    await page.goto(`${pair.served.url}/sync/conflicts`)
    await expect(page.getByRole('row', { name: /Description Taxi 1 Mine Theirs/ })).toBeVisible()
    await page.keyboard.press('m')
    await expect(page.getByText(/^Nothing needs a decision/)).toBeVisible()
    await expect(async () => expect((await pair.remote.api.get(`/expenses/${id}`)).description).toBe('Mine')).toPass()
  })

  test('a rejected operation is kept, explained, and exported', async ({ page }) => {
    const { id } = await first()
    await pair.line.cut()
    await pair.api.send('POST', `/expenses/${id}/comments`, { content: 'Who else was there?' })
    await pair.remote.api.send('DELETE', `/expenses/${id}`)
    await pair.line.mend()
    await pair.exchange()
    await page.goto(`${pair.served.url}/sync/failed`)
    const row = page.getByRole('row', { name: `Comment on expense ${id} “Who else was there?”` })
    await expect(row).toContainText('The remote no longer has it')
    await expectAccessible(page)
    const download = page.waitForEvent('download')
    await page.keyboard.press('e')
    expect((await download).suggestedFilename()).toMatch(/^outlay-.*\.json$/)
    await expect(row).toBeVisible()
  })

  test('what comes from the remote shows in its row, and an open expense stays', async ({ page }) => {
    const { id } = await first()
    await page.goto(`${pair.served.url}/review/${id}`)
    await expect(page.getByRole('heading', { name: 'Taxi 1' })).toBeVisible()
    await carla.send('PATCH', `/expenses/${id}`, { description: 'Taxi to the airport' })
    await expect(page.getByRole('heading', { name: 'Taxi to the airport' })).toBeVisible()
    await expect(page.getByRole('row', { name: /Taxi to the airport/ })).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/review/${id}`))
  })
})

test.describe('connecting', () => {
  let remote: E2eApp
  let own: E2eApp
  test.beforeEach(async ({ page }) => {
    remote = await startApp({ expenses: taxis(40) })
    own = await startAlone({ serve: ['--sync'] })
    const payer = { id: 1, type: 'Organization' }
    for (const [amount, description] of [
      [20, 'Parking'],
      [30, 'Toll'],
    ] as const)
      await own.api.send('POST', '/expenses', { payer, amount, currency: 'BRL', occurred_at: '2026-01-03', description })
    await own.signIn(page)
  })
  test.afterEach(async () => {
    await own.remove()
    await remote.remove()
  })

  test('the settings connect to a remote, and what was made here before is created there', { tag: '@journey' }, async ({ page }) => {
    await page.goto(`${own.url}/settings/remote`)
    const settings = page.getByRole('region', { name: 'Remote' })
    await expect(page.getByRole('link', { name: 'Sync' })).toHaveCount(0)
    await settings.getByRole('button', { name: 'Connect to a remote' }).click()
    await settings.getByRole('textbox', { name: 'Address of the server' }).fill(remote.url)
    await settings.getByRole('textbox', { name: 'API token' }).fill('wrong')
    await settings.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(settings.getByText('The remote does not accept this token.')).toBeVisible()
    await expectAccessible(page)
    await settings.getByRole('textbox', { name: 'API token' }).fill(remote.token)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/sync$/)
    await expect(status(page)).toContainText(/Syncing|Up to date/)
    await expect(page.getByText(/^Last synced/)).toBeVisible()
    await page.getByRole('link', { name: /^Review/ }).click()
    await expect(page.getByRole('row', { name: /Taxi 28/ })).toBeVisible()
    await page.goto(`${own.url}/sync/offers`)
    await expect(page.getByRole('row', { name: /Parking/ })).toContainText('BRL 20.00')
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await expect(page.getByText('2 selected')).toBeVisible()
    await expectAccessible(page)
    await expect(page.getByRole('row', { name: /Toll/ })).toContainText('Created as new')
    await page.getByRole('button', { name: 'Create 2' }).click()
    await expect(page.getByText('No records left from before.')).toBeVisible()
    await expect(async () => {
      const { expenses } = await remote.api.get('/expenses?q[description_in][]=Parking&q[description_in][]=Toll')
      expect(expenses).toHaveLength(2)
    }).toPass()
    await page.goto(`${own.url}/settings#remote`)
    await settings.getByRole('button', { name: 'Disconnect' }).click()
    await page
      .getByRole('dialog', { name: /^Disconnect from/ })
      .getByRole('button', { name: /^Disconnect from/ })
      .click()
    // With the colleagues of the remote it is no single person's any more.
    await expect(settings.getByText('Several people use this Outlay.')).toBeVisible()
    await expect(status(page)).toHaveCount(0)
    expect((await apiOf(own.url, remote.token).get('/expenses')).count).toBe(42)
  })
})

test.describe('what a page shows of a sync, whose state is answered in place of the server', () => {
  const url = 'https://remote.example.org'
  let own: E2eApp
  test.beforeEach(async ({ page }) => {
    own = await startApp()
    await own.signIn(page)
  })
  test.afterEach(() => own.remove())

  test('the first exchange shows its progress, and a stop what to do', async ({ page }) => {
    const base = { remote: { url, user_id: 1, is_compatible_only: true }, stop: null, oldest_waiting_at: null }
    const counts = { waiting: 0, waiting_bytes: 0, conflicts: 0, failed: 0, quarantined: 0, uploads: 0, downloads: 12 }
    const more = {
      last_synced_at: null,
      keeps_in_sync: true,
      last_error: null,
      receipt_budget_bytes: 500 * 1024 * 1024,
      offered: 0,
      trail_forks: [],
    }
    const progress = { rows: 12_400, total: 48_000, bytes: 3_250_600 }
    await page.route('**/api/v1/replica', (route) => route.fulfill({ json: { ...base, ...more, counts, activity: 'syncing', progress } }))
    await page.goto(`${own.url}/sync`)
    await expect(page.getByRole('progressbar', { name: 'First sync' })).toHaveAttribute('aria-valuenow', '12400')
    await expect(page.getByText('12,400 of 48,000')).toBeVisible()
    await expect(page.getByText(/^3.1 MB so far/)).toBeVisible()
    await expect(status(page)).toContainText('Syncing')
    await expectAccessible(page)
    await page.unroute('**/api/v1/replica')
    const stop = { kind: 'unauthorized', message: 'told to support', table: null, count: 0, total: 0 }
    const stopped = { ...base, ...more, counts, activity: 'stopped', progress: null, stop }
    await page.route('**/api/v1/replica', (route) => route.fulfill({ json: stopped }))
    await page.goto(`${own.url}/sync`)
    await expect(page.getByText('The remote no longer accepts the token.')).toBeVisible()
    await expect(status(page)).toContainText('Sync stopped')
    await expectAccessible(page)
  })
})
