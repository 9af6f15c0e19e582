import { setPriority } from 'node:os'
import sharp from 'sharp'
import type { ContentType } from '#shared/domain/content-types'
import type { InspectionLimits } from '#main/files/inspection'
import { readFile } from '#main/files/ocr/read-file'
import { serveTasks } from '#main/processes/serve-tasks'

// The program of the process that reads receipts. In tests Node runs it from source; see `inspect-worker.ts`.

/** Reads a receipt. @throws if it cannot be read */
function read({ file, limits }: { file: { path: string; content_type: ContentType }; limits: InspectionLimits }) {
  return readFile(file, limits)
}

/** The lowest priority of a process: all other work comes first. */
const lowestPriority = 19

// Images are small, and one core is enough.
sharp.concurrency(1)
// No picture is read twice.
sharp.cache(false)
serveTasks({ read })
setPriority(0, lowestPriority)
