import i18next from 'i18next'
import { ApiError } from './client'

/** Why something did not work, in words: the server's own where it gave some. */
export function failureText(error: unknown): string {
  if (!(error instanceof ApiError)) return i18next.t('ui:failure.unexpected')
  if (error.status === 0) return i18next.t(navigator.onLine ? 'ui:failure.unreachable' : 'ui:failure.offline')
  return error.status === 412 ? i18next.t('ui:failure.changed') : error.message
}
