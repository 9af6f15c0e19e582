import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects the garbage of this process: what nothing refers to is gone afterwards. Twice, since buffers are freed in the background. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  collect()
}

/** How many of the values that `give` gives, one after the other, are still held afterwards. */
export async function countHeld(times: number, give: () => Promise<object>): Promise<number> {
  const given: Array<WeakRef<object>> = []
  for (let time = 0; time < times; time += 1) given.push(new WeakRef(await give()))
  // What was given in a turn of the event loop is held to its end.
  await nextTurn()
  collectGarbage()
  return given.filter((value) => value.deref() !== undefined).length
}
