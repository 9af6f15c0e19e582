// Takes the pictures of docs/screenshots again: `npx node scripts/screenshots.mjs URL TOKEN [NAME…]` against a server with demo data.
import { chromium } from '@playwright/test'
import { findChromium } from './chromium.mjs'
import { takePicture } from './picture.mjs'
import { fillForPictures } from './screenshots-data.mjs'
import { answerAsReplica } from './screenshots-sync.mjs'

const [url, token, ...names] = process.argv.slice(2)
const headers = { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`, 'user-agent': 'screenshots' }
const read = async (path) => (await fetch(`${url}/api/v1${path}`, { headers })).json()
const send = async (method, path, body) => {
  const json = { ...headers, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v1${path}`, { method, headers: json, body: body && JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
const { expenses } = await read('/expenses?per_page=100&sort=-id')
const shown = expenses.find(
  ({ status, comments_count, attachments_count }) => status === 'analyzing' && comments_count > 0 && attachments_count > 0,
)

const [receipt] = (await read(`/expenses/${shown.id}/attachments`)).attachments

const first = async (path, name) => (await read(`${path}?per_page=1`))[name][0].id
const { other_balances } = await read('/advancements/balances')
const { receiver } = other_balances.objects.find(({ amount, currency }) => amount > 0 && currency === 'BRL')
const { accountabilities } = await read('/accountabilities?q[status_eq]=approved')
const { memberships } = await read('/session')
const hooks = `/organizations/${memberships[0].organization.id}/integrations/webhooks`
if ((await read(hooks)).count === 0)
  await fetch(`${url}/api/v1${hooks}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://books.example/outlay', description: 'Bookkeeping' }),
  })

const made = await fillForPictures(send, { organization: memberships[0].organization, shown })
const narrow = { width: 390, height: 844 }

const screens = [
  ['review', `/review/${shown.id}?queue=all`],
  ['review-groups', '/review?queue=all&group=receiver'],
  ['findings', '/review?queue=flagged&sort=-flags', { width: 1280, height: 800 }],
  ['findings-narrow', '/review?queue=flagged&sort=-flags', narrow],
  ['repeat', `/expenses/${made.repeat}`, { width: 1280, height: 800 }],
  ['repeat-narrow', `/expenses/${made.repeat}`, narrow],
  ['edit-many', '/review?queue=all', { width: 1280, height: 800 }],
  ['policies', `/policies/${made.policy}`],
  ['policies-narrow', `/policies/${made.policy}`, narrow],
  ['approvals', '/approvals'],
  ['stand-ins', '/stand-ins'],
  ['reports', '/reports?by=tag'],
  ['reports-narrow', '/reports?by=tag', narrow],
  ['handover', `/handovers/${made.handover}`],
  ['closings', '/closings'],
  ['export-format', `/export-profiles/${made.profile}`],
  ['statements', '/statements'],
  ['suppliers', '/suppliers'],
  ['expense', `/expenses/${shown.id}`],
  ['capture', '/capture'],
  ['quick-capture', '/quick-capture', { width: 520, height: 760 }],
  ['my-expenses', '/my-expenses'],
  ['reimbursements', '/reimbursements'],
  ['reimbursement', `/reimbursements/${await first('/reimbursements', 'reimbursements')}`],
  ['advances', `/advances?person=${receiver.id}&currency=BRL`],
  ['accountabilities', '/accountabilities'],
  ['accountability', `/accountabilities/${accountabilities[0].id}`],
  ['pre-expenses', '/pre-expenses'],
  ['cards', '/cards'],
  ['team', '/team'],
  ['tags', '/tags'],
  ['webhooks', '/webhooks'],
  ['settings', '/settings'],
  ['organization', '/settings/organization'],
  ['notifications', '/settings/notifications'],
  ['sync', '/sync'],
  ['sync-conflicts', '/sync/conflicts'],
  ['sync-offers', '/sync/offers'],
  ['sync-settings', '/settings/remote'],
  ['sign-in', '/sign-in'],
].filter(([name]) => names.length === 0 || names.includes(name))

const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox', '--disable-gpu', ...camera] })
for (const language of ['en', 'pt']) {
  await fetch(`${url}/api/v1/preferences`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ language }),
  })
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({
      viewport: { width: 1360, height: 820 },
      colorScheme,
      locale: language === 'pt' ? 'pt-BR' : 'en-GB',
    })
    await context.addInitScript((chosen) => {
      localStorage.setItem('outlay.preferences', JSON.stringify({ state: { language: chosen }, version: 0 }))
    }, language)
    const page = await context.newPage()
    // Its response never ends: only without it is there a time when nothing is on its way.
    await context.route('**/api/v1/events', (route) => route.abort())
    for (const [name, path, size = { width: 1360, height: 820 }] of screens) {
      await page.setViewportSize(size)
      if (name === 'sign-in') await context.clearCookies()
      else await page.request.post(`${url}/api/v1/session`, { data: { token }, headers: { origin: url } })
      if (name.startsWith('sync')) await answerAsReplica(page, shown, name === 'sync-offers')
      await page.goto(`${url}${path}`)
      await page.waitForLoadState('networkidle')
      if (['review', 'expense'].includes(name)) await page.getByRole('img', { name: receipt.file_name }).waitFor()
      if (name === 'quick-capture') await takePhotos(page)
      if (name.startsWith('repeat')) await compareRepeat(page)
      if (name === 'edit-many') await editMany(page)
      if (['sync-conflicts', 'sync-offers'].includes(name))
        await page.keyboard.press(name === 'sync-offers' ? 'Control+a' : 'Control+Shift+a')
      await takePicture(page, `${name}-${colorScheme}-${language}`)
      await page.unrouteAll()
    }
    await context.close()
  }
}
await browser.close()

async function compareRepeat(page) {
  await page.getByRole('button', { name: /Compare side by side|Comparar lado a lado/ }).click()
  await page.locator('canvas[data-drawn]').waitFor()
}

async function editMany(page) {
  await page.getByRole('grid').getByRole('row').nth(5).waitFor()
  for (const key of ['x', 'j', 'x', 'j', 'x', 'Shift+e']) await page.keyboard.press(key)
  await page
    .getByRole('dialog')
    .getByLabel(/^(Place|Local)$/)
    .fill('Recife')
}

async function takePhotos(page) {
  for (const number of [1, 2]) {
    await page.getByRole('button', { name: /Take photo|Tirar foto/ }).click()
    await page.locator(`li:nth-child(${number}) [data-kind=saved]`).waitFor()
  }
}
