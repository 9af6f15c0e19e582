import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { type E2eApp, startApp } from './support/app'
import { expectAccessible } from './support/axe'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

/** What came to the receiver. */
type Received = { readonly body: string; readonly requestId: string; readonly signature: string }

/** Another system, on this machine, that answers as it is told to. */
class Receiver {
  readonly received: Received[] = []
  status = 200
  private readonly server: Server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      const { 'x-service-requestid': requestId, 'x-service-signature': signature } = request.headers
      this.received.push({ body, requestId: String(requestId), signature: String(signature) })
      response.writeHead(this.status).end()
    })
  })

  /** Starts it; gives its address. */
  async start(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening')
    const address = this.server.address()
    if (address === null || typeof address === 'string') throw new Error('The receiver has no port.')
    return `http://127.0.0.1:${address.port}/outlay`
  }

  /** Ends it. */
  stop(): void {
    this.server.closeAllConnections()
    this.server.close()
  }
}

let app: E2eApp
let receiver: Receiver
let url: string
test.beforeEach(async () => {
  receiver = new Receiver()
  url = await receiver.start()
  app = await startApp({ env: { OUTLAY_WEBHOOK_ALLOW_PRIVATE: '1', OUTLAY_WEBHOOK_BACKOFF_MS: '20' } })
})
test.afterEach(async () => {
  receiver.stop()
  await app.remove()
})

const webhooks = '/organizations/1/integrations/webhooks'

function recordExpense(): Promise<{ id: number }> {
  const payer = { id: 1, type: 'Organization' }
  return app.api.send('POST', '/expenses', { payer, amount: 12.5, occurred_at: '2026-01-02', description: 'Taxi' })
}

const deliveries = (page: Page) => page.getByRole('grid', { name: 'Deliveries' }).getByRole('row')

