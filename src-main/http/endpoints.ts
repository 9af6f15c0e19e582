import { batchEndpoint } from './batch'
import type { Endpoint } from './endpoint'
import { Router } from './router'
import { expenseEndpoints } from './routes/expenses'
import { instanceEndpoints } from './routes/instance'

/** Every endpoint of the API. */
export const endpoints: readonly Endpoint[] = [
  ...instanceEndpoints(() => endpoints),
  batchEndpoint(() => router),
  ...expenseEndpoints,
]

/** Finds endpoints for what does not come over the network: batches and the desktop. */
export const router = new Router(endpoints)
