import { useEffect } from 'react'
import { usePreExpenseCount } from '../../api/pre-expenses'
import { useFrame } from '../../state/frame'

/** Keeps the sidebar's count of the pre-expenses that wait, once `enabled`. */
export function useInboxCount(enabled: boolean): void {
  const waiting = usePreExpenseCount('waiting_approval', enabled) ?? 0
  useEffect(() => {
    useFrame.setState(({ counts }) => ({ counts: { ...counts, 'pre-expenses': waiting } }))
  }, [waiting])
}
