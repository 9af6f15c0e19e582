import type { TFunction } from 'i18next'
import { ApiError } from '../../api/client'

/** Why something did not work, in words: the server's own where it gave some. */
export function failureText(error: unknown, t: TFunction<'expense'>): string {
  if (!(error instanceof ApiError)) return t('failure.unexpected')
  if (error.status === 0) return t('failure.unreachable')
  return error.status === 412 ? t('failure.changed') : error.message
}
