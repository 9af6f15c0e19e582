import { useEffect, useState } from 'react'

/** Shorter waits are not worth a message that comes and goes. */
const longMs = 1200

/** Whether something has been true for long enough to be shown. */
export function useTrueForAWhile(isSo: boolean): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isSo) return
    const timer = setTimeout(() => setLong(true), longMs)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isSo])
  return isSo && isLong
}
