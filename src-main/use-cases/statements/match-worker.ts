import { setPriority } from 'node:os'
import { findMatches } from '#main/use-cases/statements/find-matches'
import { serveTasks } from '#main/processes/serve-tasks'

// The program of the processes that match. Node runs it from its source in tests, as `inspect-worker.ts`.

/** Behind the responding thread, for which everyone waits; of processes the lowest is 19, the usual one 0. */
const lowPriority = 5

serveTasks({ match: findMatches })
setPriority(0, lowPriority)
