import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../support/kept/kept-page'
import { newCardNumber } from '#test/support/cards'
import { ofxOf, uploadStatement } from '#test/support/statements/upload'
import { type E2eApp, type Json, apiOf, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })

let app: E2eApp
test.beforeEach(async () => {
  app = await startApp()
})
test.afterEach(() => app.remove())

const shot = (name: string) => (process.env.SHOTS ? { path: `${process.env.SHOTS}/${name}.png` } : undefined)

test(
  'a statement is imported, all that is sure accepted with one key and undone, and both leftovers are worked off',
  { tag: '@journey' },
  async ({ page }) => {
    const organization_id = 1
    const card = { name: 'Travel', number: newCardNumber(), expiration_date: '12/39', organization_id }
    const made = await app.api.send('POST', '/corporative_cards', card)
    const payer = { id: organization_id, type: 'Organization' }
    const record = (part: Record<string, unknown>) => app.api.send('POST', '/expenses', { payer, currency: 'BRL', ...part })
    const bakery = await record({ amount: 42.5, supplier_name: 'Padaria Real', occurred_at: '2026-03-03' })
    await record({ amount: 311.07, supplier_name: 'Hotel Atlas', occurred_at: '2026-03-04' })
    await record({ amount: 80, supplier_name: 'Cantina Bella', occurred_at: '2026-03-05' })
    const alone = await record({ amount: 17.9, supplier_name: 'Livraria', occurred_at: '2026-03-05', corporative_card_id: made.id })
    const bytes = ofxOf([
      { day: '2026-03-04', amount: '-42.50', name: 'PAG*PADARIA REAL', id: '202603040001' },
      { day: '2026-03-05', amount: '-311.07', name: 'HOTEL ATLAS SAO PAULO BR', id: '202603050001' },
      { day: '2026-03-06', amount: '-88.00', name: 'CANTINA BELLA', id: '202603060001' },
      { day: '2026-03-07', amount: '-29.90', name: 'STREAMING', id: '202603070001' },
      { day: '2026-03-08', amount: '-63.40', name: 'TAXI CENTRAL', id: '202603080001' },
    ])
    await app.signIn(page)
    await page.goto(`${app.url}/statements`)
    await expect(page.getByRole('region', { name: /expense without a line/ })).toBeVisible()
    await expectAccessible(page)
    const choosing = page.waitForEvent('filechooser')
    await page.keyboard.press('f')
    await (await choosing).setFiles({ name: 'march.ofx', mimeType: 'application/x-ofx', buffer: Buffer.from(bytes) })
    const panel = page.getByRole('region', { name: /march\.ofx/ })
    await expect(panel).toContainText('5 new lines')
    await expectAccessible(page)
    await page.screenshot(shot('preview'))
    await panel.getByRole('button', { name: 'Add 5 lines' }).click()
    const sure = page.getByRole('region', { name: /sure match/ })
    await expect(sure.getByRole('listitem')).toHaveCount(3)
    await expect(sure).toContainText('BRL')
    await expect(page.getByRole('region', { name: /lines without an expense/ }).getByRole('listitem')).toHaveCount(2)
    await expect(page.getByRole('region', { name: /expense without a line/ }).getByRole('listitem')).toHaveCount(1)
    await expectAccessible(page)
    await page.screenshot(shot('matching-light-1280'))
    await page.keyboard.press('Shift+A')
    await expect(page.getByTitle('3 lines matched')).toBeVisible()
    await expect(sure).toHaveCount(0)
    expect(await app.api.get(`/expenses/${bakery.id}`)).toMatchObject({ corporative_card_id: made.id, paid_on: '2026-03-04T00:00:00Z' })
    await page.keyboard.press('u')
    await expect(sure.getByRole('listitem')).toHaveCount(3)
    expect(await app.api.get(`/expenses/${bakery.id}`)).toMatchObject({ corporative_card_id: null, paid_on: null })
    await page.keyboard.press('Shift+A')
    await expect(sure).toHaveCount(0)
    // The two lines that are left: an expense is made of one, the other needs none.
    const left = page.getByRole('region', { name: /without an expense/ })
    await expect(left.getByRole('listitem').first()).toHaveAttribute('aria-current', 'true')
    await page.keyboard.press('Enter')
    await expect(left.getByRole('listitem')).toHaveCount(1)
    await page.keyboard.press('x')
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('textbox', { name: 'Reason' }).fill('Private')
    await page.keyboard.press('Enter')
    await expect(left).toHaveCount(0)
    // The expense without a line is opened.
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/expenses/${alone.id}`))
    await expect(page.getByText(/Travel ·· \d{4}/)).toBeVisible()
    await page.goto(`${app.url}/cards/${made.id}`)
    const statement = page.getByRole('region', { name: 'Statement' })
    await expect(statement.getByRole('listitem')).toHaveCount(5)
    await expect(statement).toContainText('Private')
    await expectAccessible(page)
  },
)

test('a statement whose lines miss its balances says by how much, and is added once that is seen', async ({ page }) => {
  const card = { name: 'Travel', number: newCardNumber(), expiration_date: '12/39', organization_id: 1 }
  await app.api.send('POST', '/corporative_cards', card)
  await app.signIn(page)
  await page.goto(`${app.url}/statements`)
  await expect(page.getByText(/Drop a bank's file here/)).toBeVisible()
  const choosing = page.waitForEvent('filechooser')
  await page.keyboard.press('f')
  const buffer = readFileSync(join(import.meta.dirname, '../../fixtures/statements/americas/us-doubled.csv'))
  await (await choosing).setFiles({ name: 'doubled.csv', mimeType: 'text/csv', buffer })
  const panel = page.getByRole('region', { name: /doubled\.csv/ })
  await expect(panel).toContainText('Lines and sums differ by BRL −10.00. Line 3 seems to be in the file twice.')
  await expectAccessible(page)
  await page.screenshot(shot('proof'))
  const add = panel.getByRole('button', { name: 'Add 5 lines' })
  await expect(add).toBeDisabled()
  await panel.getByRole('checkbox').check()
  await add.click()
  await expect(page.getByTitle('5 lines added to Travel')).toBeVisible()
})

test('a file of two accounts is added to two cards', async ({ page }) => {
  for (const name of ['Travel', 'Office'])
    await app.api.send('POST', '/corporative_cards', { name, number: newCardNumber(), expiration_date: '12/39', organization_id: 1 })
  await app.signIn(page)
  await page.goto(`${app.url}/statements`)
  await expect(page.getByText(/Drop a bank's file here/)).toBeVisible()
  const choosing = page.waitForEvent('filechooser')
  await page.keyboard.press('f')
  const buffer = readFileSync(join(import.meta.dirname, '../../fixtures/statements/europe/be-bedrag.csv'))
  await (await choosing).setFiles({ name: 'both.csv', mimeType: 'text/csv', buffer })
  const card = page.getByLabel('Which card is both.csv from?')
  await card.selectOption(await card.getByRole('option', { name: /Travel/ }).getAttribute('value'))
  const travel = page.getByRole('region', { name: /both\.csv · Travel/ })
  await travel.getByLabel('Account of this card').selectOption('1111')
  await expect(travel).toContainText('2 new lines')
  const others = page.getByRole('group', { name: 'Other accounts in this file' })
  await expect(others).toContainText(/2222: 1 line · BRL/)
  await others.getByRole('combobox').selectOption({ label: await others.getByRole('option', { name: /Office/ }).innerText() })
  const office = page.getByRole('region', { name: /both\.csv · Office/ })
  await expect(office).toContainText('1 new line')
  await expectAccessible(page)
  await page.screenshot(shot('two-accounts'))
  await office.getByRole('button', { name: 'Add 1 line' }).click()
  await expect(page.getByTitle('1 line added to Office')).toBeVisible()
  await travel.getByRole('button', { name: 'Add 2 lines' }).click()
  await expect(page.getByTitle('2 lines added to Travel')).toBeVisible()
  await expect(others).toHaveCount(0)
})

test('thirty pairs fit a screen, one line each, and on a phone each has two', async ({ page }) => {
  const card = { name: 'Travel', number: newCardNumber(), expiration_date: '12/39', organization_id: 1 }
  const { id: card_id } = await app.api.send('POST', '/corporative_cards', card)
  const names = ['Padaria Real', 'Hotel Atlas', 'Cantina Bella', 'Livraria Cultura', 'Posto Ipiranga', 'Taxi Central']
  const bookings = Array.from({ length: 36 }, (_, index) => {
    const [day, spent] = [String(1 + (index % 28)).padStart(2, '0'), 31.13 + index * 17.31]
    return { day, spent, name: `${names[index % names.length]} ${index}` }
  })
  for (const [index, { day, spent, name }] of bookings.entries())
    await app.api.send('POST', '/expenses', {
      ...{ payer: { id: 1, type: 'Organization' }, currency: 'BRL', amount: Number(spent.toFixed(2)), supplier_name: name },
      ...{ occurred_at: `2026-03-${index % 3 === 0 ? '01' : day}`, description: 'Visit of the branch in Campinas, with the team' },
    })
  const bytes = ofxOf(
    bookings.map(({ day, spent, name }, index) => ({
      ...{
        day: `2026-03-${day}`,
        amount: (-spent * (index % 9 === 8 ? 1.1 : 1)).toFixed(2),
        name: `PAG*${name.toUpperCase()} SAO PAULO BR`,
      },
      id: `T${index}`,
    })),
  )
  await uploadStatement({ url: app.url, organization_id: 1 }, { token: app.token }, { card_id, bytes })
  await app.signIn(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${app.url}/statements`)
  const rows = page.getByRole('region', { name: /match/ }).getByRole('listitem')
  await expect(rows.first()).toBeVisible()
  const inSight = () => rows.evaluateAll((all) => all.filter((row) => row.getBoundingClientRect().bottom <= innerHeight - 30).length)
  expect(await inSight()).toBeGreaterThanOrEqual(30)
  await page.getByRole('combobox', { name: 'Card', exact: true }).click({ trial: true })
  await page.getByRole('button', { name: 'Import a statement' }).click({ trial: true })
  await expectAccessible(page)
  for (const [width, lines] of [
    [1024, 1],
    [390, 2],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => rows.first().evaluate((row) => Math.floor(row.getBoundingClientRect().height / 24))).toBe(lines)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await expectAccessible(page)
  }
})

