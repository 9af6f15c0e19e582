import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

const quietMs = 100

/** False until no request has started for a moment: secondary data of the first screen is requested after it. */
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
