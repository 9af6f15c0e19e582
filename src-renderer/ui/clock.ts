/** The present moment. The only place of the interface that reads the time, so that a test can hold it still. */
export function now(): Date {
  return new Date()
}
