import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { expectAccessible } from '#test/e2e/support/axe'
import { startApp } from '#test/e2e/support/app'
import { addUser } from '#test/e2e/support/served'
import { makeComputer, test } from '#test/desktop/support/folder'
import { listeningOf, loopbackHex } from '#test/desktop/support/ports'
import { type Desktop, isRealElectron, pathOf } from '#test/desktop/support/launch'

test.skip(isRealElectron, "what the system shows and stores is read from the stand-in's record and steered by its settings")

async function openSettings(desktop: Desktop): Promise<Page> {
  const page = await desktop.mainPage()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Desktop application' }).click()
  await expect(page.getByRole('heading', { name: 'This computer' })).toBeVisible()
  return page
}

function callsOf(desktop: Desktop, what: string): Promise<unknown[]> {
  return desktop.evaluate(({ standIn }, name) => standIn.calls.filter((call) => call.what === name).map(({ args }) => args[0]), what)
}

test('a switched setting applies at once and after a restart; a port is open only while the local API is on, and only on loopback', async () => {
  const computer = await makeComputer()
  const desktop = await computer.start()
  const page = await openSettings(desktop)
  await expectAccessible(page)
  const listening = () => listeningOf(desktop.process.pid ?? 0)
  // The bridge of the stand-in itself listens; a real Electron has none.
  expect(await listening()).toHaveLength(1)
  await page.getByRole('switch', { name: /Let programs on this computer use the API/ }).click({ force: true })
  const shown = page.getByText(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/)
  await expect(shown).toBeVisible()
  const url = (await shown.textContent()) ?? ''
  expect((await listening()).map(({ address }) => address)).toEqual([loopbackHex, loopbackHex])
  expect((await listening()).map(({ port }) => port)).toContain(Number(new URL(url).port))
  expect((await fetch(`${url}/expenses`, { headers: { 'user-agent': 'test' } })).status).toBe(401)
  const login = page.getByRole('switch', { name: /Start when I sign in/ })
  await login.click({ force: true })
  await expect(login).toBeChecked()
  expect(await callsOf(desktop, 'loginItem')).toEqual([true])
  await page.getByRole('button', { name: /^Change/ }).click()
  await page.keyboard.press('Control+Alt+o')
  await expect(page.getByRole('button', { name: 'Change: Ctrl + Alt + O' })).toBeVisible()
  await desktop.evaluate(({ standIn }) => standIn.native.emit('key:CommandOrControl+Alt+O'))
  await desktop.pageAt('/quick-capture')
  await desktop.quit()
  await expect(fetch(url)).rejects.toThrow()
  const again = await computer.start()
  const later = await openSettings(again)
  await expect(later.getByRole('switch', { name: /Start when I sign in/ })).toBeChecked()
  await expect(later.getByRole('button', { name: 'Change: Ctrl + Alt + O' })).toBeVisible()
})

test('a key that another program has is reported', async () => {
  const computer = await makeComputer()
  const desktop = await computer.start({ env: { STAND_IN_TAKEN_SHORTCUT: 'CommandOrControl+Shift+E' } })
  const page = await openSettings(desktop)
  await expect(page.getByText('Another program uses this shortcut. Choose another.')).toBeVisible()
})

test('the token of the remote is in the keyring; without a keyring it is encrypted with a passphrase asked for at each start', async () => {
  const remote = await startApp()
  try {
    const computer = await makeComputer({ isCopy: false })
    const files = async () => {
      const names = (await readdir(computer.data)).filter((name) => name.startsWith('remote-token'))
      const texts = await Promise.all(names.map((name) => readFile(join(computer.data, name), 'utf8')))
      return { names, hasToken: texts.some((text) => text.includes(remote.token)) }
    }
    const connect = (page: Page) =>
      page.evaluate(
        async ([url, token]) => {
          const response = await fetch('/api/v1/replica', {
            method: 'PUT',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ url, token }),
          })
          return { status: response.status, text: await response.text() }
        },
        [remote.url, remote.token] as const,
      )
    const noKeyring = { STAND_IN_KEYRING: 'basic_text' }
    const first = await computer.start({ env: noKeyring })
    const page = await first.mainPage()
    const refused = await connect(page)
    expect(refused.text).toContain('Choose a passphrase')
    expect((await files()).names).toEqual([])
    const unlock = (on: Page, passphrase: string) =>
      on.evaluate((given) => window.outlayDesktop?.call('secret.unlock', { passphrase: given }), passphrase)
    expect(await unlock(page, 'correct horse')).toEqual({ kind: 'open' })
    expect((await connect(page)).status).toBeLessThan(300)
    expect(await files()).toEqual({ names: ['remote-token.sealed'], hasToken: false })
    await first.quit()

    const locked = await computer.start({ env: noKeyring })
    const lockedPage = await locked.mainPage()
    expect(await unlock(lockedPage, 'wrong')).toEqual({ kind: 'wrong' })
    const settings = await openSettings(locked)
    await expect(settings.getByText(/^Locked\./)).toBeVisible()
    await settings.getByLabel('Passphrase').fill('correct horse')
    await settings.getByRole('button', { name: 'Unlock' }).click()
    await expect(settings.getByText('Encrypted with your passphrase. Outlay forgets the passphrase when you quit.')).toBeVisible()
    await expect
      .poll(() =>
        settings.evaluate(async () => ((await (await fetch('/api/v1/replica')).json()) as { activity: string; stop: unknown }).stop),
      )
      .toBeNull()
    await locked.quit()

    const keyring = await makeComputer({ isCopy: false })
    const kept = await keyring.start()
    expect((await connect(await kept.mainPage())).status).toBeLessThan(300)
    const sealed = await readFile(join(keyring.data, 'remote-token.sealed'), 'utf8')
    expect(sealed).not.toContain(remote.token)
    await expect((await openSettings(kept)).getByText('Stored in the keyring of this computer.')).toBeVisible()
    await kept.quit()

    for (const spoiled of ['{"by":"keyring"', sealed.replace(/"sealed":"....../, '"sealed":"AAAAAA')]) {
      await writeFile(join(keyring.data, 'remote-token.sealed'), spoiled)
      const without = await keyring.start()
      const shown = await openSettings(without)
      const stop = () =>
        shown.evaluate(async () => ((await (await fetch('/api/v1/replica')).json()) as { stop: { kind: string } | null }).stop?.kind)
      await expect.poll(stop).toBe('unauthorized')
      await expect(shown.getByText('Stored in the keyring of this computer.')).toBeVisible()
      await without.quit()
    }
  } finally {
    await remote.remove()
  }
})