test('a manager asks the holders of lines with one key, and the message leads its reader to exactly those lines', async ({ page }) => {
  const token = await app.addUser({ name: 'Beto Lima', email: 'beto@example.org', role: 'member' })
  const card = { name: 'Travel', number: newCardNumber(), expiration_date: '12/39', organization_id: 1 }
  const { id: card_id } = await apiOf(app.url, token).send('POST', '/corporative_cards', card)
  const bytes = ofxOf([
    { day: '2026-03-07', amount: '-29.90', name: 'STREAMING', id: 'S1' },
    { day: '2026-03-08', amount: '-63.40', name: 'TAXI CENTRAL', id: 'S2' },
  ])
  await uploadStatement({ url: app.url, organization_id: 1 }, { token }, { card_id, bytes })
  await app.signIn(page)
  await page.goto(`${app.url}/statements`)
  const left = page.getByRole('region', { name: /2 lines without an expense/ })
  await expect(left.getByRole('listitem')).toHaveCount(2)
  await page.keyboard.press('m')
  await expect(page.getByTitle('Asked for 2 receipts from 1 holder')).toBeVisible()
  await expect(left.getByText('asked')).toHaveCount(2)
  await expectAccessible(page)
  await page.screenshot(shot('asked'))
  await page.keyboard.press('m')
  await expect(page.getByTitle('No line is left to ask about today')).toBeVisible()
  await app.signIn(page, token)
  await page.goto(`${app.url}/statements?list=linesLeft`)
  await expect(left.getByRole('listitem')).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Ask the holders' })).toHaveCount(0)
  // A line becomes two expenses that come to it.
  await page.keyboard.press('s')
  const sheet = page.getByRole('dialog', { name: /Split TAXI CENTRAL/ })
  await expectAccessible(page)
  await page.screenshot(shot('split'))
  await sheet.getByRole('textbox', { name: 'Amount 1' }).fill('70')
  await sheet.getByRole('button', { name: 'Make 2 expenses' }).click()
  await expect(sheet.getByText('The amounts must be above zero and leave something.')).toBeVisible()
  await sheet.getByRole('textbox', { name: 'Amount 1' }).fill('20.01')
  await expect(sheet.getByRole('textbox', { name: 'What is left' })).toHaveValue('43.39')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: /1 line without an expense/ }).getByRole('listitem')).toHaveCount(1)
  const { expenses } = await apiOf(app.url, token).get('/expenses')
  expect(expenses.map(({ amount }: Json) => amount).toSorted()).toEqual([20.01, 43.39])
  // One key takes both back.
  await page.keyboard.press('u')
  await expect(left.getByRole('listitem')).toHaveCount(2)
  expect((await apiOf(app.url, token).get('/expenses')).expenses).toEqual([])
  await page.getByRole('link', { name: 'Show everything' }).click()
  await expect(page).toHaveURL(/\/statements$/)
})
