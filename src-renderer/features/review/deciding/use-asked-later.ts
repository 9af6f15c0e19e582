import { useState } from 'react'
import { notifyDone } from '../../../state/notices'

/** What a question is asked about. `K` names the question. */
type Later<K, Q> = {
  /** The question as it is to be asked now; undefined while the sums that it needs are not read. */
  readonly make: (about: K) => Q | undefined
  readonly ask: (question: Q) => void
  /** The list that it is about: with another one the question is dropped. */
  readonly list: string
  /** What is said while it waits. */
  readonly countingText: string
}

/** Asks a question about all that match as soon as their sums are read, and says so meanwhile. `ask` sets state of the same component. */
export function useAskedLater<K, Q>({ make, ask, list, countingText }: Later<K, Q>): (about: K) => void {
  const [waiting, setWaiting] = useState<{ readonly about: K; readonly list: string } | null>(null)
  const question = waiting?.list === list ? make(waiting.about) : undefined
  if (question !== undefined) {
    setWaiting(null)
    ask(question)
  }
  return (about) => {
    const now = make(about)
    if (now !== undefined) return ask(now)
    setWaiting({ about, list })
    notifyDone(countingText)
  }
}
