import { setPriority } from 'node:os'
import sharp from 'sharp'
import type { ContentType } from '#shared/domain/content-types'
import type { InspectionLimits } from '#main/files/inspection'
import { readFile } from '#main/files/ocr/read-file'
import { serveTasks } from '#main/processes/serve-tasks'

// The program of the process that reads receipts. Node runs it from its source in tests, as `inspect-worker.ts`.

/** What a receipt says. @throws when it cannot be read */
function read({ file, limits }: { file: { path: string; content_type: ContentType }; limits: InspectionLimits }) {
  return readFile(file, limits)
}

/** Of processes: the lowest. Everything else goes before. */
const lowestPriority = 19

// Pictures are small, and one core is enough.
sharp.concurrency(1)
serveTasks({ read })
setPriority(0, lowestPriority)
