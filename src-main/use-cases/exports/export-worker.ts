import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '#main/clock'
import { openBlobStore } from '#main/files/open-blob-store'
import { Store } from '#main/store/core/store'
import { type ExportProgress, type WrittenExport, codeOf, exportThreadInput, messageOf, runExport } from './run-export'

/** What the thread says to who started it. */
export type FromExportWorker =
  | { readonly kind: 'progress'; readonly progress: ExportProgress }
  | { readonly kind: 'written'; readonly written: WrittenExport }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string }

const say = (message: FromExportWorker) => parentPort?.postMessage(message)

/** The entry of the thread: one export, on a separate connection. A message ends it. */
async function run(): Promise<void> {
  const { task, place } = exportThreadInput.parse(workerData)
  const stop = new AbortController()
  parentPort?.once('message', () => stop.abort())
  const store = await Store.open(task.data_folder, { clock: systemClock, isOwner: false, cacheMb: 32, database_url: task.database_url })
  const blobs = await openBlobStore(task.data_folder, { place, clock: systemClock })
  try {
    const watch = { onProgress: (progress: ExportProgress) => say({ kind: 'progress', progress }), signal: stop.signal }
    say({ kind: 'written', written: await runExport(store, blobs, { task, watch }) })
  } catch (error) {
    say({ kind: 'failed', message: messageOf(error), code: codeOf(error) })
  } finally {
    await store.close()
    blobs.close()
    // A listener would keep the thread.
    parentPort?.close()
  }
}

await run()
