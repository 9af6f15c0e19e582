import { expect, test, type Page } from '@playwright/test'
import { type Api, type Json } from '../support/app'
import { type Pair, startPair } from '../support/replica'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let pair: Pair
/** Thirty rides, three of them over a limit, on a replica without its remote. */
test.beforeEach(async ({ page }) => {
  pair = await startPair({
    expenses: Array.from({ length: 30 }, (_, index) => ({
      ...{ claimant: 'Bruno Reis', date: '2026-03-02', amount: index % 10 === 3 ? 500 + index : 10 + index },
      ...{ description: `Ride ${index}`, tags: 'Travel' },
    })),
  })
  await pair.remote.api.send('POST', '/organizations/1/policies', {
    ...{ name: 'Meals', weight: 'note', condition: 'amount_over', amount: 80, currency: 'BRL' },
  })
  await expect.poll(() => countOn(pair.remote.api, 'q[queue]=flagged')).toBe(3)
  await pair.exchange()
  await expect.poll(() => countOn(pair.api, 'q[queue]=flagged')).toBe(3)
  await pair.line.cut()
  await pair.signIn(page)
  await page.goto(`${pair.served.url}/review?queue=all&sort=amount`)
  await expect(page.getByRole('grid', { name: 'Expenses' }).getByRole('row').nth(1)).toBeVisible()
})
test.afterEach(() => pair.remove())

const countOn = async (api: Api, query: string): Promise<number> => (await api.get(`/expenses?${query}&per_page=1`)).count
const approved = (api: Api) => countOn(api, 'q[status_eq]=approved')
const said = (page: Page, text: string) => page.getByRole('region', { name: 'Status', exact: true }).getByText(text).first()

async function meet(): Promise<void> {
  await pair.line.mend()
  await pair.exchange()
}

test(
  'on a replica without its remote, everything clean is approved and taken back, and the remote hears of what is left',
  { tag: '@journey' },
  async ({ page }) => {
    await expect(page.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name: 'Clean' })).toContainText('27')
    const approveClean = async () => {
      await page.keyboard.press('Shift+a')
      await expect(page.getByRole('dialog', { name: '27 will be approved' })).toBeVisible()
      await page.keyboard.press('Enter')
      await expect.poll(() => approved(pair.api)).toBe(27)
    }
    await approveClean()
    await page.keyboard.press('u')
    await expect.poll(() => countOn(pair.api, 'q[queue]=clean')).toBe(27)
    await page.keyboard.press('ControlOrMeta+Shift+z')
    await expect.poll(() => approved(pair.api)).toBe(27)
    expect(await approved(pair.remote.api)).toBe(0)
    await meet()
    await expect.poll(() => approved(pair.remote.api)).toBe(27)
    expect(await countOn(pair.remote.api, 'q[queue]=flagged')).toBe(3)
  },
)

test('on a replica without its remote, many expenses are edited at once and taken back, and a view is saved', async ({ page }) => {
  const edit = async (place: string) => {
    await page.keyboard.press('ControlOrMeta+Shift+a')
    await page.keyboard.press('Shift+e')
    const sheet = page.getByRole('dialog', { name: /^Edit 30 expenses/ })
    await sheet.getByLabel('Place', { exact: true }).fill(place)
    await sheet.getByLabel('Supplier’s tax number', { exact: true }).fill('11.222.333/0001-81')
    await sheet.getByRole('button', { name: 'Change 30' }).click()
    await expect(said(page, '30 expenses changed')).toBeVisible()
  }
  const placed = (api: Api, place: string) => countOn(api, `q[location_eq]=${place}`)
  await edit('Recife')
  expect(await placed(pair.api, 'Recife')).toBe(30)
  await page.keyboard.press('u')
  await expect.poll(() => placed(pair.api, 'Recife')).toBe(0)
  await edit('Olinda')
  await page.keyboard.press('v')
  await page.keyboard.press('s')
  await page.getByRole('textbox', { name: 'Name of the view' }).fill('All by amount')
  await page.keyboard.press('Enter')
  await expect(said(page, 'Saved as “All by amount”')).toBeVisible()
  expect(await placed(pair.remote.api, 'Olinda')).toBe(0)
  await meet()
  await expect.poll(() => placed(pair.remote.api, 'Olinda')).toBe(30)
  expect(await countOn(pair.remote.api, `q[supplier_tax_id_eq]=${encodeURIComponent('11.222.333/0001-81')}`)).toBe(30)
  const { saved_views } = await pair.remote.api.get('/organizations/1/saved_views')
  expect(saved_views.map(({ name, query }: Json) => [name, query])).toEqual([['All by amount', 'queue=all&sort=amount']])
})

test('an expense that the remote finds something else in says so, with what each of both found', async ({ page }) => {
  const { expenses } = await pair.api.get('/expenses?q[description_eq]=Ride%202')
  await pair.api.send('PATCH', `/expenses/${expenses[0].id}`, { amount: 90 })
  const { policies } = await pair.remote.api.get('/organizations/1/policies')
  await pair.remote.api.send('PATCH', `/organizations/1/policies/${policies[0].id}`, {
    condition: 'amount_over',
    amount: 85,
    weight: 'block',
  })
  await meet()
  await expect.poll(async () => (await pair.api.get('/replica/verdicts')).verdicts.length).toBe(1)
  await page.goto(`${pair.served.url}/sync`)
  await page.getByRole('link', { name: `#${expenses[0].id}` }).click()
  const note = page.getByRole('note').filter({ hasText: 'The remote’s findings for this expense differ' })
  await expect(note.getByRole('list', { name: 'Found by the remote only:' })).toContainText('Meals: BRL 90.00, limit BRL 85.00')
  await expect(note.getByRole('list', { name: 'Found on this device only:' })).toContainText('Meals: BRL 90.00, limit BRL 80.00')
  await note.getByRole('button', { name: 'Dismiss' }).click()
  await expect(note).toBeHidden()
})
