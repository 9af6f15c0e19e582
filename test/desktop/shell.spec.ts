import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import sharp from 'sharp'
import { makeComputer, test } from '#test/desktop/support/folder'
import { type Desktop, launch, isRealElectron, pathOf } from '#test/desktop/support/launch'
import { toCsv } from '#test/e2e/support/app'

/** The labels of the application's menu, each with what lies in it. */
function menuOf(desktop: Desktop): Promise<Record<string, string[]>> {
  return desktop.evaluate(({ Menu }) =>
    Object.fromEntries(
      (Menu.getApplicationMenu()?.items ?? []).map(({ label, submenu }) => [label, submenu?.items.map((item) => item.label) ?? []]),
    ),
  )
}

test('a second start brings the first to the front, at the link it was started with', async () => {
  test.skip(isRealElectron, "a second start is waited for by the stand-in's output")
  const computer = await makeComputer()
  const desktop = await computer.start()
  const page = await desktop.mainPage()
  await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
  expect(pathOf(page)).toBe('/review')
  for (const [link, path] of [
    ['outlay://expenses/7', '/expenses/7'],
    ['outlay://settings', '/settings'],
    ['outlay://reimbursements/12/', '/reimbursements/12'],
  ] as const) {
    await expect(computer.start({ args: [link] })).rejects.toThrow('It ended with 0')
    await expect.poll(() => pathOf(page)).toBe(path)
  }
  for (const rubbish of ['outlay://', 'outlay://expenses/../..', 'outlay://expenses/7?x=javascript:alert(1)', 'outlay://evil.example/1'])
    await expect(computer.start({ args: [rubbish] })).rejects.toThrow('It ended with 0')
  expect(pathOf(page)).toBe('/reimbursements/12')
  expect(desktop.pages()).toHaveLength(1)
})

test('a link that it is started with is where the window opens', async () => {
  const computer = await makeComputer()
  const desktop = await computer.start({ args: ['outlay://capture'] })
  const page = await desktop.mainPage()
  await expect.poll(() => pathOf(page)).toBe('/capture')
})

test('the menus have every command of the screen with its keys, in both languages, and run them', async () => {
  const computer = await makeComputer()
  const desktop = await computer.start()
  const page = await desktop.mainPage()
  await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
  await expect.poll(async () => (await menuOf(desktop)).Go).toContain('Go to Company cards (G D)')
  const english = await menuOf(desktop)
  expect(Object.keys(english)).toEqual(['File', 'Edit', 'Go', 'Actions', 'View', 'Window', 'Help'])
  expect(english.File).toEqual(expect.arrayContaining(['New expense', 'Quick capture', 'Capture files…', 'Settings…', 'Quit Outlay']))
  const actionsOf = () =>
    desktop.evaluate(({ Menu }) => {
      const inside = Menu.getApplicationMenu()?.getMenuItemById('actions')?.submenu?.items ?? []
      return inside.flatMap(({ submenu }) => submenu?.items.map(({ label }) => label) ?? [])
    })
  await expect.poll(actionsOf).toContain('Approve (A)')
  expect((await actionsOf()).length).toBeGreaterThan(10)

  await desktop.evaluate(({ Menu, BrowserWindow }) => {
    Menu.getApplicationMenu()?.getMenuItemById('everywhere:cards')?.click({}, BrowserWindow.getAllWindows()[0])
  })
  await expect.poll(() => pathOf(page)).toBe('/cards')

  await page.getByRole('button', { name: /User menu/ }).click()
  await page.getByRole('menuitemradio', { name: 'Português' }).click()
  await expect
    .poll(async () => Object.keys(await menuOf(desktop)))
    .toEqual(['Arquivo', 'Editar', 'Ir', 'Ações', 'Exibir', 'Janela', 'Ajuda'])
  await desktop.quit()
  const again = await computer.start()
  await again.mainPage()
  await expect.poll(async () => Object.keys(await menuOf(again))[0]).toBe('Arquivo')
})

test('tray and badge show what waits; a click opens it', async () => {
  test.skip(isRealElectron, 'a real tray cannot be read')
  const table = join(await makeTable(), 'sample.csv')
  const computer = await makeComputer({ table })
  const desktop = await computer.start()
  const page = await desktop.mainPage()
  const badges = () => desktop.evaluate(({ standIn }) => standIn.calls.filter(({ what }) => what === 'badge').at(-1)?.args[0])
  await expect.poll(badges).toBe(2)
  type TrayMenu = { toolTip: string; menu: { items: { id: string; label: string; click: () => void }[] } }
  const tray = () =>
    desktop.evaluate(({ standIn }) => {
      const { toolTip, menu } = standIn.trays.at(-1) as TrayMenu
      return [toolTip, ...menu.items.map(({ label }) => label).filter(Boolean)]
    })
  expect(await tray()).toEqual([
    'Outlay · All data is on this computer',
    'All data is on this computer',
    'Open Outlay',
    'Review 2 expenses',
    'Quick capture',
    'Quit Outlay',
  ])
  await page.getByRole('link', { name: 'Cards', exact: true }).click()
  await desktop.evaluate(({ standIn }) => (standIn.trays.at(-1) as TrayMenu).menu.items.find(({ id }) => id === 'review')?.click())
  await expect.poll(() => pathOf(page)).toBe('/review')
})

