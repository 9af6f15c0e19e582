/**
 * Error codes for a full disk, a quota or a limit on files: the system's, PostgreSQL's, and SQLite's, which reports some of them as a failed write.
 */
const full = /^(ENOSPC|EDQUOT|EFBIG|53100|SQLITE_FULL|SQLITE_IOERR_(WRITE|FSYNC|SHMSIZE))$/
const forbidden = /^(EROFS|EACCES|SQLITE_READONLY)/

/** Whether a write failed because the disk is full. */
export function isDiskFull(error: unknown): boolean {
  return full.test(codeOf(error))
}

/** Whether a file or row could not be written for lack of space or permission. */
export function isOutOfRoom(error: unknown): boolean {
  return isDiskFull(error) || forbidden.test(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
