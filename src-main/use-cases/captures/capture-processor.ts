/** Makes of captured files what is to be attached; what is waiting is in the database, so it survives. */
export interface CaptureProcessor {
  /** There may be captures to process: they are, two at a time, as soon as no more come for a moment. */
  wake(): void
  /** Resolves when these captures of a user are processed, before others. @throws what kept one from it: it is tried again later */
  settle(user_id: number, ids: readonly number[]): Promise<void>
  /** Ends after the capture that is processed just now. */
  close(): Promise<void>
}
