import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { xmlFile } from '#test/support/sample-files'
import { elementOf, fieldsFor, toForm } from '#test/support/upload'
import { apiOf, type Api, type Json } from './support/app'
import { expectAccessible } from './support/axe'
import { startPair } from './support/replica'
import { Hosted, makeFolder, runCli } from './support/served'

test.use({ locale: 'en-GB', viewport: { width: 1360, height: 820 } })

test('a remote restored from a backup: each button of the banner does what it says at both ends', { tag: '@journey' }, async ({ page }) => {
  const pair = await startPair()
  const restored: Hosted[] = []
  const backup = join(pair.remote.folder, '..', 'empty.backup')
  await runCli('backup', backup, '--data', pair.remote.folder)
  /** Serves the backup at the address of the remote; the line to it is down. */
  const restore = async () => {
    await pair.line.cut()
    const folder = await makeFolder()
    await runCli('restore', backup, '--data', folder)
    const remote = await Hosted.start(folder, { OUTLAY_ALLOWED_HOSTS: new URL(pair.line.url).host })
    restored.push(remote)
    pair.line.target = Number(new URL(remote.url).port)
    return apiOf(remote.url, pair.remote.token)
  }
  const held = async (api: Api) => {
    const { expenses } = await api.get('/expenses?per_page=100')
    return expenses.map(({ uid, description, attachments_count }: Json) => `${uid} ${description} ${attachments_count}`).sort()
  }
  const make = (count: number, description: string) =>
    pair.api.send('POST', '/batch', {
      operations: Array.from({ length: count }, (_, index) => {
        const body = { payer: { id: 1, type: 'Organization' }, amount: 12.5 + index, occurred_at: '2026-01-03', description }
        return { method: 'POST', path: '/expenses', body }
      }),
    })
  const change = async (id: number) => {
    await pair.api.send('PATCH', `/expenses/${id}`, { description: 'Edited' })
    const receipt = xmlFile({ id: String(id) })
    const credentials = await pair.api.get('/uploads/new')
    const form = toForm(fieldsFor(credentials, receipt), receipt)
    const stored = await fetch(credentials.host, { method: 'POST', body: form })
    const file = elementOf(await stored.text(), 'Location')
    await pair.api.send('POST', `/expenses/${id}/attachments`, { file })
  }
  const status = page.getByRole('banner').getByRole('link', { name: /^Sync:/ })
  const banner = page.getByRole('alert').filter({ hasText: /The remote would delete 4\d of 4\d expenses here/ })
  try {
    const made = (await make(40, 'Taxi')).results.map(({ body }: Json) => body.id)
    await pair.exchange()
    await expect(async () => expect(await held(pair.remote.api)).toEqual(await held(pair.api))).toPass()
    await pair.signIn(page)
    await page.goto(`${pair.served.url}/expenses`)
    await expect(status).toContainText('Up to date')

    const first = await restore()
    await change(made[0])
    await make(1, 'Not sent yet')
    const before = await held(pair.api)
    await pair.line.mend()
    await pair.exchange()
    await expect(banner).toContainText('Nothing was deleted')
    await expect(status).toContainText('Sync needs a decision')
    await expectAccessible(page)
    await banner.getByRole('button', { name: 'Keep them here' }).click()
    await expect(banner).toBeHidden()
    await make(1, 'Later')
    await expect(async () => expect(await held(first)).toHaveLength(42)).toPass()
    await expect(status).toContainText('Up to date')
    await pair.exchange()
    await expect(banner).toBeHidden()
    expect(await held(first)).toEqual(await held(pair.api))
    expect(await held(first)).toEqual(expect.arrayContaining(before))

    const second = await restore()
    await change(made[1])
    await make(1, 'New')
    await pair.line.mend()
    await pair.exchange()
    await banner.getByRole('button', { name: 'Delete 42 here too' }).click()
    await expect(banner).toBeHidden()
    await expect(async () => {
      expect(await held(second)).toEqual([expect.stringContaining('New 0')])
      expect(await held(pair.api)).toEqual(await held(second))
    }).toPass()
    await page.goto(`${pair.served.url}/sync/quarantined`)
    await expect(page.getByRole('row', { name: /Edit of expense/ })).toBeVisible()
    await expect(page.getByText('This record is no longer here', { exact: false })).toBeVisible()
  } finally {
    await pair.remove()
    for (const remote of restored) await remote.remove()
  }
})
