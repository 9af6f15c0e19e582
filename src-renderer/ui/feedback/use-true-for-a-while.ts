import { useEffect, useState } from 'react'

/** What is over sooner is not worth a word that comes and goes. */
const longMs = 1200

/** Whether something has been so for long enough to be told. */
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
