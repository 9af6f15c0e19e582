import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, type Json, type SampleExpense, startApp, toCsv } from '../support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1280, height: 800 } })

const expense = (index: number, differs: Partial<SampleExpense> = {}): SampleExpense => ({
  ...{ claimant: index % 2 === 0 ? 'Bruno Reis' : 'Clara Nunes', date: `2026-03-${String(index + 1).padStart(2, '0')}` },
  ...{ amount: 20 + index, description: `Fine ${index}`, tags: 'Meals' },
  ...differs,
})
/** What policies are tried on before anything is imported. */
const earlier = [expense(0, { date: '2026-02-02', amount: 95, description: 'Old dinner' }), expense(1, { date: '2026-02-03' })]
const faults = [
  expense(20, { amount: 212, description: 'Fault: dinner' }),
  expense(21, { amount: 118, description: 'Fault: supper' }),
  expense(22, { tags: '', description: 'Fault: no tag' }),
]
const imported = [...Array.from({ length: 12 }, (_, index) => expense(index)), ...faults]

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({ expenses: earlier })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const grid = (page: Page) => page.getByRole('grid', { name: 'Expenses' })
const row = (page: Page, text: string) => grid(page).getByRole('row').filter({ hasText: text })
const tab = (page: Page, name: string) => page.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name })

/** Writes a policy, and tries it on what there is before it is created. */
async function writePolicy(
  page: Page,
  said: { name: string; condition?: string; limit?: string; weight?: string; found: string },
): Promise<void> {
  await page.goto(`${app.url}/policies/new`)
  await page.getByRole('textbox', { name: 'Name' }).fill(said.name)
  if (said.condition !== undefined) {
    await page.getByRole('combobox', { name: 'Looks for' }).click()
    await page.getByRole('option', { name: said.condition, exact: true }).click()
  }
  if (said.limit !== undefined) await page.getByRole('textbox', { name: 'Limit' }).fill(said.limit)
  if (said.weight !== undefined) await page.getByText(said.weight, { exact: true }).click()
  await page.getByRole('combobox', { name: 'How far back' }).selectOption('24')
  await page.getByRole('button', { name: 'Try it' }).click()
  await expect(page.getByText(said.found)).toBeVisible()
  await page.getByRole('button', { name: 'Create policy' }).click()
  await expect(page).toHaveURL(/\/policies\/\d+$/)
}

async function importFile(page: Page): Promise<void> {
  await page.goto(`${app.url}/import`)
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  const chooser = page.waitForEvent('filechooser')
  await page.keyboard.press('f')
  await (
    await chooser
  ).setFiles({ name: 'march.csv', mimeType: 'text/csv', buffer: Buffer.from(toCsv(imported).replaceAll('sample-', 'march-')) })
  await expect(page.getByRole('button', { name: `Import ${imported.length} expenses` })).toBeVisible()
  await page.keyboard.press('i')
  await expect(page.getByRole('link', { name: 'Show in Review' })).toBeVisible()
}

/** Moves the focus to the row with a text, by keys alone. */
async function walkTo(page: Page, text: string): Promise<void> {
  await expect(row(page, text)).toBeVisible()
  await page.keyboard.press('Home')
  const focused = async () => {
    const id = (await grid(page).getAttribute('aria-activedescendant')) ?? ''
    return (await page.locator(`[id="${id}"]`).textContent()) ?? ''
  }
  for (let step = 0; step < 10 && !(await focused()).includes(text); step += 1) await page.keyboard.press('j')
  expect(await focused()).toContain(text)
}

test(
  'a new user writes policies, imports, reviews by keys, accepts one breach, and meets a block offline that comes back',
  { tag: '@journey' },
  async ({ page, context }) => {
    await writePolicy(page, {
      name: 'Meals up to BRL 80',
      limit: '80',
      weight: 'Block approval',
      found: '1 of 2 expenses found · BRL 95.00',
    })
    await writePolicy(page, { name: 'With a tag', condition: 'No tag', found: '0 of 2 expenses found' })
    await writePolicy(page, { name: 'Not late', condition: 'Dated in the future', found: '0 of 2 expenses found' })
    await importFile(page)

    await page.goto(`${app.url}/review`)
    await expect(tab(page, 'Needs a look')).toContainText('4')
    await expect(tab(page, 'Clean')).toContainText('13')
    await page.keyboard.press('Shift+a')
    await expect(page.getByRole('dialog', { name: /13 will be approved/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(tab(page, 'Clean')).toHaveCount(0)

    await page.goto(`${app.url}/review?queue=flagged`)
    await walkTo(page, 'Fault: dinner')
    await page.keyboard.press('a')
    await expect(page.getByText(/blocks this/).first()).toBeVisible()
    await page.keyboard.press('Shift+o')
    const sheet = page.getByRole('dialog', { name: 'Accept this breach of policy' })
    await expect(sheet.getByRole('textbox', { name: 'Reason' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(sheet).toContainText('Say why you accept it')
    await page.keyboard.type('Agreed with the board')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await app.api.get('/expenses?q[description_eq]=Fault:+dinner')).expenses[0].status).toBe('noncompliant')
    const [tolerated] = (await app.api.get('/expenses?q[description_eq]=Fault:+dinner')).expenses
    await expect
      .poll(async () => (await app.api.get(`/expenses/${tolerated.id}/comments`)).comments.map(({ content }: Json) => content))
      .toEqual(['Agreed with the board'])

    // Someone writes a block that this page has not heard of.
    await context.setOffline(true)
    await app.api.send('POST', '/organizations/1/policies', { ...{ name: 'Tags for all', weight: 'block', condition: 'tag_missing' } })
    await expect.poll(async () => (await app.api.get('/expenses?q[description_eq]=Fault:+no+tag')).expenses[0].flags).toHaveLength(2)
    await walkTo(page, 'Fault: no tag')
    await page.keyboard.press('a')
    const unsent = page.getByRole('group', { name: 'Decisions that were not saved' })
    await expect(unsent).toContainText('1 decision was not saved')
    await context.setOffline(false)
    await unsent.getByRole('button', { name: 'Try again' }).click()
    await expect(row(page, 'Fault: no tag')).toContainText('Changed since you looked')
    await expect(row(page, 'Fault: no tag')).toContainText('Tags for all: no tag')
    await grid(page).focus()
    await walkTo(page, 'Fault: no tag')
    await page.keyboard.press('l')
    await page.keyboard.press('a')
    await expect(row(page, 'Fault: no tag')).toContainText('blocks this')
    const { expenses } = await app.api.get('/expenses?q[description_start]=Fault')
    expect(Object.fromEntries(expenses.map(({ description, status }: Json) => [description, status]))).toEqual({
      ...{ 'Fault: dinner': 'noncompliant', 'Fault: supper': 'awaiting_analysis', 'Fault: no tag': 'awaiting_analysis' },
    })
  },
)
