import type { Accountability } from '#shared/contract/accountabilities'
import { WriteQueue } from './write-queue'

/** All that this window writes to accountabilities. */
export const accountabilityQueue = new WriteQueue<Accountability>()
