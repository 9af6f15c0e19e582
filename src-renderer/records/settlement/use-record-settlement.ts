import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { type SettlementDraft, useAttemptKeys } from './use-settlement-form'

type Body = Readonly<Record<string, unknown>>

/** What sends a new settlement. The same `key` with the same body is carried out once. */
export type Recording<S> = {
  readonly isPending: boolean
  readonly mutate: (
    record: { body: Body; key: string },
    handlers: { onSuccess: (stored: S) => void; onError: (error: Error) => void },
  ) => void
}

/** Records a settlement once, despite retries; shows the server's errors at the draft's fields. */
export function useRecordSettlement<S>(
  { mutate }: Recording<S>,
  { refuse, draft }: Pick<SettlementDraft, 'refuse'> & { readonly draft: { readonly done: () => void } },
): (body: Body, onRecorded: (stored: S) => void) => void {
  const keys = useAttemptKeys()
  return (body, onRecorded) =>
    mutate(
      { body, key: keys.keyFor(body) },
      {
        onSuccess: (stored) => {
          keys.answered()
          draft.done()
          onRecorded(stored)
        },
        onError: (error) => {
          // Without an answer it may have been carried out: it is tried again under the same key.
          if (!(error instanceof ApiError) || error.status !== 0) keys.answered()
          refuse(error instanceof ApiError ? error.fields : {}, failureText(error))
        },
      },
    )
}
