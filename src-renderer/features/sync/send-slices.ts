/** How far a batch is, with a way to stop it between two slices. */
export type SliceProgress = { readonly done: number; readonly total: number; readonly onStop: () => void }

/** What became of a batch: how many were sent, the response to each slice, and what ended it early. */
export type Sent<R> = { readonly done: number; readonly results: readonly R[]; readonly error: unknown }

/** So many go in one request: few enough that stopping stops soon. */
const sliceSize = 25

/** Sends a batch in slices, one after the other. */
export async function sendSlices<T, R>(
  items: readonly T[],
  send: (slice: readonly T[]) => Promise<R>,
  onProgress: (progress: SliceProgress) => void,
): Promise<Sent<R>> {
  const results: R[] = []
  let done = 0
  let isStopped = false
  const onStop = () => {
    isStopped = true
  }
  try {
    while (done < items.length && !isStopped) {
      onProgress({ done, total: items.length, onStop })
      const slice = items.slice(done, done + sliceSize)
      results.push(await send(slice))
      done += slice.length
    }
    return { done, results, error: null }
  } catch (error) {
    return { done, results, error }
  }
}
