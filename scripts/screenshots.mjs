// Takes the pictures of docs/screenshots anew: `npx node scripts/screenshots.mjs URL TOKEN` against a server with demo data.
import { chromium } from '@playwright/test'
import { findChromium } from './chromium.mjs'

const [url, token] = process.argv.slice(2)
const headers = { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`, 'user-agent': 'screenshots' }
const read = async (path) => (await fetch(`${url}/api/v1${path}`, { headers })).json()
const { expenses } = await read('/expenses?per_page=100&sort=-id')
const shown = expenses.find(
  ({ status, comments_count, attachments_count }) => status === 'analyzing' && comments_count > 0 && attachments_count > 0,
)

const screens = [
  ['review', `/review/${shown.id}?queue=all`],
  ['review-groups', '/review?queue=all&group=receiver'],
  ['expense', `/expenses/${shown.id}`],
  ['capture', '/capture'],
  ['my-expenses', '/my-expenses'],
  ['settings', '/settings'],
  ['sign-in', '/sign-in'],
]

const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox', '--disable-gpu'] })
for (const language of ['en', 'pt']) {
  await fetch(`${url}/api/v1/preferences`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ locale: language }),
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
    for (const [name, path] of screens) {
      if (name === 'sign-in') await context.clearCookies()
      else await page.request.post(`${url}/api/v1/session`, { data: { token }, headers: { origin: url } })
      await page.goto(`${url}${path}`)
      await page.waitForLoadState('networkidle')
      await page.waitForTimeout(600)
      await page.screenshot({ path: `docs/screenshots/${name}-${colorScheme}-${language}.png` })
    }
    await context.close()
  }
}
await browser.close()
