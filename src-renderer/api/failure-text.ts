import i18next from 'i18next'
import { ApiError } from './client'

/** Why something did not work, in words: the server's own where it gave some. */
export function failureText(error: unknown): string {
  if (!(error instanceof ApiError)) return i18next.t('ui:failure.unexpected')
  if (error.status === 412) return changedText(error.message)
  if (error.status === 0 || error.message === '') return i18next.t(navigator.onLine ? 'ui:failure.unreachable' : 'ui:failure.offline')
  return error.message
}

/** Why something that was changed since was left as it is; `reason`: the server's words, which may say who changed what. */
export function changedText(reason: string): string {
  return reason === '' ? i18next.t('ui:failure.changed') : i18next.t('ui:failure.changedSince', { reason })
}

/** What is wrong with one field, for the text beneath it; without a word about it, why the write did not work at all. */
export function fieldFailure(error: unknown, attribute: string): string | undefined {
  if (error === null || error === undefined) return undefined
  return (error instanceof ApiError ? error.fields[attribute]?.join(' ') : undefined) ?? failureText(error)
}

/** What is wrong with the fields of a form, by the contract's name of the attribute; what belongs to none of them as `message`. */
export function formFailures(error: unknown): Readonly<Record<string, string>> {
  const fields = error instanceof ApiError && error.status === 422 ? Object.entries(error.fields) : []
  return fields.length > 0 ? Object.fromEntries(fields.map(([name, texts]) => [name, texts.join(' ')])) : { message: failureText(error) }
}
