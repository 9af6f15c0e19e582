import type { Clock } from '#main/clock'
import type { SharedNotes } from '#main/store/core/engine'
import type { EntryCodes } from '../deps'
import { hashSecret } from './authentication'

/** Until a shared code is used, which is soon: it is printed for the person who waits for it. */
const validMs = 24 * 60 * 60 * 1000

/** Makes the codes that let a browser in once. With `notes` any server on the database takes them. */
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
