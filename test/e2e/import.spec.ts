import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { type E2eApp, startApp } from './support/app'
import { expectAccessible } from './support/axe'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

const header = 'Employee,Date,Amount,Currency,Category,Description,Reference'
const good = ['Ana Lima,2024-05-01,10.00,BRL,Taxi,Ride,R-1', 'Rui Melo,2024-05-02,20.50,BRL,Meals,Dinner,R-2']
const toFile = (name: string, ...rows: string[]) => ({ name, mimeType: 'text/csv', buffer: Buffer.from([header, ...rows].join('\n')) })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp()
  await app.signIn(page)
})
test.afterEach(() => app.remove())

/** Presses the key that has a file chosen, and chooses one. */
async function choose(page: Page, file: ReturnType<typeof toFile>): Promise<void> {
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  const chooser = page.waitForEvent('filechooser')
  await page.keyboard.press('f')
  await (await chooser).setFiles(file)
}

const countOf = (page: Page, name: string) =>
  page
    .locator('dt')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd')

test(
  'a file is chosen, looked at, imported and found in Review by keyboard, and imported again changes only what is chosen',
  { tag: '@journey' },
  async ({ page }) => {
    await page.goto(`${app.url}/review?queue=all`)
    await page.getByRole('button', { name: 'Import expenses from a file' }).press('Enter')
    await expect(page).toHaveURL(/\/import$/)
    await choose(page, toFile('may.csv', ...good, 'Ana Lima,2024-05-03,-5,BRL,Taxi,Ride,R-3'))
    const importing = page.getByRole('button', { name: 'Import 2 expenses' })
    await expect(importing).toBeVisible()
    await expect(countOf(page, 'Not imported')).toHaveText('1')
    await expect(countOf(page, 'Total')).toHaveText('BRL 30.50')
    await expect(page.getByRole('region', { name: 'Rows that are not imported' })).toContainText('must be greater than 0')
    await expect(page.getByRole('region', { name: 'First rows' })).toContainText('Rui Melo')
    await expectAccessible(page)
    await page.reload()
    await expect(importing).toBeVisible()
    await page.keyboard.press('i')
    await page.keyboard.press('i')
    const found = page.getByRole('link', { name: 'Show in Review' })
    await expect(found).toBeVisible()
    await expect(countOf(page, 'Imported')).toHaveText('2')
    await expectAccessible(page)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the report (CSV)' }).press('Enter')
    const report = await readFile(await (await downloading).path(), 'utf8')
    expect(report.trimEnd().split('\r\n')).toEqual([
      '\uFEFFRow,Result,Column,Reason,Before,In the file',
      '4,Not imported,Amount,must be greater than 0,,',
    ])
    await found.press('Enter')
    await expect(page.getByRole('grid').getByRole('row')).toHaveCount(3)
    expect((await app.api.get('/expenses')).count).toBe(2)

    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await choose(page, toFile('corrected.csv', good[0] ?? '', 'Rui Melo,2024-05-02,21.00,BRL,Meals,Dinner,R-2'))
    await expect(page.getByText('This file has nothing to import.')).toBeVisible()
    const changes = page.getByRole('region', { name: 'Rows that differ from their expenses' })
    await expect(changes.getByRole('row').nth(1)).toContainText(/Amount\s*20\.5\s*21/)
    await expectAccessible(page)
    await page.getByRole('checkbox', { name: 'Update these expenses' }).press('Space')
    const updating = page.getByRole('button', { name: 'Update 1 expense' })
    await expect(updating).toBeVisible()
    await updating.dblclick()
    await expect(countOf(page, 'Updated')).toHaveText('1')
    const { expenses } = await app.api.get('/expenses')
    expect(expenses.map(({ amount }: { amount: number }) => amount).toSorted()).toEqual([10, 21])
  },
)

test('a file that cannot be read says why, and is read once its columns are chosen', async ({ page }) => {
  await page.goto(`${app.url}/import`)
  await choose(page, { name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.from('') })
  await expect(page.getByRole('alert')).toContainText('This file is empty.')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'All files' }).press('Enter')
  await choose(page, { name: 'odd.csv', mimeType: 'text/csv', buffer: Buffer.from('wer;wann;was\nAna;03/04/2024;1.250,00\n') })
  await expect(page.getByRole('alert')).toContainText('No column was recognized')
  for (const [field, column] of [
    ['Person', 'wer'],
    ['Date', 'wann'],
    ['Amount', 'was'],
  ] as const) {
    await page.getByRole('combobox', { name: field, exact: true }).fill(column)
    await page.getByRole('option', { name: column, exact: true }).click()
  }
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Read the file again' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Import 1 expense' })).toBeVisible()
  await expect(countOf(page, 'Total')).toHaveText('BRL 1,250.00')
  await page.getByRole('button', { name: 'Remove file' }).press('Enter')
  await expect(page).toHaveURL(/\/import$/)
  await expect(page.getByRole('link', { name: 'odd.csv' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'empty.csv' })).toBeVisible()
  expect((await app.api.get('/expenses')).count).toBe(0)
})

test('a column that was recognised can be left out, and Review shows what the import brought', async ({ page }) => {
  await app.remove()
  app = await startApp({ expenses: [{ claimant: 'Eva Reis', date: '2024-04-01', amount: 3, description: 'Earlier' }] })
  await app.signIn(page)
  await page.goto(`${app.url}/import`)
  await choose(page, toFile('may.csv', ...good))
  await expect(page.getByRole('region', { name: 'First rows' })).toContainText('Meals')
  await page.getByText('How the file is read').click()
  await page.getByRole('combobox', { name: 'Tags' }).click()
  await page.getByRole('option', { name: 'None', exact: true }).click()
  await page.getByRole('button', { name: 'Read the file again' }).press('Enter')
  await expect(page.getByRole('region', { name: 'First rows' })).not.toContainText('Meals')
  await page.getByText('How the file is read').click()
  await expect(page.getByRole('combobox', { name: 'Tags' })).toHaveValue('None')
  await page.getByRole('button', { name: 'Import 2 expenses' }).click()
  await page.getByRole('link', { name: 'Show in Review' }).click()
  await expect(page.getByRole('grid').getByRole('row')).toHaveCount(3)
  await expect(page.getByText('Earlier')).toHaveCount(0)
  const { expenses } = await app.api.get('/expenses')
  expect(expenses.map(({ tags }: { tags: unknown[] }) => tags.length)).toEqual([0, 0, 0])
})

test('a file that is too large is refused before it is sent', async ({ page }) => {
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await page.goto(`${app.url}/import`)
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await page.locator('input[type=file]').evaluate((input: HTMLInputElement) => {
    const file = new File(['Employee,Date,Amount'], 'huge.csv')
    Object.defineProperty(file, 'size', { value: 1_900_000_000 })
    Object.defineProperty(input, 'files', { value: [file] })
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await expect(page.getByRole('alert')).toContainText('huge.csv is larger than 512 MB')
  expect(sent.filter((url) => url.includes('/imports'))).toEqual([])
})
