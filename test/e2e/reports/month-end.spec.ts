import { execFileSync } from 'node:child_process'
import { copyFile, readFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { systemClock } from '#main/clock'
import { drawReceipt } from '#main/demo/receipts'
import { pageLanguageOf } from '#shared/domain/locales'
import { addMonths } from '#shared/domain/reports/reports'
import { elementOf, fieldsFor, toForm } from '#test/support/upload'
import type { Json } from '../support/app'
import { inForm } from '#test/support/form'
import { expectAccessible } from '../support/axe'
import { type Pair, startPair } from '../support/replica'
import { words } from '../support/words'

/** In what the walk is done: in the short form once, in the long form in two; `MONTH_END=all` does it in both languages and themes, at both widths, and keeps a picture of each step. */
const looks = (['en', 'pt'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((colorScheme) => [1440, 390].map((width) => ({ language, colorScheme, width }))),
)
const usual = looks.filter((_look, index) => index === 0 || index === inForm(0, looks.length - 1))
const month = addMonths(systemClock.now().toISOString().slice(0, 7), -1)

/** A month of rides and dinners in two currencies, and one expense of the month before it. */
const expenses = Array.from({ length: 12 }, (_, index) => ({
  claimant: ['Bruno Reis', 'Clara Nunes', 'Davi Lima'][index % 3] ?? '',
  date: index === 11 ? `${addMonths(month, -1)}-15` : `${month}-${String(index + 2).padStart(2, '0')}`,
  amount: 10 + index * 7.35,
  currency: index % 6 === 5 ? 'EUR' : 'BRL',
  description: index % 3 === 2 ? `Dinner ${index}` : `Ride ${index}`,
  tags: ['Travel', 'Travel,Client', 'Meals', 'Parking'][index % 4] ?? '',
}))

let pair: Pair
test.afterEach(() => pair.remove())

/** Gives two rides a receipt: a photo and a PDF. */
async function attachReceipts(): Promise<void> {
  const { api } = pair.remote
  for (const [name, kind, type] of [
    ['Ride 0', 'photo', 'image/jpeg'],
    ['Ride 1', 'pdf', 'application/pdf'],
  ] as const) {
    const lines = [[name, 10]] as const
    // Before the requests: while it draws, a slow machine would let their connection end.
    const { bytes } = await drawReceipt({ kind, supplier: 'Rádio Táxi', lines }, { day: `${month}-02`, currency: 'BRL' })
    const [{ id }] = (await api.get(`/expenses?q[description_eq]=${encodeURIComponent(name)}`)).expenses
    const credentials: Json = await api.get('/uploads/new')
    const file = { name: `${name}.${kind === 'pdf' ? 'pdf' : 'jpg'}`, type, bytes: Buffer.from(bytes) }
    const sent = await fetch(credentials.host, { method: 'POST', body: toForm(fieldsFor(credentials, file), file) })
    await api.send('POST', `/expenses/${id}/attachments`, { file: elementOf(await sent.text(), 'Location') })
  }
}

for (const look of process.env.MONTH_END === 'all' ? looks : usual)
  test.describe(`${look.language}, ${look.colorScheme}, ${look.width} px`, () => {
    const t = words(look.language)
    test.use({
      ...{ locale: pageLanguageOf(look.language), timezoneId: 'America/Sao_Paulo', colorScheme: look.colorScheme },
      viewport: { width: look.width, height: 900 },
    })
    let step = 0
    const isKept = process.env.MONTH_END === 'all'
    /** The walk over all states has looked at these. */
    const walked: ReadonlySet<string> = new Set(['chart', 'rows', 'edit'])
    const seen = async (page: Page, name: string) => {
      step += 1
      if (isKept) await page.screenshot({ path: test.info().outputPath(`${String(step).padStart(2, '0')}-${name}.png`) })
      else if (look === usual[0] && !walked.has(name)) await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(look.width)
    }
    const press = (page: Page, key: string) => page.getByRole('button', { name: t(key), exact: true })
    const grid = (page: Page, name: string) => page.getByRole('grid', { name })
    const dialog = (page: Page, key: string) => page.getByRole('dialog', { name: t(key) })
    const download = async (page: Page, key: string) => {
      const link = dialog(page, key).getByRole('link', { name: new RegExp(t('exports:download', { name: '.+' })) })
      const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
      return file.path()
    }
    const rowsOf = async (path: string) => (await readFile(path, 'utf8')).trim().split('\r\n').slice(1)

    test(
      'a new user ends a month: chart, rows, PDF, handover, correction, closing, and what a closed month does to offline work',
      { tag: '@journey' },
      async ({ page }) => {
        pair = await startPair({ expenses })
        const { remote } = pair
        await attachReceipts()
        const { expenses: made } = await remote.api.get('/expenses?per_page=100&q[description_start]=Ride')
        for (const { id, amount } of made)
          await remote.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: amount })
        await remote.api.send('PATCH', '/preferences', { language: look.language })
        await pair.exchange()
        await remote.signIn(page)

        await test.step('filter', async () => {
          await page.goto(`${remote.url}/reports`)
          await press(page, 'reports:period.all').click()
          await page.getByRole('menuitemradio', { name: t('reports:period.lastMonth') }).click()
          await page.getByRole('button', { name: t('review:filter.add'), exact: true }).click()
          await page.getByRole('menuitem', { name: t('review:column.description'), exact: true }).click()
          await page.getByRole('dialog').getByRole('textbox').fill('Ride')
          await page.keyboard.press('Enter')
          await expect(page).toHaveURL(/description\.contains\.Ride/)
        })

        await test.step('look at the chart', async () => {
          await page
            .getByRole('navigation', { name: t('reports:kinds') })
            .getByRole('link', { name: t('reports:by.tag') })
            .click()
          const figure = page.getByRole('figure', { name: t('reports:panel.title', { by: t('reports:by.tag'), currency: 'BRL' }) })
          await expect(figure.locator('.recharts-bar-rectangle').first()).toBeVisible()
          await seen(page, 'chart')
          await figure.locator('.recharts-bar-rectangle path').first().click()
        })

        await test.step('the rows of the bar', async () => {
          await expect(page).toHaveURL(/\/review\?.*tag\.is\.Travel/)
          await expect(grid(page, t('review:list.label')).getByRole('row').filter({ hasText: 'Ride 0' })).toBeVisible()
          await seen(page, 'rows')
        })

        await test.step('export a PDF with receipts', async () => {
          await press(page, 'exports:open').click()
          await dialog(page, 'exports:title')
            .getByRole('combobox', { name: t('exports:format') })
            .click()
          await page.getByRole('option', { name: t('exports:formats.pdf') }).click()
          await seen(page, 'export')
          await dialog(page, 'exports:title')
            .getByRole('button', { name: t('exports:begin'), exact: true })
            .click()
          const pdf = await download(page, 'exports:title')
          await seen(page, 'exported')
          if (isKept) await copyFile(pdf, test.info().outputPath('report.pdf'))
          const text = execFileSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8' })
          expect(text).toContain('Ride 1')
          expect(text).toContain(t('exports:file.receipts'))
        })

        await test.step('hand over', async () => {
          await press(page, 'exports:another').click()
          await dialog(page, 'exports:title')
            .getByRole('combobox', { name: t('exports:format') })
            .click()
          await page.getByRole('option', { name: t('exports:formats.csv') }).click()
          await dialog(page, 'exports:title')
            .getByRole('checkbox', { name: t('exports:handOver.label') })
            .check()
          await seen(page, 'hand-over')
          await dialog(page, 'exports:title')
            .getByRole('button', { name: t('exports:handOver.begin') })
            .click()
          const handed = await rowsOf(await download(page, 'exports:title'))
          expect(handed.length).toBeGreaterThan(3)
          await seen(page, 'handed-over')
          await page.keyboard.press('Escape')
        })

        await test.step('change one row', async () => {
          await grid(page, t('review:list.label')).getByRole('row').filter({ hasText: 'Ride 0' }).click()
          await press(page, 'expense:edit.start').click()
          await page.getByRole('textbox', { name: t('expense:fields.description'), exact: true }).fill('Ride 0, changed')
          await seen(page, 'edit')
          await page.keyboard.press('Control+Enter')
          await expect(page.getByText(t('handovers:ofExpense.changed'))).toBeVisible()
          await seen(page, 'changed')
        })

        await test.step('hand over the correction', async () => {
          await page.goto(`${remote.url}/handovers`)
          await expect(grid(page, t('handovers:title')).getByRole('row').nth(1)).toContainText(t('handovers:changes.mark'))
          await grid(page, t('handovers:title')).getByRole('row').nth(1).click()
          await expect(page.getByText(t('handovers:changes.count', { count: 1 }))).toBeVisible()
          await seen(page, 'changes')
          await press(page, 'handovers:changes.handOver').click()
          await dialog(page, 'handovers:changes.handOver')
            .getByRole('button', { name: t('exports:handOver.begin') })
            .click()
          const corrected = await rowsOf(await download(page, 'handovers:changes.handOver'))
          expect(corrected).toHaveLength(1)
          expect(corrected.join()).toContain('Ride 0, changed')
          await press(page, 'handovers:changes.show').click()
          await expect(page.getByText(t('handovers:changes.none'))).toBeVisible()
          await expect(page.getByRole('heading', { name: new RegExp(t('handovers:correctionOf', { title: '.+' })) })).toBeVisible()
          await seen(page, 'corrected')
        })

        const name = new Intl.DateTimeFormat(pageLanguageOf(look.language), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
          new Date(`${month}-01T00:00:00Z`),
        )
        const [{ id: dinner }] = (await pair.api.get('/expenses?q[description_eq]=Dinner%202')).expenses

        await test.step('work offline, while the month is closed', async () => {
          await pair.exchange()
          await pair.line.cut()
          await pair.signIn(page)
          await page.goto(`${pair.served.url}/expenses/${dinner}`)
          await press(page, 'expense:edit.start').click()
          await page.getByRole('textbox', { name: t('expense:fields.amount'), exact: true }).fill('77')
          await page.keyboard.press('Control+Enter')
          await expect.poll(async () => (await pair.api.get(`/expenses/${dinner}`)).amount).toBe(77)
          await seen(page, 'offline')
          await remote.signIn(page)
          await page.goto(`${remote.url}/closings`)
          await grid(page, t('closings:title'))
            .getByRole('row')
            .filter({ hasText: new RegExp(name, 'i') })
            .click()
          await seen(page, 'open-month')
          await page.keyboard.press('c')
          await expect(page.getByRole('dialog')).toBeVisible()
          await page.keyboard.press('Enter')
          await expect(page.getByText(t('closings:detail.closedMeans'))).toBeVisible()
          await seen(page, 'closed-month')
        })

        await test.step('meet the closed month', async () => {
          await pair.signIn(page)
          await page.goto(`${pair.served.url}/sync`)
          await pair.line.mend()
          await pair.exchange()
          await expect.poll(async () => (await pair.api.get('/replica/operations?list=failed')).count).toBe(1)
          await page.goto(`${pair.served.url}/sync/failed`)
          const row = grid(page, t('sync:tabs.failed')).getByRole('row').nth(1)
          await expect(row).toContainText(new RegExp(name, 'i'))
          await row.click()
          await seen(page, 'came-back')
          await page.goto(`${pair.served.url}/expenses/${dinner}`)
          await expect(
            page
              .getByText(t('closings:expense.reopen'))
              .or(page.getByText(new RegExp(name, 'i')))
              .first(),
          ).toBeVisible()
          await expect(press(page, 'expense:edit.start')).toHaveCount(0)
          await seen(page, 'closed-expense')
          expect((await pair.api.get(`/expenses/${dinner}`)).amount).toBe((await remote.api.get(`/expenses/${dinner}`)).amount)
        })
      },
    )
  })
