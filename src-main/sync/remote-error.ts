/** Why the remote did not do what it was asked. */
export type RemoteFailure =
  /** No response or an incomplete one, or a request to wait. It is retried. */
  | 'unreachable'
  /** The token is unknown or revoked. */
  | 'unauthorized'
  /** The response is not Outlay's, for example a sign-in page. */
  | 'unreadable'
  /** The remote needs a newer version of this program. */
  | 'too_old'
  /** The remote has no such address: it supports only the published contract. */
  | 'no_sync'
  /** The remote rejected the request itself. */
  | 'refused'

/** A request to the remote that failed. */
export class RemoteError extends Error {
  constructor(
    readonly failure: RemoteFailure,
    message: string,
    readonly status = 0,
  ) {
    super(message)
  }
}
