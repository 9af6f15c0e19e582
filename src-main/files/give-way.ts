import { setPriority } from 'node:os'

/** Of processes: the lowest that is not idle is 19, the usual one is 0. */
const lowPriority = 10

/** Lets the calling thread work only where nothing else wants to. Elsewhere than on Linux a priority is the whole process's, and stays. */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(0, lowPriority)
}
