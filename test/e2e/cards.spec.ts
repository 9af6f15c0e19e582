import { expect, test } from './support/kept/kept-page'
import { expectAccessible } from './support/axe'
import { type E2eApp, moveTo, startApp } from './support/app'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async () => {
  app = await startApp()
  await app.addUser({ name: 'Bruno Lima', email: 'bruno@example.org', role: 'member' })
})
test.afterEach(() => app.remove())

test(
  'a card is added by keyboard, its number masked from then on; edited, deactivated, taken back and deleted',
  { tag: '@journey' },
  async ({ page }) => {
    const sent: string[] = []
    page.on('response', (response) => {
      // An answer whose page was left meanwhile has no text to look at any more.
      if (response.url().includes('/api/'))
        void response.text().then(
          (text) => sent.push(text),
          () => undefined,
        )
    })
    await app.signIn(page)
    await page.goto(`${app.url}/cards`)
    await expect(page.getByText('This organization has no cards yet.')).toBeVisible()
    await page.keyboard.press('n')
    const form = page.getByRole('form', { name: 'New card' })
    const number = form.getByRole('textbox', { name: 'Number' })
    await expect(number).toBeFocused()
    await expect(number).toHaveAttribute('autocomplete', 'off')
    await page.keyboard.type('4539001122339988')
    await expect(number).toHaveValue('4539 0011 2233 9988')
    await expect(form).toContainText('Visa')
    await expect(form.getByRole('status')).toContainText('This number may have a typing mistake')
    await expectAccessible(page)
    await form.getByRole('textbox', { name: 'Name' }).fill('Travel')
    await form.getByRole('textbox', { name: 'Valid until' }).fill('13/30')
    await page.keyboard.press('Enter')
    await expect(form).toContainText('Enter month and year, such as 08/29.')
    await form.getByRole('textbox', { name: 'Valid until' }).fill('1230')
    await number.fill('45390011223')
    await page.keyboard.press('Enter')
    await expect(form).toContainText('A card number has 12 to 19 digits')
    await expectAccessible(page)
    await number.fill('4539001122339988')
    await number.press('End')
    await number.press('Backspace')
    await page.keyboard.type('9')
    await expect(form.getByRole('status')).toBeEmpty()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Travel' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Card', exact: true })).toContainText('•••• •••• •••• 9989')
    await expect(page.getByRole('region', { name: 'Card', exact: true })).toContainText('12/30')
    expect(await page.content()).not.toMatch(/4539\s?0011/)
    expect(sent.join()).not.toMatch(/4539\s?0011/)

    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'Name' }).fill('Travel and meals')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Travel and meals' })).toBeVisible()
    await page.keyboard.press('d')
    await expect(page.getByRole('region', { name: 'Card', exact: true })).toContainText('Inactive')
    await page.keyboard.press('Control+z')
    await expect(page.getByRole('button', { name: /^Deactivate/ })).toBeVisible()

    await page.keyboard.press('Backspace')
    await expect(page.getByRole('dialog', { name: 'Delete Travel and meals?' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete card' }).click()
    await expect(page.getByText('This organization has no cards yet.')).toBeVisible()
  },
)

test('one with expenses stays; a number that exists, or fails the check digit, is warned of and saved', async ({ page }) => {
  const body = { name: 'Fuel', number: '4539001122339989', expiration_date: '01/24', organization_id: 1 }
  const card = await app.api.send('POST', '/corporative_cards', body)
  const payer = { id: 1, type: 'Organization' }
  await app.api.send('POST', '/expenses', { payer, amount: 9, occurred_at: '2026-01-02', corporative_card_id: card.id })
  await app.signIn(page)
  await page.goto(`${app.url}/cards/${card.id}`)
  await expect(page.getByRole('region', { name: 'Card', exact: true })).toContainText('Expired')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await expect(page.getByText('There are expenses attached to the corporative card.').first()).toBeVisible()
  await page.goto(`${app.url}/cards/new`)
  await expect(page.getByRole('textbox', { name: 'Number' })).toBeFocused()
  await page.getByRole('textbox', { name: 'Number' }).fill('4539 0011 2233 9989')
  await expect(page.getByText('A card that ends in 9989 already exists: Fuel.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Name' }).fill('Again')
  await page.getByRole('textbox', { name: 'Valid until' }).fill('01/30')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Again' })).toBeVisible()
  await page.goto(`${app.url}/cards/new`)
  await expect(page.getByRole('textbox', { name: 'Number' })).toBeFocused()
  await page.getByRole('textbox', { name: 'Number' }).fill('4539 0011 2233 9988')
  await expect(page.getByText('This number may have a typing mistake')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Mistyped')
  await page.getByRole('textbox', { name: 'Valid until' }).fill('01/30')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Mistyped' })).toBeVisible()
})

test('the card that an address opens is the row that keys go on from, and Back leaves the cards', async ({ page }) => {
  const card = (name: string) => ({ name, number: '4539001122339989', expiration_date: '01/30', organization_id: 1 })
  const ids: number[] = []
  for (const name of ['Fuel', 'Meals', 'Travel']) ids.push((await app.api.send('POST', '/corporative_cards', card(name))).id)
  await app.signIn(page)
  await page.goto(`${app.url}/my-expenses`)
  await moveTo(page, '/cards')
  const rows = page.getByRole('grid', { name: 'Company cards' }).getByRole('row')
  const isCurrent = (name: string) => expect(rows.filter({ hasText: name })).toHaveClass(/focused/)
  await moveTo(page, `/cards/${String(ids[1])}`)
  await isCurrent('Meals')
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { name: 'Travel' })).toBeVisible()
  await isCurrent('Travel')
  await page.keyboard.press('k')
  await expect(page.getByRole('heading', { name: 'Meals' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('region', { name: 'Card', exact: true })).toHaveCount(0)
  await expect(page).toHaveURL(/\/cards$/)
})

test('a manager adds a card for someone else, and sees their own apart', async ({ page }) => {
  const mine = { name: 'Boss', number: '4539001122339989', expiration_date: '12/40', organization_id: 1 }
  await app.api.send('POST', '/corporative_cards', mine)
  await app.signIn(page)
  await page.goto(`${app.url}/cards/new`)
  await expect(page.getByRole('textbox', { name: 'Number' })).toBeFocused()
  await page.getByRole('textbox', { name: 'Number' }).fill('5555 5555 5555 4444')
  await page.getByRole('textbox', { name: 'Name' }).fill('For Bruno')
  await page.getByRole('textbox', { name: 'Valid until' }).fill('12/41')
  await page.getByRole('combobox', { name: 'User' }).fill('Bru')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('For Bruno')
  await page.getByRole('combobox', { name: 'User' }).fill('Brun')
  await page.getByRole('option', { name: 'Bruno Lima' }).click()
  await page.getByRole('button', { name: /^Add card/ }).click()
  await expect(page.getByRole('heading', { name: 'For Bruno' })).toBeVisible()
  const rows = page.getByRole('grid', { name: 'Company cards' }).getByRole('row')
  await expect(rows).toHaveCount(3)
  await page.getByText('Mine', { exact: true }).click()
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(1)).toContainText('Boss')
})

test('a narrow window in the dark, in Portuguese', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 700 })
  await app.api.send('PATCH', '/preferences', { locale: 'pt' })
  const body = { name: 'Viagens', number: '6062826786276634', expiration_date: '01/24', organization_id: 1 }
  await app.api.send('POST', '/corporative_cards', body)
  await app.signIn(page)
  await page.goto(`${app.url}/cards/1`)
  await expect(page.getByRole('region', { name: 'Cartão', exact: true })).toContainText('Vencido')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('grid', { name: 'Cartões corporativos' })).toBeVisible()
})
