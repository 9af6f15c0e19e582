import { cp } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { makeComputer, test } from '#test/desktop/support/folder'
import { type Desktop, isRealElectron } from '#test/desktop/support/launch'
import { inForm } from '#test/support/form'
import { type SmallDisk, mountSmallDisk } from '#test/support/disks/small-disk'

let disk: SmallDisk | undefined
test.beforeAll(() => {
  disk = mountSmallDisk(64)
})
test.afterAll(() => disk?.unmount())

const write = (page: Page) =>
  page.evaluate(async () => {
    const body = { payer: { id: 1, type: 'Organization' }, amount: 5, occurred_at: '2026-03-01', description: 'with room' }
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/v1/expenses', { method: 'POST', headers, body: JSON.stringify(body) })).status
  })

test('on a full disk it starts, says what can be done, shows everything, and writes again once there is room', async () => {
  test.skip(disk === undefined, 'only root may mount a small disk')
  test.skip(isRealElectron, "what a message says is read from the stand-in's record")
  const computer = await makeComputer()
  const data = disk?.path ?? ''
  await cp(computer.data, data, { recursive: true })
  const start = async () => {
    const desktop = await computer.start({ env: { OUTLAY_DATA: data } })
    const page = await desktop.mainPage()
    await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
    return { desktop, page }
  }
  const quit = async (desktop: Desktop) => expect(await desktop.quit(), desktop.output.join('')).toBe(0)

  const first = await start()
  expect(await write(first.page)).toBe(201)
  await quit(first.desktop)
  disk?.fill()
  for (let round = 0; round < inForm(1, 2); round += 1) {
    const { desktop, page } = await start()
    await expect(page.getByText('with room').first()).toBeVisible()
    const said = await desktop.evaluate(({ standIn }) => standIn.calls.find(({ what }) => what === 'dialog.message')?.args[0])
    expect(said).toMatchObject({ message: expect.stringContaining('The disk is full'), detail: expect.stringContaining(data) })
    expect(await write(page)).toBe(507)
    await quit(desktop)
  }
  const last = await start()
  await last.page.getByRole('link', { name: 'Capture' }).click()
  await last.page.getByRole('textbox', { name: 'Amount' }).fill('12')
  await last.page.getByRole('textbox', { name: 'Date' }).fill('yesterday')
  await last.page.getByRole('textbox', { name: 'Description' }).fill('typed on the full disk')
  await last.page.getByRole('textbox', { name: 'Amount' }).press('Enter')
  const told = last.page.getByRole('region', { name: 'Status', exact: true })
  await expect(told).toContainText('the disk is full')
  await expect(told).toContainText('kept in your drafts. Outlay sends it when there is room')
  await last.page.screenshot({ path: test.info().outputPath('refused.png') })
  disk?.makeRoom()
  await expect(last.page.getByRole('link', { name: 'Open' })).toBeVisible({ timeout: 40_000 })
  expect(await write(last.page)).toBe(201)
  await quit(last.desktop)
})
