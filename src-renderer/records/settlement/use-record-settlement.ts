import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { type SettlementDraft, useAttemptKeys } from './use-settlement-form'

/** The areas of the undo stack for acts on settlements. */
export const settlementAreas = { advancement: 'advances-undo', reimbursement: 'reimbursements-undo' } as const

type Body = Readonly<Record<string, unknown>>

/** What sends a new settlement. The same `key` with the same body is carried out once. */
export type Recording<S> = {
  readonly isPending: boolean
  readonly mutateAsync: (
    record: { body: Body; key: string },
    handlers: { onSuccess: (stored: S) => void; onError: (error: Error) => void },
  ) => Promise<S>
}

/** Records a settlement once, despite retries; shows the server's errors at the draft's fields. Resolves to undefined when it was refused. */
export function useRecordSettlement<S>(
  { mutateAsync }: Recording<S>,
  { refuse, draft }: Pick<SettlementDraft, 'refuse'> & { readonly draft: { readonly done: () => void } },
): (body: Body, onRecorded: (stored: S) => void) => Promise<S | undefined> {
  const keys = useAttemptKeys()
  return (body, onRecorded) =>
    mutateAsync(
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
    ).catch(() => undefined)
}
