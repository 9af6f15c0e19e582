import type { z } from 'zod'
import type { FieldError, FieldErrors, DomainError, StaleChange } from '#shared/domain/errors'
import type { ListOptions } from '#shared/contract/route'
import { startOfMonth } from '#shared/domain/closing/months'
import { type Language, localeOf } from '#shared/domain/locales'
import { formatAmount } from '#shared/domain/money'
import { isOutOfRoom } from '#shared/domain/out-of-room'
import type { Flag } from '#shared/domain/policies'
import { flagText } from '#shared/i18n/flag-text'
import { translate } from '#shared/i18n/translations'
import { BucketUnreachable } from '#main/files/bucket'
import { Stopping } from '#main/lifetime'
import { DatabaseAway, DatabaseError } from '#main/store/core/database-error'

/** A response before it is written as JSON; a null `body` is empty. */
export interface ApiResponse {
  readonly status: number
  readonly body: unknown
  /** The body to store for repeats, without secrets, if it differs. */
  readonly kept_body?: unknown
  /** Whether part of the work was not done; a repeat does the rest. */
  readonly is_unfinished?: boolean
  readonly headers: Readonly<Record<string, string>>
  /** The code of the domain error, and the values in its text. */
  readonly refusal?: { readonly code: string; readonly params?: FieldError['params'] }
}

/** A response with the contract's error body (section 7) and a translated text. */
export function messageResponse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): ApiResponse {
  return { status, body: { errors: { message } }, headers }
}

/** Values of placeholders, with months in words. */
function worded(params: FieldError['params'], locale: Language): FieldError['params'] {
  if (params?.month === undefined) return params
  const format = new Intl.DateTimeFormat(localeOf(locale).tag, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return { ...params, month: format.format(new Date(startOfMonth(String(params.month)))) }
}

/** Describes what has changed since a record was seen. */
function wordStale(change: StaleChange | undefined, locale: Language): string {
  const text = translate(locale, 'errors:stale')
  if (!change || (change.by === null && !change.is_own)) return text
  const names = change.attributes.map((attribute) => translate(locale, `activities:attributes.${attribute}`))
  const params = { text, by: change.by ?? '', what: new Intl.ListFormat(localeOf(locale).tag).format(names) }
  const who = change.is_own ? 'own' : 'other'
  return translate(locale, `errors:stale_since.${names.length === 0 ? `${who}_something` : who}`, params)
}

function wordFlag(flag: Flag, language: Language): string {
  const locale = localeOf(language).tag
  const money = (amount_minor: number, currency: string) => formatAmount({ amount_minor, currency, locale })
  const { name, params } = flagText(flag, { language, money })
  return translate(language, `policies:flags.${name}`, params)
}

function toTexts(fields: FieldErrors, locale: Language): Record<string, string[]> {
  const wordOne = ({ code, params, found }: FieldError) => {
    const finding = found && { finding: wordFlag(found, locale) }
    return translate(locale, `errors:fields.${code}`, { ...worded(params, locale), ...finding })
  }
  return Object.fromEntries(Object.entries(fields).map(([attribute, errors]) => [attribute, errors.map(wordOne)]))
}

/** The filters that can narrow a slow search. */
function narrowingOf(list: ListOptions | undefined): string {
  const { attributes = {} } = list ?? {}
  const words = [...('occurred_at' in attributes || 'date' in attributes ? ['date'] : []), ...('status' in attributes ? ['status'] : [])]
  return words.join('_') || 'words'
}

/** Turns a domain error into HTTP; the only place that does. `list`: the requested list. */
export function toApiResponse(error: DomainError, locale: Language, list?: ListOptions): ApiResponse {
  return { ...respondTo(error, locale, list), refusal: codeOf(error) }
}

function codeOf({ refusal }: DomainError): NonNullable<ApiResponse['refusal']> {
  const error = refusal.kind === 'invalid' ? Object.values(refusal.fields)[0]?.[0] : refusal
  if (!error || !('code' in error) || error.code === undefined) return { code: refusal.kind }
  return { code: error.code, ...(error.params && { params: error.params }) }
}

function respondTo({ refusal }: DomainError, locale: Language, list?: ListOptions): ApiResponse {
  const say = (status: number, key: string) => messageResponse(status, translate(locale, `errors:${key}`))
  switch (refusal.kind) {
    case 'not_found':
      return say(404, refusal.resource === 'webhook' ? 'webhook_not_found' : 'not_found')
    case 'forbidden':
      return messageResponse(403, translate(locale, `errors:${refusal.code ?? 'forbidden'}`, refusal.params))
    case 'invalid':
      return { status: 422, body: { errors: toTexts(refusal.fields, locale) }, headers: {} }
    case 'not_possible': {
      const code = refusal.code === 'takes_too_long' ? `takes_too_long.${narrowingOf(list)}` : refusal.code
      const text = translate(locale, `errors:${code}`, worded(refusal.params, locale))
      return refusal.shape === 'error' ? { status: 422, body: { error: text }, headers: {} } : messageResponse(422, text)
    }
    case 'expired_organization':
      return say(402, 'expired_organization')
    case 'accountability_not_opened':
      return say(402, 'accountability_not_opened')
    case 'stale':
      return messageResponse(412, wordStale(refusal.change, locale))
    case 'throttled':
      return messageResponse(429, translate(locale, 'errors:throttled'), { 'retry-after': '60' })
    case 'gone':
      return { status: 410, body: null, headers: {} }
  }
}

/** The status and text of a temporary fault: no disk space, or an unreachable database. Undefined for other errors. */
export function findPassingFault(error: unknown): { readonly status: number; readonly key: string } | undefined {
  if (isOutOfRoom(error)) return { status: 507, key: 'out_of_room' }
  if (error instanceof DatabaseAway) return { status: 503, key: `database_away.${error.outcome}` }
  if (error instanceof BucketUnreachable) return { status: 503, key: 'bucket_unreachable' }
  if (error instanceof Stopping) return { status: 503, key: 'stopping' }
  // A newer program has upgraded the database since this one started.
  return error instanceof DatabaseError ? { status: 503, key: 'database_away.taken' } : undefined
}

/** The codes and limits of a schema's issues, by attribute. A message like `too_long:255` includes its limit. */
export function toFieldErrors(error: z.ZodError): FieldErrors {
  const fields: Record<string, FieldError[]> = {}
  for (const { path, message } of error.issues) {
    const attribute = String(path[0] ?? 'message')
    const [code = 'invalid', limit] = /^[a-z_]+(:\d+)?$/.test(message) ? message.split(':') : ['invalid']
    const errors = (fields[attribute] ??= [])
    if (!errors.some((known) => known.code === code)) errors.push(limit === undefined ? { code } : { code, params: { limit } })
  }
  return fields
}

/** An error response in one line. */
export function messageOf({ body, status }: ApiResponse): string {
  const errors = typeof body === 'object' && body !== null && 'errors' in body ? body.errors : body
  if (typeof errors !== 'object' || errors === null) return String(status)
  return Object.entries(errors)
    .map(([name, texts]) => (name === 'message' ? String(texts) : `${name}: ${[texts].flat().join(', ')}`))
    .join('; ')
}
