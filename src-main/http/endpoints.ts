import { batchEndpoint } from './batch'
import type { Endpoint } from './endpoint'
import { Router } from './router'
import { attachmentEndpoints } from './routes/attachments'
import { commentEndpoints } from './routes/comments'
import { expenseEndpoints } from './routes/expenses'
import { instanceEndpoints } from './routes/instance'
import { mentionableEndpoints } from './routes/mentionables'
import { participantEndpoints } from './routes/participants'
import { uploadEndpoints } from './routes/uploads'

/** Every endpoint of the API. */
export const endpoints: readonly Endpoint[] = [
  ...instanceEndpoints(() => endpoints),
  batchEndpoint(() => router),
  ...expenseEndpoints,
  ...commentEndpoints,
  ...mentionableEndpoints,
  ...participantEndpoints,
  ...attachmentEndpoints,
  ...uploadEndpoints,
]

/** Finds endpoints for what does not come over the network: batches and the desktop. */
export const router = new Router(endpoints)
