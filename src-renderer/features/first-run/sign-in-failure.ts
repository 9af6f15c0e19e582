import { ApiError } from '../../api/client'

/** The text of a sign-in that failed; `refused`: of one with a wrong secret. */
export function signInFailureKey(error: Error, refused: string): string {
  if (!(error instanceof ApiError) || error.status === 0) return 'signIn.offline'
  if (error.status === 429) return 'signIn.throttled'
  return error.status === 422 || error.status === 401 ? refused : 'signIn.failed'
}
