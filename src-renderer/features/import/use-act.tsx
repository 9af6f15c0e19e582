import { type ReactNode, useRef, useState } from 'react'
import { failureText } from '../../api/failure-text'
import classes from './import.module.css'

/** Something to do once at a time: a second click while it runs is none. `failure` says why it did not work. */
export function useAct(work: () => Promise<void>): { act: () => void; isBusy: boolean; failure: ReactNode } {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const running = useRef(false)
  const run = async (): Promise<void> => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      setFailure(failureText(error))
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return {
    act: () => void run(),
    isBusy,
    failure: failure !== null && (
      <p className={classes.failure} role="alert">
        {failure}
      </p>
    ),
  }
}
