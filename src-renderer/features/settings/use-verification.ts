import { useEffect, useRef, useState } from 'react'
import { type AuditVerification, auditRoutes } from '#shared/contract/instance/audit'
import { call } from '../../api/client'
import { useTrueForAWhile } from '../../ui/feedback/use-true-for-a-while'

/** What a verification has found so far. `isStopped`: someone stopped it before its end. */
export type Found = Pick<AuditVerification, 'problems' | 'entries' | 'files' | 'erased' | 'checked' | 'total'> & { isStopped: boolean }

const nothing: Found = { problems: [], entries: 0, files: 0, erased: 0, checked: 0, total: 0, isStopped: false }

/** Verifies the trail of an organization step by step, so that it can say how far it is and be stopped. */
export function useVerification(organizationId: number) {
  const [found, setFound] = useState<Found | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const isSlow = useTrueForAWhile(isRunning)
  const run = async (signal: AbortSignal) => {
    const params = { organization_id: organizationId }
    let sum = nothing
    for (let after: string | null = 'start'; after !== null && !signal.aborted;) {
      const part: AuditVerification = await call(auditRoutes.verify, { params, query: { step: after }, signal })
      sum = {
        problems: [...sum.problems, ...part.problems],
        entries: sum.entries + part.entries,
        files: sum.files + part.files,
        erased: sum.erased + part.erased,
        checked: sum.checked + part.checked,
        // What arrives meanwhile is verified too.
        total: Math.max(part.total, sum.checked + part.checked),
        isStopped: false,
      }
      setFound(sum)
      after = part.next
    }
  }
  const begin = () => {
    if (isRunning) return
    const own = new AbortController()
    running.current = own
    setRunning(true)
    setError(null)
    setFound(null)
    run(own.signal)
      .catch((failure: unknown) => {
        if (!own.signal.aborted) setError(failure instanceof Error ? failure : new Error(String(failure)))
      })
      .finally(() => setRunning(false))
  }
  const stop = () => {
    running.current?.abort()
    setFound((known) => known && { ...known, isStopped: true })
  }
  return { found, isRunning, isSlow, error, begin, stop }
}
