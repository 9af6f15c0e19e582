import { z } from 'zod'
import { readingsSchema } from '#shared/readings/stored'
import { route } from '../route'

const file = z.string().regex(/^[0-9a-f]{64}$/)
const nothing = z.object({})

/** The most files whose readings one request asks for. */
export const mostReadings = 200

/** How a replica gets its remote's readings of receipts. */
export const readingsRoutes = {
  readings: route({
    action: 'sync.use',
    name: 'sync.readings',
    summary: 'What was read from receipts that the caller may see, by the SHA-256 of their files; those that are not read are left out',
    method: 'POST',
    path: '/sync/readings',
    params: nothing,
    query: nothing,
    body: z.object({ files: z.array(file).min(1).max(mostReadings) }),
    response: z.object({ readings: z.array(z.object({ file, engine: z.string().max(100), fields: readingsSchema })) }),
    status: 200,
  }),
}
