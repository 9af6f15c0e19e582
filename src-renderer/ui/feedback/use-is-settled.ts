import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

const quietMs = 100

/** False until nothing has been asked for during a moment: what stands beside the first screen is asked for after it. */
export function useIsSettled(): boolean {
  const isFetching = useIsFetching() > 0
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    if (isFetching) return
    const timer = setTimeout(() => setSettled(true), quietMs)
    return () => clearTimeout(timer)
  }, [isFetching])
  return isSettled
}
