import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, type SampleExpense, startApp } from '../support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1280, height: 800 } })

/** As many rows as a real file has; a thirtieth of them, with the same share of faults, unless all are asked for. */
const [rowCount, faultCount] = process.env.OUTLAY_REVIEW_ALL === '1' ? [12_010, 600] : [401, 20]
const faultEvery = Math.floor(rowCount / faultCount)
/** What a person may need: a look at each fault, and two and a half keys a fault. */
const most = { looks: faultCount, keys: faultCount * 2.5 }

const faults: ReadonlyArray<(index: number) => Partial<SampleExpense>> = [
  (index) => ({ amount: 900 + index }),
  () => ({ tags: '' }),
  () => ({ currency: 'USD' }),
]

const isFault = (index: number) => index % faultEvery === 7 && Math.floor(index / faultEvery) < faultCount

const expenses = Array.from({ length: rowCount }, (_, index): SampleExpense => ({
  claimant: `Person ${index % 20}`,
  date: `2026-0${(index % 3) + 1}-${String((index % 28) + 1).padStart(2, '0')}`,
  // Each has its own amount: none is a possible repeat of another.
  amount: Number((10 + index * 0.04).toFixed(2)),
  description: `${isFault(index) ? 'Fault' : 'Fine'} ${index}`,
  tags: 'Travel',
  ...(isFault(index) ? faults[Math.floor(index / faultEvery) % faults.length]?.(index) : {}),
}))

let app: E2eApp
test.beforeAll(async () => {
  test.setTimeout(600_000)
  app = await startApp({ expenses })
  const policy = (fields: object) => app.api.send('POST', '/organizations/1/policies', { weight: 'note', ...fields })
  await policy({ name: 'Up to 500', condition: 'amount_over', amount: 500, currency: 'BRL' })
  await policy({ name: 'With a tag', condition: 'tag_missing' })
  await policy({ name: 'In reais', condition: 'currency_other', currencies: ['BRL'] })
  await expect.poll(() => countOf('q[queue]=flagged'), { timeout: 300_000 }).toBe(faultCount)
})
test.afterAll(() => app.remove())

const countOf = async (query: string): Promise<number> => (await app.api.get(`/expenses?${query}&per_page=1`)).count

async function focused(page: Page): Promise<{ id: string; text: string }> {
  const id = (await page.getByRole('grid', { name: 'Expenses' }).getAttribute('aria-activedescendant')) ?? ''
  return { id, text: (id === '' ? null : await page.locator(`[id="${id}"]`).textContent()) ?? '' }
}

test(`${rowCount} expenses with ${faultCount} faults are reviewed by keys alone, with a look at each fault and nothing wrong approved`, async ({
  page,
}) => {
  test.setTimeout(1_200_000)
  await app.signIn(page)
  await page.goto(`${app.url}/review`)
  const queue = page.getByRole('navigation', { name: 'Queues' })
  await expect(queue.getByRole('link', { name: 'Clean' })).toContainText((rowCount - faultCount).toLocaleString('en-GB'))
  // Nothing is approved before a row is in focus.
  await expect.poll(async () => (await focused(page)).text).not.toBe('')
  let keys = 0
  const press = async (key: string) => {
    keys += 1
    await page.keyboard.press(key)
  }
  await press('Shift+a')
  await expect(page.getByRole('dialog', { name: /will be approved/ })).toBeVisible()
  await press('Enter')
  await expect.poll(() => countOf('q[status_eq]=approved'), { timeout: 600_000 }).toBe(rowCount - faultCount)

  // To the queue of findings, left of the first one: that of the clean ones is empty.
  await expect(queue.getByRole('link', { name: 'Clean' })).toHaveCount(0)
  await press('Shift+ArrowLeft')
  await expect(page).toHaveURL(/queue=flagged/)
  await expect(page.getByRole('grid', { name: 'Expenses' })).toHaveAttribute('aria-rowcount', String(faultCount + 1))
  const looked = new Set<string>()
  for (let look = 0; look < faultCount; look += 1) {
    await expect.poll(async () => /(Fault|Fine) \d+/.exec((await focused(page)).text)?.[0] ?? '').toMatch(/^Fault/)
    const { id, text } = await focused(page)
    looked.add(/Fault \d+/.exec(text)?.[0] ?? '')
    await press('o')
    if (look + 1 < faultCount) await expect.poll(async () => (await focused(page)).id).not.toBe(id)
  }
  await expect.poll(() => countOf('q[queue]=flagged'), { timeout: 300_000 }).toBe(0)
  expect(looked.size).toBe(faultCount)
  expect(looked.size).toBeLessThanOrEqual(most.looks)
  expect(keys).toBeLessThanOrEqual(most.keys)
  expect(await countOf('q[status_eq]=approved&q[description_start]=Fault')).toBe(0)
  expect(await countOf('q[status_eq]=noncompliant&q[description_start]=Fault')).toBe(faultCount)
  expect(await countOf('q[status_eq]=approved')).toBe(rowCount - faultCount)
  console.log(`${rowCount} expenses, ${faultCount} faults: ${looked.size} looks, ${keys} keys, 0 wrong approved`)
})
