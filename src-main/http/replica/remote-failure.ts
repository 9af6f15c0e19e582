import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import type { ApiResponse } from '../refusals'

/** The error for a failed connection to a remote, under the attribute to correct. */
export function remoteFailure(failure: string, locale: Language): ApiResponse {
  const attribute = failure === 'unauthorized' ? 'token' : 'url'
  return { status: 422, body: { errors: { [attribute]: [translate(locale, `errors:remote.${failure}`)] } }, headers: {} }
}
