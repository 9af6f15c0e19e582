import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '#main/clock'
import { type Settings, SettingsDamaged, readSettings } from '#main/config/settings'
import { makeFolder, syncFolder } from '#main/files/durable'
import { settleRestore } from '#main/store/core/restore-swap'
import { beginReport, listReports, nothingMissing, writeReport } from './reports'
import { toStartFault } from './start-fault'

/**
 * The settings for the process that serves a data folder. A file without settings is quarantined with a report, and the defaults
 * apply. Throws {@link SettingsError} if a readable one has an invalid value, and {@link StartFault}.
 */
export async function openSettings(data_folder: string, { env, clock }: { env: NodeJS.ProcessEnv; clock: Clock }): Promise<Settings> {
  try {
    await settleRestore(data_folder)
    const begun = (await listReports(data_folder)).find(({ what, state }) => what === 'settings' && state === 'moving')
    const reason = begun?.reason ?? findDamage(data_folder)
    if (reason !== undefined) {
      const missing = nothingMissing(true)
      const report = begun ?? { ...beginReport({ what: 'settings', reason }, { data_folder, now: clock.now() }), missing }
      await makeFolder(report.folder)
      await writeReport(report)
      await setAside(join(data_folder, 'settings.json'), report.folder)
      await writeReport({ ...report, state: 'done' })
    }
  } catch (error) {
    throw toStartFault(error, data_folder)
  }
  return readSettings(data_folder, env)
}

function findDamage(data_folder: string): string | undefined {
  try {
    readSettings(data_folder, {})
    return undefined
  } catch (error) {
    return error instanceof SettingsDamaged ? error.message : undefined
  }
}

async function setAside(path: string, folder: string): Promise<void> {
  // A start that was cut off may have moved it.
  const to = join(folder, basename(path))
  if (existsSync(path) && !existsSync(to)) await rename(path, to)
  await syncFolder(folder)
}
