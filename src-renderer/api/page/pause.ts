/** Waits so many milliseconds, but not on: the end, or an event that makes waiting needless, is not waited for. */
export function pause(ms: number, signal: AbortSignal, wake?: { readonly of: EventTarget; readonly on: string }): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(end, ms)
    function end(): void {
      clearTimeout(timer)
      wake?.of.removeEventListener(wake.on, end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    wake?.of.addEventListener(wake.on, end)
    signal.addEventListener('abort', end)
  })
}
