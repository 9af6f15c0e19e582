import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { z } from 'zod'
import type { BlobStore } from '#main/files/blob-store'
import type { Store } from '#main/store/core/store'
import type { FromExportWorker } from './export-worker'
import { type ExportTask, type ExportWatch, type WrittenExport, codeOf, type exportThreadInput, messageOf, runExport } from './run-export'

/** An export that could not be written. */
export class ExportFailed extends Error {
  constructor(
    message: string,
    /** The text that says it to a person. */
    readonly code: string,
  ) {
    super(message)
  }
}

/** A thread that takes more than this is ended rather than the server with it. */
const maxHeapMb = 1024
/** How long a stopped thread may take to clean up. */
const stopWithinMs = 2_000

/** The worker next to the built program; none where nothing is built, as in most tests. */
const workerFile = join(import.meta.dirname, 'export-worker.js')

/** Writes an export in a separate thread. Throws the signal's reason if it was stopped, and {@link ExportFailed}. */
export async function runExportApart(
  { store, blobs }: { store: Store; blobs: BlobStore },
  task: ExportTask,
  watch: ExportWatch,
): Promise<WrittenExport> {
  watch.signal.throwIfAborted()
  try {
    if (existsSync(workerFile)) return await inThread({ task, place: blobs.place }, watch)
    return await runExport(store, blobs, { task, watch })
  } catch (error) {
    // A thread that was ended has removed nothing.
    await rm(`${task.path}.part`, { force: true })
    watch.signal.throwIfAborted()
    if (error instanceof ExportFailed) throw error
    throw new ExportFailed(messageOf(error), codeOf(error))
  }
}

function inThread(workerData: z.input<typeof exportThreadInput>, { onProgress, signal }: ExportWatch): Promise<WrittenExport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { workerData, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } })
    let timer: NodeJS.Timeout | undefined
    const stop = () => {
      worker.postMessage('stop')
      timer = setTimeout(() => void worker.terminate(), stopWithinMs)
    }
    const failed = (message: string, code = 'export.failed') => reject(new ExportFailed(message, code))
    signal.addEventListener('abort', stop)
    worker.on('message', (message: FromExportWorker) => {
      if (message.kind === 'progress') onProgress(message.progress)
      else if (message.kind === 'written') resolve(message.written)
      else failed(message.message, message.code)
    })
    worker.on('error', (error) => failed(String(error)))
    worker.on('exit', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      failed('The thread ended early.')
    })
  })
}
