import { createApp, createLog } from '#main/app'
import { readSettings } from '#main/config/settings'
import type { Instance } from './instance'

/** Ends the server of an instance and serves its folder again; answers the new address and how to end that. */
export async function restart(instance: Instance): Promise<{ url: string; close: () => Promise<void> }> {
  await instance.close()
  const settings = { ...readSettings(instance.folder, {}), OUTLAY_LOG: 'silent' as const }
  const app = await createApp({ data_folder: instance.folder, settings, web_folder: null, log: createLog(settings) })
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  return { url, close: () => app.close() }
}
