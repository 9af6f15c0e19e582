import type { FieldError, Refusal } from '#shared/domain/errors'
import { translate } from '#shared/i18n/translations'

/** An attribute's error in English, as on all of the command line. */
export function wordError({ code, params }: FieldError): string {
  return translate('en', `errors:fields.${code}`, params)
}

/** A domain error in one line. */
export function wordRefusal(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'invalid':
      return Object.entries(refusal.fields)
        .map(([attribute, errors]) => `${attribute} ${errors.map(wordError).join(', ')}`)
        .join('; ')
    case 'not_possible':
      return translate('en', `errors:${refusal.code}`, refusal.params)
    case 'gone':
      return translate('en', 'errors:not_found')
    case 'not_found':
    case 'forbidden':
    case 'expired_organization':
    case 'accountability_not_opened':
    case 'stale':
    case 'throttled':
      return translate('en', `errors:${refusal.kind}`)
  }
}
