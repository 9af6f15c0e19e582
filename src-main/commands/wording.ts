import { DomainError, type FieldError, type Refusal } from '#shared/domain/errors'
import { isDiskFull } from '#shared/domain/out-of-room'
import { translate } from '#shared/i18n/translations'
import { SettingsError } from '../config/settings'
import { BucketUnreachable } from '../files/bucket'
import { BucketOfAnother } from '../files/bucket-store/owner-mark'
import { StartFault } from '../snapshots/start-fault'
import { DatabaseError } from '../store/core/database-error'
import { CallError, WorkFailed } from './data-command'

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

/** The exit code of a command that failed, and what to print. */
export function explainFailure(error: unknown): { message: string; code: number } {
  if (error instanceof CallError) return { message: error.message, code: 2 }
  const isRefused = [DatabaseError, SettingsError, StartFault, BucketUnreachable, BucketOfAnother].some((kind) => error instanceof kind)
  if (error instanceof Error && (error instanceof WorkFailed || isRefused)) return { message: error.message, code: 1 }
  if (error instanceof DomainError) return { message: wordRefusal(error.refusal), code: 1 }
  const system = error instanceof Error ? explainSystem(error) : undefined
  return { message: system ?? (error instanceof Error ? (error.stack ?? error.message) : String(error)), code: 1 }
}

/** A system error in one line; undefined for a fault of ours, which is printed with its stack. */
function explainSystem(error: Error): string | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code.startsWith('SQLITE_BUSY')) return 'Another program has been writing to the data folder for too long. Try again.'
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB')
    return `The database is damaged (${error.message}). Run "outlay doctor" to see more.`
  if (isDiskFull(error)) return `The disk is full: make room, then do it again (${error.message}).`
  if (/^SQLITE_(CANTOPEN|READONLY|IOERR)/.test(code)) return `The database cannot be written: ${error.message}.`
  return 'syscall' in error ? error.message : undefined
}
