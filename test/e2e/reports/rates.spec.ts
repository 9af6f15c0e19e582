import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  const one = { claimant: 'Bruno Reis', description: 'Ride' }
  app = await startApp({
    expenses: [
      { ...one, date: '2026-03-04', amount: 10, currency: 'BRL', tags: 'Meals' },
      { ...one, date: '2026-03-04', amount: 3.33, currency: 'USD', tags: 'Travel' },
      { ...one, date: '2026-03-09', amount: 1000, currency: 'JPY', tags: 'Travel' },
      { ...one, date: '2026-03-10', amount: 20, currency: 'GBP', tags: 'Office' },
    ],
  })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const ecb = {
  name: 'eurofxref-hist.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('\uFEFFDate,USD,JPY,BRL,\r\n2026-03-09,1.08,N/A,5.30,\r\n2026-03-06,1.08,160,5.20,\r\n'),
}
const ptax = {
  name: 'CotacoesMoedas.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('10032026;540;B;GBP;6,9990;7,0000;1,2800;1,2810\n10032026;715;A;XXX;1;1;1;1\n'),
}

const figure = (page: Page) => page.getByRole('figure', { name: 'Tag, BRL' })
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Exchange rates' })

async function importFile(page: Page, file: typeof ecb): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await sheet(page).getByRole('button', { name: 'Import a file…' }).click()
  await (await choosing).setFiles(file)
}

test('rates are entered by hand and imported, and the report says by which it converts', { tag: '@journey' }, async ({ page }) => {
  await page.goto(`${app.url}/reports?by=tag`)
  await page.getByRole('button', { name: 'Each currency apart' }).click()
  await page.getByRole('menuitemradio', { name: 'All in BRL' }).click()
  for (const currency of ['USD', 'JPY', 'GBP'])
    await expect(page.getByText(`${currency} is not converted: there is no rate for`)).toBeVisible()
  await page.getByRole('button', { name: 'Exchange rates' }).press('Enter')
  await expect(sheet(page)).toContainText('No rates yet.')
  await expectAccessible(page)

  await sheet(page).getByLabel('Day').fill('2026-03-01')
  await page.keyboard.press('Tab')
  await sheet(page).getByRole('textbox', { name: 'Currency' }).fill('usd')
  await sheet(page).getByRole('textbox', { name: 'Rate in BRL' }).fill('five')
  await page.keyboard.press('Enter')
  await expect(sheet(page).getByText('Enter a rate such as 5.40')).toBeVisible()
  await sheet(page).getByRole('textbox', { name: 'Rate in BRL' }).fill('5,4321')
  await page.keyboard.press('Enter')
  await expect(sheet(page).getByRole('listitem')).toHaveText([/^1 USD = 5.4321 BRL, 1 Mar 2026Entered by hand$/])
  await page.screenshot({ path: test.info().outputPath('sheet.png') })
  await importFile(page, ecb)
  await expect(sheet(page).getByText('ECB 2026-03')).toBeVisible()
  await importFile(page, ptax)
  await expect(sheet(page).getByText('BCB 2026-03 GBP')).toBeVisible()
  await expect(sheet(page).getByRole('listitem')).toHaveCount(3)
  await expectAccessible(page)
  await page.screenshot({ path: test.info().outputPath('three.png') })
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toBeHidden()

  // 10.00 + 3.33 USD at 5.4321 + 1000 JPY at 5.20 / 160 + 20 GBP at 7: the yen at rates of one day.
  await expect(figure(page)).toContainText('4 expenses · BRL 200.59')
  await expect(figure(page).getByRole('row', { name: /^Travel/ })).toContainText('50.59')
  await page.getByText('3 rates used').click()
  const rates = page.getByRole('table').filter({ hasText: 'Source' })
  await expect(rates.getByRole('row', { name: /^USD/ })).toHaveText('USD5.43211 Mar 2026Entered by hand')
  await expect(rates.getByRole('row', { name: /^JPY/ })).toHaveText('JPY0.03256 Mar 2026European Central Bank')
  await expect(rates.getByRole('row', { name: /^GBP/ })).toHaveText('GBP710 Mar 2026Banco Central do Brasil')
  await page.screenshot({ path: test.info().outputPath('converted.png') })
  await page.getByText('3 rates used').click()
  await expect(rates).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(rates).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('printed.png'), fullPage: true })
  await page.emulateMedia({ media: 'screen' })

  await page.getByRole('button', { name: 'Exchange rates' }).click()
  await sheet(page).getByRole('button', { name: 'Delete 1 USD = 5.4321 BRL, 1 Mar 2026' }).press('Enter')
  await expect(sheet(page).getByRole('listitem')).toHaveCount(2)
  await expect(page.getByTitle('Deleted 1 USD = 5.4321 BRL, 1 Mar 2026')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('u')
  await page.getByRole('button', { name: 'Exchange rates' }).click()
  await expect(sheet(page).getByRole('listitem')).toHaveCount(3)
})

test('on a phone in Portuguese, dark and light, the rates fit, and a file of something else says its line', async ({ browser }) => {
  const context = await browser.newContext({
    locale: 'pt-BR',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
  })
  const page = await context.newPage()
  await app.signIn(page)
  await page.goto(`${app.url}/reports?by=tag&convert=BRL`)
  await expect(page.getByRole('button', { name: 'Exchange rates' })).toBeVisible()
  await page.evaluate(() => {
    const key = 'outlay.preferences'
    const kept = JSON.parse(localStorage.getItem(key) ?? '{}')
    localStorage.setItem(key, JSON.stringify({ ...kept, state: { ...kept.state, language: 'pt' } }))
  })
  await page.reload()
  await page.getByRole('button', { name: 'Cotações' }).tap()
  const own = page.getByRole('dialog', { name: 'Cotações' })
  await own.getByRole('textbox', { name: 'Moeda' }).fill('brl')
  await expect(own).toContainText('Informe uma moeda diferente de BRL')
  await own.locator('input[type=file]').setInputFiles({ ...ptax, buffer: Buffer.from('Nome;Valor\nAna;3\n') })
  await expect(own.getByRole('alert')).toContainText('linha 1 ')
  await expectAccessible(page)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: test.info().outputPath(`phone-${colorScheme}.png`) })
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await context.close()
})
