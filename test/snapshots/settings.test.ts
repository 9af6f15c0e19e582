import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { SettingsRefused, readSettings } from '#main/config/settings'
import { openSettings } from '#main/snapshots/open-settings'
import { createRecoveries } from '#main/snapshots/recoveries'
import { listReports, writeReport } from '#main/snapshots/reports'
import { StartFault } from '#main/snapshots/start-fault'
import { log, start } from '#test/support/spoiled'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outlay-settings-'))
  file = join(folder, 'settings.json')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = () => openSettings(folder, { env: {}, clock: systemClock })

test.each(['{', '', '\0\0\0', '["OUTLAY_LOG"]', '{"OUTLAY_LOG": "debug"'])(
  'a settings file of %j is set aside and told',
  async (text) => {
    await writeFile(file, text)
    expect(await open()).toEqual(readSettings('/nowhere', {}))
    const told = await createRecoveries({ data_folder: folder, clock: systemClock, log }).list()
    expect(told).toMatchObject([{ what: 'settings', reason: expect.stringContaining(file), missing: { is_complete: true } }])
    expect(await readFile(join(told[0]?.folder ?? '', 'settings.json'), 'utf8')).toBe(text)
    expect(await open()).toEqual(readSettings('/nowhere', {}))
    expect(await listReports(folder)).toHaveLength(1)
  },
)

test('a readable file with a value that is not valid is refused by its name, and stays', async () => {
  const text = '{"OUTLAY_RATE_LIMIT": "many", "OUTLAY_LOG": "debug"}'
  await writeFile(file, text)
  await expect(open()).rejects.toThrow(SettingsRefused)
  await expect(open()).rejects.toThrow('OUTLAY_RATE_LIMIT')
  expect(await readFile(file, 'utf8')).toBe(text)
  expect(await listReports(folder)).toEqual([])
})

test.each([false, true])(
  'a start that was cut off goes on with it (the file moved: %s), and none takes it for a database',
  async (isMoved) => {
    await writeFile(file, '{')
    await open()
    const [report] = await listReports(folder)
    if (!report) throw new Error('There is no report.')
    await writeReport({ ...report, state: 'moving' })
    if (!isMoved) await rename(join(report.folder, 'settings.json'), file)
    const app = await start(folder).catch(() => undefined)
    if (app && !(app instanceof StartFault)) await app.close()
    await open()
    expect(await listReports(folder)).toMatchObject([{ id: report.id, what: 'settings', state: 'done' }])
    expect(await readFile(join(report.folder, 'settings.json'), 'utf8')).toBe('{')
  },
)
