import { z } from 'zod'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'

const mostKept = 1000
const storedSchema = z.object({ pairs: z.array(z.string()).catch([]) }).catch({ pairs: [] })

/** Pairs of expenses that a person has dismissed as no repeat, on this device. */
export const useDismissedRepeats = create<{ pairs: readonly string[]; dismiss: (pairs: readonly string[]) => void }>()(
  persist(
    (set) => ({
      pairs: [],
      dismiss: (added) => set(({ pairs }) => ({ pairs: [...new Set([...pairs, ...added])].slice(-mostKept) })),
    }),
    {
      name: 'outlay.dismissed-repeats',
      partialize: ({ pairs }) => ({ pairs }),
      merge: (stored, current) => ({ ...current, ...storedSchema.parse(stored) }),
    },
  ),
)

/** The name of a pair, the same from either side. */
export function pairOf(one: { uid: string }, other: { uid: string }): string {
  return [one.uid, other.uid].toSorted().join(' ')
}
