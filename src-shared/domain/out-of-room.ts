/**
 * A full disk, a quota or a limit on files, in the words of the system, of SQLite, which calls what it cannot tell apart a failed write, and
 * of PostgreSQL.
 */
const full = /^(ENOSPC|EDQUOT|EFBIG|53100|SQLITE_FULL|SQLITE_IOERR_(WRITE|FSYNC|SHMSIZE))$/
const forbidden = /^(EROFS|EACCES|SQLITE_READONLY)/

/** Whether something could not be written because the disk has no room for it. */
export function isDiskFull(error: unknown): boolean {
  return full.test(codeOf(error))
}

/** Whether a file or a row could not be written because there is no room for it, or no right to. */
export function isOutOfRoom(error: unknown): boolean {
  return isDiskFull(error) || forbidden.test(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
