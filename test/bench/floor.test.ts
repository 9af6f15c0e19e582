import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp, createLog } from '#main/app'
import { systemClock } from '#main/clock'
import { readSettings } from '#main/config/settings'
import { comparedPaths } from './cases'
import { createFloor } from './floor'
import { type Seeded, seed } from './seed'
import { folderOfFile } from '#test/support/of-file'

let seeded: Seeded
let app: App
let floor: ReturnType<typeof createFloor>

const folder = folderOfFile('outlay-floor-')
beforeAll(async () => {
  const data_folder = join(folder, 'program')
  seeded = await seed(data_folder, 300)
  cpSync(data_folder, join(folder, 'floor'), { recursive: true })
  const settings = { ...readSettings(data_folder, {}), OUTLAY_LOG: 'silent' as const, OUTLAY_SNAPSHOT_MINUTES: 0 }
  app = await createApp({ data_folder, settings, web_folder: null, clock: systemClock, log: createLog(settings) })
  floor = createFloor(join(folder, 'floor'))
})
afterAll(async () => {
  await Promise.all([app.close(), floor.close()])
})

test('the floor of the benchmarks returns what the program returns', async () => {
  const headers = { authorization: `Basic ${btoa(`${seeded.token}:`)}`, host: 'localhost' }
  for (const url of comparedPaths(seeded)) {
    const [ours, least] = await Promise.all([app.server, floor].map((server) => server.inject({ url, headers })))
    expect(least?.body).toBe(ours?.body)
  }
})
