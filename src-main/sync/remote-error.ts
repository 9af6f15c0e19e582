/** Why the remote did not do what it was asked. */
export type RemoteFailure =
  /** Nothing came, or nothing whole; or it asked to wait. It is tried again. */
  | 'unreachable'
  /** The token is not, or no longer, known. */
  | 'unauthorized'
  /** Its response is not one of Outlay's: a sign-in page, say. */
  | 'unreadable'
  /** It needs a newer version of this program. */
  | 'too_old'
  /** It has no such address: it speaks the published contract only. */
  | 'no_sync'
  /** It refused the request itself. */
  | 'refused'

/** A request to the remote that came to nothing. */
export class RemoteError extends Error {
  constructor(
    readonly failure: RemoteFailure,
    message: string,
    readonly status = 0,
  ) {
    super(message)
  }
}
