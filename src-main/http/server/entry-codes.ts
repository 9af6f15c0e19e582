import type { Clock } from '#main/clock'
import type { SharedNotes } from '#main/store/core/engine'
import type { EntryCodes } from '../deps'
import { hashSecret } from './authentication'

/** How long a shared code is valid: the person who reads it is waiting. */
const validMs = 24 * 60 * 60 * 1000

/** Makes one-time codes for browsers. With `notes`, any server on the database accepts them. */
export function createEntryCodes(clock: Pick<Clock, 'secret'>, notes: SharedNotes | undefined): EntryCodes {
  const codes = new Set<string>()
  const keyOf = (code: string) => `code ${hashSecret(code)}`
  const add = async (code: string) => {
    if (notes) await notes.count(keyOf(code), validMs)
    else codes.add(code)
  }
  return {
    issue: async () => {
      const code = clock.secret(16)
      await add(code)
      return code
    },
    redeem: async (code) => (notes ? notes.take(keyOf(code)) : codes.delete(code)),
    restore: add,
  }
}
