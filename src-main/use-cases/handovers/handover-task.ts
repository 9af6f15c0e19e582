import { z } from 'zod'

/** What an export is handed over as. `again`: including expenses of earlier handovers. `corrects`: the uid of the handover whose changes it has. */
export const handoverTask = z.object({ organization_id: z.int(), again: z.boolean(), corrects: z.string().nullable() })
export type HandoverTask = z.infer<typeof handoverTask>