test('the system notifies of a comment by someone else, and a click opens its expense', async () => {
  const computer = await makeComputer()
  const desktop = await computer.start({ env: { OUTLAY_MAIL_DIGEST_MS: '100' } })
  const page = await desktop.mainPage()
  await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
  const state = await page.evaluate(() => window.outlayDesktop?.call('preferences.change', { serves_local_api: true }))
  const token = await addUser(computer.data, { name: 'Bruno Lima', email: 'bruno@example.org', role: 'manager' })
  const id = await page.evaluate(async () => {
    const body = { payer: { id: 1, type: 'Organization' }, amount: 12, occurred_at: '2026-03-01', description: 'Taxi' }
    const response = await fetch('/api/v1/expenses', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return ((await response.json()) as { id: number }).id
  })
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  const response = await fetch(`${state?.local_api_url ?? ''}/api/v1/expenses/${id}/comments`, {
    method: 'POST',
    headers: { authorization, 'user-agent': 'test', 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'Which taxi?' }),
  })
  expect(response.status).toBe(201)
  await expect.poll(() => callsOf(desktop, 'notification')).toHaveLength(1)
  expect(JSON.stringify(await callsOf(desktop, 'notification'))).toContain('Taxi')
  await desktop.evaluate(({ standIn }) => (standIn.notifications.at(-1) as { emit(event: string): void }).emit('click'))
  await expect.poll(() => pathOf(page)).toBe(`/expenses/${id}`)
})

test('a page that crashes is opened again, and the person sees a message', async () => {
  const desktop = await (await makeComputer()).start()
  const page = await desktop.mainPage()
  await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
  await desktop.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 })
  })
  await expect.poll(async () => JSON.stringify(await callsOf(desktop, 'dialog.message'))).toContain('The window stopped working')
  await expect.poll(() => page.isClosed()).toBe(true)
  const again = await desktop.mainPage()
  await expect(again.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
  expect(desktop.process.exitCode).toBeNull()
})

test(
  "a watched folder is chosen in the system's dialog; receipts put there are captured and moved, other files stay",
  { tag: '@journey' },
  async () => {
    const computer = await makeComputer()
    const folder = join(computer.data, '..', 'scans')
    await mkdir(folder)
    const desktop = await computer.start()
    const page = await openSettings(desktop)
    await desktop.evaluate(({ standIn }, path) => void standIn.dialogAnswers.push({ canceled: false, filePaths: [path] }), folder)
    await page.getByRole('button', { name: 'Choose a folder…' }).click()
    await expect(page.getByText(folder)).toBeVisible()
    const picture = await sharp({ create: { width: 40, height: 60, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    await writeFile(join(folder, 'scan.png'), picture)
    await expect.poll(() => readdir(join(folder, 'Outlay captured')).catch(() => [])).toEqual(['scan.png'])
    const captured = await page.evaluate(
      async () => (await fetch('/api/v1/captures')).json() as Promise<{ captures: { file_name: string; source: string }[] }>,
    )
    expect(captured.captures.map(({ file_name, source }) => [file_name, source])).toEqual([['scan.png', 'folder']])
    await writeFile(join(folder, 'notes.pdf'), 'no PDF')
    await expect(page.getByRole('alert')).toContainText('Could not capture notes.pdf')
    expect(await readdir(folder)).toContain('notes.pdf')
    await page.getByRole('button', { name: 'Stop watching' }).click()
    await expect(page.getByText('No folder is watched.')).toBeVisible()
  },
)

test('when the computer wakes or the network is back, the remote is asked at once and the page looks again', async () => {
  const remote = await startApp()
  try {
    const computer = await makeComputer()
    const desktop = await computer.start()
    const page = await desktop.mainPage()
    await page.evaluate(
      async ([url, token]) => {
        const body = JSON.stringify({ url, token })
        await fetch('/api/v1/replica', { method: 'PUT', headers: { 'content-type': 'application/json' }, body })
      },
      [remote.url, remote.token] as const,
    )
    const state = () =>
      page.evaluate(async () => (await fetch('/api/v1/replica')).json() as Promise<{ activity: string; last_synced_at: string | null }>)
    await expect.poll(async () => (await state()).activity).toBe('idle')
    for (const occasion of ['wakes', 'network'] as const) {
      await expect.poll(async () => (await state()).last_synced_at).not.toBeNull()
      const before = (await state()).last_synced_at ?? ''
      // Instants are whole seconds: an exchange within the same one could not be told from the last.
      await expect.poll(() => Date.now() >= Date.parse(before) + 1000).toBe(true)
      if (occasion === 'wakes') await desktop.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'))
      else await page.evaluate(() => void window.dispatchEvent(new Event('online')))
      await expect.poll(async () => ((await state()).last_synced_at ?? '') > before).toBe(true)
    }
  } finally {
    await remote.remove()
  }
})
