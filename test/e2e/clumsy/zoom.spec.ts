import { expect, test } from '../support/kept/kept-page'
import { type Language, pageLanguageOf } from '#shared/domain/locales'
import { inForm } from '#test/support/form'
import { type E2eApp, moveTo, startApp } from '../support/app'

/** A window of 1280 by 1024 pixels at 400 %. */
test.use({ viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 })

let app: E2eApp
test.beforeAll(async () => {
  app = await startApp({
    expenses: Array.from({ length: 30 }, (_, index) => ({
      claimant: 'Bartolomeu Albuquerque de Vasconcelos',
      date: '2026-01-03',
      amount: 1234.5 + index,
      description: `Hotel Nacional, quarto ${String(index)}`,
      tags: 'Travel',
    })),
  })
  for (const email of ['maria.aparecida@example.org', 'joao@example.org'])
    await app.api.send('POST', '/organizations/1/members', { user: { email }, role: 'member' })
})
test.afterAll(() => app.remove())

for (const language of inForm<readonly Language[]>(['pt'], ['en', 'pt']))
  test.describe(`at 400 %, in ${language}`, () => {
    test.use({ locale: pageLanguageOf(language) })

    test('the bars of a screen scroll away from its list', async ({ page }) => {
      await app.signIn(page)
      await page.goto(`${app.url}/review`)
      for (const path of ['/review', '/team', '/tags'])
        await test.step(path, async () => {
          await moveTo(page, path)
          await expect(page.getByRole('grid').first().getByRole('row').nth(1)).toBeVisible()
          const seenPx = await page.evaluate(() => {
            const [main, grid] = [document.querySelector('main'), document.querySelector('main [role=grid]')]
            if (!main || !grid) return 0
            main.scrollTop = main.scrollHeight
            const [outer, inner] = [main.getBoundingClientRect(), grid.getBoundingClientRect()]
            return Math.min(outer.bottom, inner.bottom) - Math.max(outer.top, inner.top)
          })
          expect(seenPx).toBeGreaterThan(100)
        })
    })

    test('what can be done with an invitation is within the page', async ({ page }) => {
      await app.signIn(page)
      await page.goto(`${app.url}/team`)
      const buttons = page.getByRole('listitem').getByRole('button')
      await expect(buttons).toHaveCount(4)
      for (const button of await buttons.all()) {
        await button.scrollIntoViewIfNeeded()
        const box = await button.boundingBox()
        expect(box && box.x + box.width).toBeLessThanOrEqual(320)
      }
    })
  })
