import { expect, test } from '@playwright/test'
import { type Language, languages, pageLanguageOf } from '#shared/domain/locales'
import { inForm } from '#test/support/form'
import { type E2eApp, startApp } from './support/app'

test.use({ timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async () => {
  app = await startApp({ expenses: [{ claimant: 'Ana Lima', date: '2025-02-02', amount: 1234.5, description: 'Hotel' }] })
})
test.afterEach(() => app.remove())

test.describe('in a browser that speaks English', () => {
  test.use({ locale: 'en-GB' })

  test(
    'Español changes menus, statuses, dates and amounts, and what is typed is read as written',
    { tag: '@journey' },
    async ({ page }) => {
      await app.signIn(page)
      await page.goto(`${app.url}/review?queue=all`)
      await expect(page.getByRole('row').filter({ hasText: 'Hotel' })).toBeVisible()
      await page.keyboard.press('Control+k')
      await page.getByRole('textbox', { name: 'Search or command' }).fill('español')
      await page.getByRole('button', { name: 'Language: Español' }).click()
      await expect(page.locator('html')).toHaveAttribute('lang', 'es-AR')
      await expect(page.getByRole('link', { name: 'Informes de gastos' })).toBeVisible()
      const row = page.getByRole('row').filter({ hasText: 'Hotel' })
      await expect(row).toContainText('Por revisar')
      await expect(row).toContainText('02 feb 2025')
      await expect(row).toContainText(/BRL\s1\.234,50/)

      await page.goto(`${app.url}/capture`)
      const amount = page.getByRole('textbox', { name: 'Monto' })
      await amount.fill('1.234,56')
      await expect(page.getByText(/= BRL\s1\.234,56/)).toBeVisible()
      const date = page.getByRole('textbox', { name: 'Fecha' })
      await date.fill('3 de agosto de 2025')
      await page.getByRole('textbox', { name: 'Descripción' }).fill('Cena')
      await page.getByRole('button', { name: /^Guardar y empezar otro/ }).click()
      // A list that was read before gets no further row under the reviewer.
      await expect(page.getByText(/^Registrado: Cena/).first()).toBeVisible()
      await page.goto(`${app.url}/review?queue=all`)
      const saved = page.getByRole('row').filter({ hasText: 'Cena' })
      await expect(saved).toContainText(/BRL\s1\.234,56/)
      await expect(saved).toContainText('03 ago 2025')

      await page.reload()
      await expect(page.getByRole('link', { name: 'Mis gastos' })).toBeVisible()
      await page.getByRole('button', { name: /Menú de usuario/ }).click()
      await expect(page.getByRole('menuitemradio', { name: 'Español' })).toBeChecked()
    },
  )
})

test.describe('in a browser that speaks Spanish', () => {
  test.use({ locale: 'es-MX' })

  test('Outlay starts in Spanish', async ({ page }) => {
    await page.goto(`${app.url}/sign-in`)
    await expect(page.getByRole('heading', { name: 'Iniciar sesión' })).toBeVisible()
  })
})

test('a choice of lists takes one line on a phone, whatever the language', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 780 })
  await app.signIn(page)
  for (const language of inForm<readonly Language[]>(['pt'], languages)) {
    await page.goto(`${app.url}/settings`)
    await expect(page.locator('main')).toBeVisible()
    await page.evaluate((code) => {
      const key = 'outlay.preferences'
      const kept = JSON.parse(localStorage.getItem(key) ?? '{}')
      localStorage.setItem(key, JSON.stringify({ ...kept, state: { ...kept.state, language: code } }))
    }, language)
    for (const path of ['/reimbursements', '/pre-expenses', '/settings']) {
      await page.goto(`${app.url}${path}`)
      await expect(page.locator('html')).toHaveAttribute('lang', pageLanguageOf(language))
      const labels = page.locator('.mantine-SegmentedControl-label')
      await expect(labels.first()).toBeVisible()
      const wrapped = () =>
        labels.evaluateAll((all) =>
          all.flatMap((label) => {
            const range = document.createRange()
            range.selectNodeContents(label)
            const boxes = [...range.getClientRects()].filter(({ width }) => width > 1)
            return boxes.some(({ top }) => top > (boxes[0]?.bottom ?? 0)) ? [label.textContent] : []
          }),
        )
      await expect.poll(wrapped, { message: `${language} ${path}` }).toEqual([])
    }
  }
})
