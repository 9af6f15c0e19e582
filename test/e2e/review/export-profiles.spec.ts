import { readFile } from 'node:fs/promises'
import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: [{ claimant: 'Bruno Reis', date: '2026-03-02', amount: 1234.5, description: 'Flight', tags: 'Travel' }],
  })
  await app.api.send('PUT', '/expenses/1/status', { status: 'approved', approved_amount: 1234.5 })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

test('a format is made with its preview, kept, and written by', { tag: '@journey' }, async ({ page }) => {
  const previews: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/exports/preview')) previews.push(request.url())
  })
  await page.goto(`${app.url}/export-profiles/new`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Ledger import')
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('02/03/2026;Bruno Reis;Travel;Flight;1234,50;BRL')
  // One for what the form begins with: a preview asks for no other.
  expect(previews).toHaveLength(1)
  await page.getByRole('button', { name: 'Add a column' }).click()
  const added = page.getByRole('group', { name: 'Column 7' })
  await added.getByRole('textbox', { name: 'Heading' }).fill('Account')
  await added.getByRole('combobox', { name: 'What it has' }).click()
  await page.getByRole('option', { name: 'Code of the first tag' }).click()
  await added.getByRole('button', { name: 'Move up' }).click()
  await page.getByRole('textbox', { name: 'Codes of tags' }).fill('Travel')
  await page.getByRole('button', { name: 'Create format' }).click()
  await expect(page.getByText('Write each line as: name = code')).toBeVisible()
  await page.getByRole('textbox', { name: 'Codes of tags' }).fill('Travel = 4660')
  await expect(page.getByText('Write each line as: name = code')).toBeHidden()
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('Flight;1234,50;4660;BRL')
  await expectAccessible(page)
  await page.screenshot({ path: test.info().outputPath('format.png'), fullPage: true })
  await page.getByRole('button', { name: 'Create format' }).click()
  await expect(page.getByTitle('Ledger import created')).toBeVisible()
  await page.goto(`${app.url}/review?queue=all`)
  await expect(page.getByRole('grid', { name: 'Expenses' }).getByRole('row').filter({ hasText: 'Flight' })).toBeVisible()
  await page.keyboard.press('Shift+X')
  const sheet = page.getByRole('dialog', { name: 'Export' })
  await sheet.getByRole('combobox', { name: 'Format', exact: true }).click()
  await page.getByRole('option', { name: 'Own format' }).click()
  await expect(sheet.getByRole('combobox', { name: 'Which format' })).toHaveValue('Ledger import')
  await sheet.getByRole('button', { name: 'Export', exact: true }).click()
  const link = sheet.getByRole('link', { name: /^Download expenses-/ })
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(await readFile(await file.path(), 'utf8')).toContain('02/03/2026;Bruno Reis;Travel;Flight;1234,50;4660;BRL\r\n')
  await page.goto(`${app.url}/export-profiles/1`)
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download as JSON' }).click()])
  const json = await readFile(await saved.path())
  await page.goto(`${app.url}/export-profiles/new`)
  const take = async (buffer: Buffer) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Fill in from a JSON file' }).click(),
    ])
    await chooser.setFiles({ name: 'format.json', mimeType: 'application/json', buffer })
  }
  await take(Buffer.from('{"name":"Ledger"}'))
  await expect(page.getByRole('alert')).toHaveText(/^This file holds no export format/)
  await take(json)
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Ledger import')
  await expect(page.getByRole('textbox', { name: 'Codes of tags' })).toHaveValue('Travel = 4660')
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('Flight;1234,50;4660;BRL')
  await page.screenshot({ path: test.info().outputPath('from-file.png'), fullPage: true })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${app.url}/export-profiles/1`)
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Ledger import')
  await page.screenshot({ path: test.info().outputPath('phone.png'), fullPage: true })
})
