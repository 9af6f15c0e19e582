/** Waits until what the browser has to do now is done: messages on their way out are sent before. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

/** The same items, each made while its caller works with the one before. A failure is thrown when it is the turn of its item. */
export async function* oneAhead<T>(items: AsyncIterator<T>): AsyncGenerator<T> {
  let coming = items.next()
  for (;;) {
    const item = await coming
    if (item.done === true) return
    coming = nextTask().then(() => items.next())
    coming.catch(() => undefined)
    yield item.value
  }
}
