import { isDiskFull } from '#shared/domain/out-of-room'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import { DatabaseError, type RefusalKind } from '#main/store/core/database-error'

/** Why the program cannot start on a data folder. Nothing was lost, and nothing changed. */
export type StartFaultKind = RefusalKind | 'no_permission' | 'disk_full' | 'disk_failing'

interface FaultFacts {
  readonly folder: string
  /** What was found or refused, in the words of the machine. */
  readonly reason: string
}

/** The program cannot start: what a person reads and can do, in their language; `message` is the same in English. */
export class StartFault extends Error {
  readonly kind: StartFaultKind
  readonly #facts: FaultFacts
  constructor(kind: StartFaultKind, facts: FaultFacts) {
    super(translate('en', `start:${kind}.text`, { ...facts }))
    this.kind = kind
    this.#facts = facts
  }

  /** A line that names the fault. */
  titleIn(locale: Language): string {
    return translate(locale, `start:${this.kind}.title`)
  }

  /** What it is, and what to do about it. */
  textIn(locale: Language): string {
    return translate(locale, `start:${this.kind}.text`, { ...this.#facts })
  }
}

/** The fault behind an error of a start; an error that is none of the machine's or the data's comes back as it is. */
export function toStartFault(error: unknown, folder: string): unknown {
  if (error instanceof StartFault || !(error instanceof Error)) return error
  const fault = (kind: StartFaultKind, reason = error.message) => new StartFault(kind, { folder, reason })
  if (error instanceof DatabaseError) return fault(error.kind, error.found)
  const code = 'code' in error ? String(error.code) : ''
  if (isDiskFull(error)) return fault('disk_full')
  if (/^(SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|EACCES|EPERM|EROFS)/.test(code)) return fault('no_permission')
  if (/^SQLITE_BUSY/.test(code)) return fault('in_use')
  return /^(SQLITE_IOERR|EIO)/.test(code) ? fault('disk_failing') : error
}