test('the window comes back where it was; one that lay on a screen that is gone comes back within reach', async () => {
  const computer = await makeComputer()
  const first = await computer.start()
  await first.mainPage()
  await first.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setBounds({ x: 40, y: 50, width: 1200, height: 700 }))
  await first.quit()
  const second = await computer.start()
  await second.mainPage()
  const boundsOf = (desktop: Desktop) => desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds())
  expect(await boundsOf(second)).toEqual({ x: 40, y: 50, width: 1200, height: 700 })
  await second.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setBounds({ x: 5000, y: 50, width: 1200, height: 700 }))
  await second.quit()
  const third = await computer.start()
  await third.mainPage()
  expect((await boundsOf(third))?.x).toBeLessThan(1900)
})

test('unreadable settings of the shell are kept aside and reported, and the start continues', async () => {
  test.skip(isRealElectron, 'a real message box cannot be read')
  const computer = await makeComputer()
  const before = await computer.start()
  await before.mainPage()
  await before.quit()
  await writeFile(join(computer.folder, 'desktop.json'), '{"preferences":')
  const desktop = await computer.start()
  const page = await desktop.mainPage()
  await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
  // The page shows while the server is still being opened.
  const told = () => desktop.evaluate(({ standIn }) => standIn.calls.find(({ what }) => what === 'dialog.message')?.args[0])
  await expect.poll(told).toMatchObject({ message: 'Could not read the settings of this computer' })
  expect(JSON.stringify(await told())).toContain('desktop.damaged-')
})

test('pictures and invoices opened with Outlay are captured; other files are reported and stay', async () => {
  test.skip(isRealElectron, "a second start and recent documents are read from the stand-in's record")
  const computer = await makeComputer()
  const desktop = await computer.start()
  const page = await desktop.mainPage()
  await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
  const folder = await makeTable()
  const picture = join(folder, 'receipt.png')
  await writeFile(
    picture,
    await sharp({ create: { width: 40, height: 60, channels: 3, background: '#fff' } })
      .png()
      .toBuffer(),
  )
  await writeFile(join(folder, 'broken.pdf'), 'no PDF at all')
  await expect(computer.start({ args: [picture, join(folder, 'broken.pdf')] })).rejects.toThrow('It ended with 0')
  const recent = () =>
    desktop.evaluate(({ standIn }) => standIn.calls.filter(({ what }) => what === 'recentDocument').map(({ args }) => args[0]))
  await expect.poll(recent).toEqual([picture])
  const list = await page.evaluate(
    async () => (await fetch('/api/v1/captures')).json() as Promise<{ captures: { file_name: string; source: string }[] }>,
  )
  expect(list.captures.map(({ file_name, source }) => [file_name, source])).toEqual([['receipt.png', 'opened']])
  const said = await desktop.evaluate(({ standIn }) => standIn.calls.find(({ what }) => what === 'dialog.message')?.args[0])
  expect(JSON.stringify(said)).toContain('broken.pdf')
})

test('closing the window ends it, or leaves it in the tray where the person wants that', async () => {
  const computer = await makeComputer()
  const desktop = await computer.start()
  const page = await desktop.mainPage()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Desktop application' }).click()
  const stays = page.getByRole('switch', { name: /Keep running in the tray/ })
  await stays.click({ force: true })
  await expect(stays).toBeChecked()
  await expect
    .poll(() =>
      desktop.evaluate(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows()
        window?.close()
        return window?.isVisible()
      }),
    )
    .toBe(false)
  expect(desktop.process.exitCode).toBeNull()
  await stays.click({ force: true })
  await expect(stays).not.toBeChecked()
  const gone = new Promise((resolve) => desktop.process.once('exit', resolve))
  await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  expect(await gone).toBe(0)
})

test('a first start without anything offers to begin, and needs no code', async () => {
  const computer = await makeComputer({ hasOrganization: false })
  const desktop = await launch({ folder: computer.folder, env: { OUTLAY_DATA: computer.data } })
  const page = await desktop.mainPage()
  await expect.poll(() => pathOf(page)).toBe('/welcome')
  await expect(page.getByText(/code/i)).toHaveCount(0)
  await desktop.quit()
})

async function makeTable(): Promise<string> {
  const { mkdtemp } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const folder = await mkdtemp(join(tmpdir(), 'outlay-files-'))
  const row = { claimant: 'Bruno Reis', date: '2026-03-01', amount: 10, description: 'Taxi' }
  await writeFile(join(folder, 'sample.csv'), toCsv([row, { ...row, description: 'Bus' }]))
  return folder
}
