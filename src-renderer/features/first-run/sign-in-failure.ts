import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client'

/** Whether a sign-in failed because of its secret: the server names the field, and nothing else. */
export function isRefused(error: Error): boolean {
  return error instanceof ApiError && (error.status === 401 || (error.status === 422 && error.fields.message === undefined))
}

/** Says in words why a sign-in failed; `refused`: the text of one with a wrong secret. The server's own sentence says more, where there is one. */
export function useSignInFailure(): (error: Error, refused: string) => string {
  const { t } = useTranslation('first-run')
  return (error, refused) => {
    if (!(error instanceof ApiError) || error.status === 0) return t('signIn.offline')
    if (error.status === 429) return t('signIn.throttled')
    if (isRefused(error)) return t(refused)
    return error.status === 422 ? error.message : t('signIn.failed')
  }
}
