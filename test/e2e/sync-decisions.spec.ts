import { expect, test, type Page } from '@playwright/test'
import { apiOf, type Api, type Json } from './support/app'
import { expectAccessible } from './support/axe'
import { startPair, type Pair } from './support/replica'

test.use({ locale: 'en-GB', viewport: { width: 1360, height: 820 } })

let pair: Pair
let carla: Api
let ids: number[]
/** Three expenses that two people have edited, and one whose approval came back. */
test.beforeEach(async ({ page }) => {
  const expenses = [1, 2, 3, 4].map((turn) => ({
    ...{ claimant: 'bruno@example.org', date: '2026-01-03', amount: 10 * turn },
    ...{ description: `Taxi ${turn}`, tags: 'Travel' },
  }))
  pair = await startPair({ expenses })
  carla = apiOf(pair.remote.url, await pair.remote.addUser({ name: 'Carla Dias', email: 'carla@example.org', role: 'manager' }))
  await pair.exchange()
  ids = (await pair.api.get('/expenses?sort=id')).expenses.map(({ id }: Json) => id)
  const [approved = 0, ...edited] = ids
  await pair.line.cut()
  await pair.api.send('PUT', `/expenses/${approved}/status`, { status: 'approved', approved_amount: 10 })
  await carla.send('PATCH', `/expenses/${approved}`, { amount: 99 })
  for (const id of edited) {
    await pair.api.send('PATCH', `/expenses/${id}`, { description: `Mine ${id}` })
    await carla.send('PATCH', `/expenses/${id}`, { description: `Theirs ${id}` })
  }
  await pair.line.mend()
  await pair.exchange()
  await expect(async () => expect(await countConflicts()).toBe(4)).toPass()
  await pair.signIn(page)
  await page.goto(`${pair.served.url}/sync/conflicts`)
})
test.afterEach(() => pair.remove())

const countConflicts = async (): Promise<number> => (await pair.api.get('/replica/operations?list=conflicts')).count
const rows = (page: Page) => page.getByRole('grid', { name: 'Needs a decision' }).getByRole('row', { name: /expense \d+/ })
const statusLine = (page: Page) => page.getByRole('region', { name: 'Status', exact: true })
const description = async (id: number | undefined) => (await pair.remote.api.get(`/expenses/${id}`)).description

test('several that came back are decided in one act, taken back, and decided otherwise', async ({ page }) => {
  await expect(rows(page)).toHaveCount(4)
  await expect(rows(page).filter({ hasText: `expense ${ids[1]}` })).toContainText(`Yours Mine ${ids[1]} · Theirs Theirs ${ids[1]}`)
  await expect(rows(page).filter({ hasText: `expense ${ids[0]}` })).toContainText('You saw BRL 10.00 · Now BRL 99.00')
  await page.keyboard.press('ControlOrMeta+Shift+a')
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await expect(bar).toContainText('4 selected')
  await expect(bar).toContainText('1 was decided on older data')
  await expect(bar.getByRole('button', { name: 'Keep mine (3)' })).toBeVisible()
  await expect(bar.getByRole('button', { name: 'Discard (1)' })).toBeVisible()
  await expect(bar.getByRole('button', { name: /^Apply again/ })).toHaveCount(0)
  await expectAccessible(page)
  await page.keyboard.press('m')
  await expect(rows(page)).toHaveCount(1)
  await expect(statusLine(page)).toContainText('Your version of 3 is kept; Outlay will send them. 1 left')
  await expect(page.getByRole('link', { name: /^Needs a decision/ })).toContainText('1')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(rows(page)).toHaveCount(4)
  await expect(bar).toContainText('4 selected')
  expect(await countConflicts()).toBe(4)
  await bar.getByRole('button', { name: 'Keep theirs (3)' }).click()
  await expect(rows(page)).toHaveCount(1)
  // Not before it was taken back: on a busy machine this takes longer than the way back is offered.
  await expectAccessible(page)
  // Whoever leaves has decided.
  await page.goto(`${pair.served.url}/review`)
  await expect(async () => expect(await countConflicts()).toBe(1)).toPass()
  await pair.exchange()
  expect(await description(ids[1])).toBe(`Theirs ${ids[1]}`)
  const { status, amount } = await pair.remote.api.get(`/expenses/${ids[0]}`)
  expect({ status, amount }).toEqual({ status: 'awaiting_analysis', amount: 99 })
})

test('one is selected and discarded with the keyboard, and comes back while the way back is offered', async ({ page }) => {
  await expect(rows(page)).toHaveCount(4)
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('1 selected')
  // First the detail is closed, then the selection cleared.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toHaveCount(0)
  await page.keyboard.press('k')
  await page.keyboard.press('Backspace')
  await expect(rows(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page)).toHaveCount(4)
  expect(await countConflicts()).toBe(4)
})

test('what others change again before a decision is carried out is not written over; it waits with the reason', async ({ page }) => {
  await expect(rows(page)).toHaveCount(4)
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.keyboard.press('m')
  await expect(rows(page)).toHaveCount(1)
  await carla.send('PATCH', `/expenses/${ids[2]}`, { description: 'Theirs, corrected' })
  await pair.exchange()
  await expect(statusLine(page)).toContainText('One decision was not applied; it is back in the list.')
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByRole('row', { name: `Edit of expense ${ids[2]}` })).toContainText('The record has changed')
  await expectAccessible(page)
  await pair.exchange()
  await expect(async () => expect(await description(ids[1])).toBe(`Mine ${ids[1]}`)).toPass()
  expect(await description(ids[2])).toBe('Theirs, corrected')
})
