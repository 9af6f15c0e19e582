import type { Language } from '#shared/domain/locales'
import { negotiateLanguage } from '#shared/i18n/translations'
import type { Actor } from '#main/store/core/store'
import type { Call } from './endpoint'

/** The language of an answer: the header, then the user's own, then English (contract 4.17). */
export function localeOf({ headers, caller }: Pick<Call, 'headers' | 'caller'>): Language {
  return negotiateLanguage(headers.accept_language) ?? caller.locale ?? 'en'
}

/** Who acts, for the audit trail. */
export function actorOf({ caller, origin, request_id, headers, operation }: Call): Actor {
  return {
    user_id: caller.user_id,
    origin,
    request_id,
    if_match: headers.if_match ?? null,
    ...(operation && { op_id: operation.op_id }),
  }
}
