import { z } from 'zod'
import { route } from '../route'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const nothing = z.object({})

const seal = z.object({
  organization_id: z.int(),
  number: z.int(),
  first_id: z.int(),
  last_id: z.int(),
  entries: z.int(),
  total: z.int(),
  root: hash,
  previous: hash,
  sealed_at: z.string().max(40),
  public_key: z.string().max(200),
  signature: z.string().max(200),
})

/** How a replica follows the heads of its remote's audit trails. */
export const headsRoutes = {
  heads: route({
    action: 'sync.use',
    name: 'sync.heads',
    summary: "The seals of the audit trails of the caller's organizations, from the last one that a replica has seen",
    method: 'POST',
    path: '/sync/heads',
    params: nothing,
    query: nothing,
    body: z.object({ seen: z.array(z.object({ organization_id: z.int(), number: z.int() })).max(1000) }),
    response: z.object({
      chains: z.array(
        z.object({
          organization_id: z.int(),
          /** The seen seal if it exists, and the next ones; without a seen one, the last seal. */
          seals: z.array(seal),
          /** For each entry of the next seals its id and the three hashes from which its seal is made. */
          entries: z.array(z.tuple([z.int(), hash, hash, hash])),
          is_more: z.boolean(),
        }),
      ),
    }),
    status: 200,
  }),
}
