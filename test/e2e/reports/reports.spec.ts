import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

const claimants = ['Bruno Reis', 'Clara Nunes', 'Davi Lima'] as const
const tags = ['Travel', 'Meals', 'Office'] as const

let app: E2eApp
test.beforeAll(async () => {
  app = await startApp({
    expenses: Array.from({ length: 60 }, (_, index) => ({
      claimant: claimants[index % 3] ?? '',
      date: `2026-${String((index % 6) + 1).padStart(2, '0')}-${String((index % 27) + 1).padStart(2, '0')}`,
      amount: 10 + index * 7.35,
      currency: index % 10 === 9 ? 'USD' : 'BRL',
      description: `Ride ${index}`,
      tags: tags[index % 4] ?? '',
    })),
  })
})
test.beforeEach(({ page }) => app.signIn(page))
test.afterAll(() => app.remove())

const kinds = (page: Page) => page.getByRole('navigation', { name: 'Reports' })
const figure = (page: Page, name: string) => page.getByRole('figure', { name })
const grid = (page: Page) => page.getByRole('grid', { name: 'Expenses' })

test('a report is filtered, looked at, followed into its rows, and its picture is saved', { tag: '@journey' }, async ({ page }) => {
  await page.goto(`${app.url}/review`)
  await expect(grid(page)).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  await page.getByRole('region', { name: 'BRL', exact: true }).getByRole('link', { name: 'Month', exact: true }).click()
  await expect(figure(page, 'Month, BRL').getByRole('img', { name: 'Chart:' })).toBeVisible()
  await expect(figure(page, 'Month, BRL').locator('.recharts-bar-rectangle').first()).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('month.png') })

  await kinds(page).getByRole('link', { name: 'Tag' }).click()
  const row = figure(page, 'Tag, BRL').getByRole('row', { name: /^Travel/ })
  const [count, amount] = [await row.getByRole('cell').nth(0).textContent(), await row.getByRole('cell').nth(1).textContent()]
  await row.getByRole('link', { name: 'Travel' }).press('Enter')
  await expect(page).toHaveURL(/\/review\?.*tag\.is\.Travel/)
  await expect(page.getByTitle(`${count} expenses`)).toContainText(`${count} · BRL`)
  await expect(page.getByTitle(`${count} expenses`)).toContainText(amount ?? '')

  await page.goBack()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Description', exact: true }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Ride 1')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/reports\?by=tag.*description\.contains/)
  await expect(figure(page, 'Tag, BRL')).toContainText('10 expenses')
  await page.goto(`${app.url}/reports?by=month&queue=all&f=currency.is.USD&f=occurred_at.from.2026-04-01&f=occurred_at.to.2026-06-30`)
  await expect(page.getByText('Compared with')).toBeVisible()
  const usd = figure(page, 'Month, USD')
  await expect(usd.getByRole('columnheader', { name: 'Before' })).toBeVisible()
  await expect(usd.locator('.recharts-bar-rectangle path').first()).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('before.png') })
  for (const [name, start] of [
    ['PNG picture', [0x89, 0x50, 0x4e, 0x47]],
    ['SVG picture', [0x3c, 0x73, 0x76, 0x67]],
  ] as const) {
    await usd.getByRole('button', { name: 'Save the chart as a picture' }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('menuitem', { name }).click()
    const path = await (await downloading).path()
    const bytes = await readFile(path)
    expect([...bytes.subarray(0, 4)]).toEqual([...start])
    if (name === 'SVG picture') expect(bytes.toString()).toContain('Month, USD')
  }
  await usd.locator('.recharts-bar-rectangle path').first().click()
  await expect(page).toHaveURL(/\/review\?.*occurred_at\.from\.2026-0/)
})

test('a picture says what it leaves out', async ({ page }) => {
  const { id } = (await app.api.get('/organizations')).organizations[0]
  await app.api.send('POST', '/expenses', {
    payer_id: id,
    amount: 5,
    currency: 'USD',
    description: 'Old',
    occurred_at: '2021-01-05T12:00:00Z',
  })
  await page.goto(`${app.url}/reports?by=month&queue=all&f=currency.is.USD`)
  const usd = figure(page, 'Month, USD')
  const note = usd.getByText(/^The chart shows the last \d+ months\.$/)
  await expect(note).toBeVisible()
  await expect(usd.locator('.recharts-bar-rectangle path').first()).toBeVisible()
  await usd.getByRole('button', { name: 'Save the chart as a picture' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'SVG picture' }).click()
  const picture = await readFile(await (await downloading).path(), 'utf8')
  for (const words of ['>Month, USD<', 'expenses · USD', `>${(await note.textContent()) ?? ''}<`]) expect(picture).toContain(words)
})

test('every report reads well: narrow, dark, in three languages, and when nothing matches', async ({ page }) => {
  for (const kind of [
    'overview',
    'tag&months=1',
    'receiver',
    'supplier',
    'status',
    'card',
    'currency',
    'age',
    'flag',
    'times',
    'advances',
  ]) {
    await page.goto(`${app.url}/reports?by=${kind}`)
    await expect(
      page
        .getByRole('figure')
        .or(page.getByRole('region', { name: 'BRL', exact: true }))
        .or(page.getByText(/No expense|Nobody holds/))
        .first(),
    ).toBeVisible()
    await expectAccessible(page)
    await page.screenshot({ path: test.info().outputPath(`${kind}.png`) })
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${app.url}/reports?by=tag`)
  await expect(figure(page, 'Tag, BRL').locator('.recharts-bar-rectangle').first()).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.screenshot({ path: test.info().outputPath('narrow.png') })
  await page.goto(`${app.url}/reports?by=tag&search=nothing+at+all`)
  await expect(page.getByText('No expense matches these filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(figure(page, 'Tag, BRL')).toBeVisible()
})

test('times are drawn as a chart with the period before, whose picture is saved', async ({ page }) => {
  for (const id of [1, 2, 7, 8]) await app.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 1 })
  await page.goto(`${app.url}/reports?by=times&queue=all&f=occurred_at.from.2026-02-01&f=occurred_at.to.2026-02-28`)
  const times = figure(page, 'Time to decide')
  await expect(times.locator('.recharts-legend-item')).toHaveText(['Median', 'Median before', '90 of 100 within'])
  await expectAccessible(page)
  await times.getByRole('button', { name: 'Save the chart as a picture' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'SVG picture' }).click()
  expect(await readFile(await (await downloading).path(), 'utf8')).toContain('>Approval<')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('printed, a report is its figures without the frame', async ({ page }) => {
  await page.goto(`${app.url}/reports?by=tag`)
  await expect(figure(page, 'Tag, BRL').locator('.recharts-bar-rectangle').first()).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: 'Report: Tag' })).toBeVisible()
  await expect(page.getByRole('toolbar', { name: 'Filters' })).toBeHidden()
  const pdf = await page.pdf({ format: 'A4' })
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  await page.screenshot({ path: test.info().outputPath('print.png'), fullPage: true })
})
