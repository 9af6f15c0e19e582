import { z } from 'zod'

/** What a file is handed over as. `again`: with expenses that are in a handover already. `corrects`: the uid of one whose changes it has. */
export const handoverTask = z.object({ organization_id: z.int(), again: z.boolean(), corrects: z.string().nullable() })
export type HandoverTask = z.infer<typeof handoverTask>
