import { paid } from '#shared/records/settlement'
import { listedBy } from './record-attributes'
import type { ListOptions } from './route'

/** How reimbursements and advancements are filtered and sorted (contract 4.1; supplement 3, "Filter and sort attributes"). */
export const settlementListOptions = { attributes: listedBy(paid), tagged: true } as const satisfies ListOptions
