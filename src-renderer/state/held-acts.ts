import { createPageStore, onReset } from '../api/page/page-state'

/** How long an act is held back that cannot be undone once it is carried out. */
export const heldTimeMs = 10_000

/** An act that is shown at once, and carried out if the user does not undo it in time. `target`: what is hidden meanwhile. */
export type HeldAct<T> = {
  readonly target: T
  /** Carries it out; reports failures itself. */
  readonly run: () => Promise<void>
  /** Carries it out as the page goes away: the request must outlive it. */
  readonly leave: () => void
}

/** Acts of one kind that are held as long as the offer to take them back is seen. Made once, for the window. */
export function createHeldActs<T>() {
  const useActs = createPageStore<{ acts: readonly HeldAct<T>[] }>(() => ({ acts: [] }))
  /** Of those that can still be taken back. */
  const timers = new Map<HeldAct<T>, ReturnType<typeof setTimeout>>()
  const forget = (act: HeldAct<T>) => useActs.setState(({ acts }) => ({ acts: acts.filter((held) => held !== act) }))
  const release = (act: HeldAct<T>): boolean => {
    clearTimeout(timers.get(act))
    return timers.delete(act)
  }
  const takeBack = (act: HeldAct<T>): boolean => {
    const isHeld = release(act)
    if (isHeld) forget(act)
    return isHeld
  }
  const runNow = (act: HeldAct<T>) => {
    timers.delete(act)
    void act.run().finally(() => forget(act))
  }
  onReset(() => {
    for (const act of [...timers.keys()]) release(act)
  })
  if (typeof window !== 'undefined')
    window.addEventListener('pagehide', () => {
      for (const act of [...timers.keys()]) if (takeBack(act)) act.leave()
    })
  return {
    /** Acts that are held or being carried out, oldest first. */
    useTargets: () => useActs((state) => state.acts),
    /** Holds an act; returns what takes it back, which returns false when it is too late. */
    hold: (act: HeldAct<T>): (() => boolean) => {
      timers.set(
        act,
        setTimeout(() => runNow(act), heldTimeMs),
      )
      useActs.setState(({ acts }) => ({ acts: [...acts, act] }))
      return () => takeBack(act)
    },
  }
}