test('a webhook is made, its secret shown once and used; what was sent is in its log', { tag: '@journey' }, async ({ page }) => {
  await app.signIn(page)
  await page.goto(`${app.url}/webhooks`)
  await expect(page.getByText('A webhook notifies another system')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByRole('textbox', { name: 'Address' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Address' })).toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.type('nowhere')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter a complete address, such as https://example.com/hook.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Address' }).fill(url)
  await page.getByRole('textbox', { name: 'Purpose' }).fill('Accounting')
  await page.keyboard.press('Enter')
  const pane = page.getByRole('region', { name: 'New webhook' })
  await expect(pane.getByText('Outlay does not show it again')).toBeVisible()
  const secret = await pane.locator('code').innerText()
  expect(secret.length).toBeGreaterThan(30)
  await expect(pane.getByLabel('Example in Node.js')).toBeVisible()
  await expectAccessible(page)
  await pane.getByRole('button', { name: 'Go to the deliveries' }).click()
  await expect(page).toHaveURL(/\/webhooks\/\d+$/)
  await expect(page.getByText('Nothing has been sent to this webhook yet.')).toBeVisible()
  expect(await page.content()).not.toContain(secret)

  const { id } = await recordExpense()
  await expect.poll(() => receiver.received.length).toBe(1)
  const [{ body, requestId, signature } = { body: '', requestId: '', signature: '' }] = receiver.received
  expect(signature).toBe(createHmac('sha256', secret).update(requestId).update(body).digest('hex'))
  await expect(async () => {
    await page.keyboard.press('f')
    await expect(deliveries(page).nth(1)).toContainText('Delivered', { timeout: 500 })
  }).toPass()
  const row = deliveries(page).nth(1)
  await expect(row).toContainText('Expense created')
  await expect(row).toContainText('Response 200')
  await row.click()
  const detail = page.getByRole('region', { name: 'Delivery', exact: true })
  await expect(detail.getByLabel('Request body')).toContainText('"event": "expense_created"')
  await expectAccessible(page)
  await detail.getByRole('link', { name: `#${String(id)}` }).click()
  await expect(page).toHaveURL(new RegExp(`/expenses/${String(id)}$`))
  await page.goBack()
  await expect(detail.getByRole('link', { name: `#${String(id)}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(detail).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row', { name: 'Accounting' })).toBeVisible()
})

test('what a receiver did not take is dropped in the end, and sent again by key', { tag: '@journey' }, async ({ page }) => {
  receiver.status = 500
  const { id } = await app.api.send('POST', webhooks, { url })
  await recordExpense()
  await app.signIn(page)
  await page.goto(`${app.url}/webhooks/${String(id)}`)
  await expect(async () => {
    await page.keyboard.press('f')
    await expect(deliveries(page).nth(1)).toContainText('Dropped', { timeout: 500 })
  }).toPass()
  expect(receiver.received).toHaveLength(6)
  await expect(deliveries(page).nth(1)).toContainText('Response 500')
  await expectAccessible(page)
  receiver.status = 200
  await page.keyboard.press('Enter')
  const detail = page.getByRole('region', { name: 'Delivery', exact: true })
  await expect(detail).toContainText('6 of at most 6')
  await page.keyboard.press('r')
  await expect(deliveries(page)).toHaveCount(3)
  await expect(detail).toContainText('Delivered')
  await expect(detail).toContainText('Resent from')
  await expect(deliveries(page).nth(1)).toContainText('Response 200')
  await expect(deliveries(page).nth(2)).toContainText('Dropped')
  expect(receiver.received).toHaveLength(7)
  await page.keyboard.press('j')
  await expect(detail).toContainText('Response 500')
  await page.keyboard.press('k')
  await detail.getByRole('link', { name: /^Delivery \d/ }).click()
  await expect(detail).toContainText('Response 500')
  await expect(detail.getByRole('button', { name: /^Redeliver/ })).toBeVisible()
})

test('its description changes, its secret is replaced, and it is deleted', async ({ page }) => {
  const { id, secret: first } = await app.api.send('POST', webhooks, { url, description: 'Accounting' })
  await app.signIn(page)
  await page.goto(`${app.url}/webhooks/${String(id)}`)
  await expect(page.getByRole('heading', { name: url })).toBeVisible()
  await page.keyboard.press('e')
  const description = page.getByRole('textbox', { name: 'Purpose' })
  await expect(description).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Address' })).not.toBeEditable()
  await description.fill('Payroll')
  await page.keyboard.press('Enter')
  await expect(description).toHaveCount(0)
  await expect(page.getByText('Payroll')).toBeVisible()

  await page.getByRole('button', { name: /^Edit/ }).click()
  await page.getByRole('button', { name: 'Create one' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Save/ }).click()
  const secret = await page.locator('code').innerText()
  expect(secret).not.toBe(first)
  await page.getByRole('button', { name: 'Done' }).click()
  await recordExpense()
  await expect.poll(() => receiver.received.length).toBe(1)
  const [{ body, requestId, signature } = { body: '', requestId: '', signature: '' }] = receiver.received
  expect(signature).toBe(createHmac('sha256', secret).update(requestId).update(body).digest('hex'))

  await page.keyboard.press('Delete')
  const sheet = page.getByRole('dialog', { name: `Delete the webhook to ${url}?` })
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await sheet.getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page).toHaveURL(/\/webhooks$/)
  await expect(page.getByText('A webhook notifies another system')).toBeVisible()
  await page.goto(`${app.url}/webhooks/${String(id)}`)
  await expect(page.getByText('This webhook does not exist.')).toBeVisible()
})

test('a narrow window, in Portuguese', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 700 })
  await app.api.send('PATCH', '/preferences', { locale: 'pt' })
  const { id } = await app.api.send('POST', webhooks, { url, description: 'Contabilidade' })
  await recordExpense()
  await expect.poll(() => receiver.received.length).toBe(1)
  await app.signIn(page)
  await page.goto(`${app.url}/webhooks/${String(id)}`)
  const row = page.getByRole('grid', { name: 'Envios' }).getByRole('row').nth(1)
  await expect(row).toContainText('Despesa criada')
  await expectAccessible(page)
  await row.click()
  await expect(page.getByRole('region', { name: 'Envio', exact: true }).getByRole('button', { name: 'Fechar' })).toBeVisible()
  await expectAccessible(page)
})
