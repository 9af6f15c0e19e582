import { defaultRetentionYears } from '#shared/domain/closing/retention'
import { undoneUntil } from '../records/files/captures'
import type { Tx } from '../core/store'

/** A capture that is on no expense and can still be used or restored. */
const isOpen = 'expense_id IS NULL AND (deleted_at IS NULL OR deleted_at > ?)'

/** An expense's file since its arrival, for as long as the organization keeps originals. */
const isRetained = (table: string, arrived: string) => `${table}.${arrived} > strftime('%Y-%m-%dT%H:%M:%SZ', ?, '-' || coalesce(
  (SELECT retention_years FROM expenses JOIN organizations ON organizations.id = payer_id WHERE expenses.id = ${table}.expense_id),
  ${defaultRetentionYears}) || ' years')`

/** A file that nothing names: no record, capture, original, replaced file, open upload, unsent operation, or offered upload. */
const isUnnamed = `
  NOT EXISTS (SELECT 1 FROM attachments WHERE attachments.sha256 = blobs.sha256)
  AND NOT EXISTS (SELECT 1 FROM users WHERE avatar_sha256 = blobs.sha256)
  AND NOT EXISTS (SELECT 1 FROM organizations WHERE logo_sha256 = blobs.sha256)
  AND NOT EXISTS (SELECT 1 FROM captures WHERE captures.sha256 = blobs.sha256 AND ${isOpen})
  AND NOT EXISTS (SELECT 1 FROM captures WHERE captures.original_sha256 = blobs.sha256 AND ${isOpen})
  AND NOT EXISTS (SELECT 1 FROM uploads WHERE uploads.sha256 = blobs.sha256 AND expires_at > ?)
  AND NOT EXISTS (SELECT 1 FROM sync_blobs WHERE sync_blobs.sha256 = blobs.sha256 AND direction = 'up')
  AND NOT EXISTS (SELECT 1 FROM sync_journal WHERE state NOT IN ('settled', 'discarded') AND instr(sync_journal.blobs, blobs.sha256) > 0)
  AND NOT EXISTS (SELECT 1 FROM sync_offers WHERE state = 'offered' AND instr(payload, blobs.sha256) > 0)
  AND NOT EXISTS (
    SELECT 1 FROM captures WHERE captures.original_sha256 = blobs.sha256 AND expense_id IS NOT NULL
      AND ${isRetained('captures', 'created_at')})
  AND NOT EXISTS (
    SELECT 1 FROM replaced_files WHERE replaced_files.sha256 = blobs.sha256 AND ${isRetained('replaced_files', 'uploaded_at')}
      AND EXISTS (SELECT 1 FROM expenses WHERE expenses.id = replaced_files.expense_id))`

/** A capture that was used or deleted so long ago that it is not open in any snapshot. */
const isLongOver = `deleted_at <= ? OR EXISTS (SELECT 1 FROM attachments
  WHERE attachments.expense_id = captures.expense_id AND attachments.sha256 = captures.sha256 AND attachments.created_at <= ?)`

/** Lists files that nothing names. */
export async function listUnnamedBlobs(tx: Tx): Promise<string[]> {
  return hashesOf(tx, `SELECT sha256 FROM blobs WHERE ${isUnnamed}`)
}

/**
 * Lists files that nothing else names: of captures that were used or deleted a week ago (as received and as processed), pictures of erased people,
 * and receipts that were replaced long ago.
 */
export async function listUnnamedCaptureBlobs(tx: Tx): Promise<string[]> {
  const files = (column: string) => `SELECT ${column} FROM captures WHERE ${isLongOver}`
  const candidates = `${files('original_sha256')} UNION ${files('sha256')} UNION SELECT sha256 FROM erased_pictures
    UNION SELECT sha256 FROM replaced_files`
  const text = `SELECT sha256 FROM blobs WHERE sha256 IN (${candidates}) AND ${isUnnamed}`
  const until = undoneUntil(tx)
  return hashesOf(tx, text, [until, until, until, until])
}

async function hashesOf(tx: Tx, text: string, parameters: readonly string[] = []): Promise<string[]> {
  return (await tx.writeAll(text, [...parameters, undoneUntil(tx), undoneUntil(tx), tx.now, tx.now, tx.now])).map(({ sha256 }) =>
    String(sha256),
  )
}

/** Deletes the row of a file that nothing names, and its uploads. */
export async function forgetBlob(tx: Tx, sha256: string): Promise<void> {
  await tx.write('DELETE FROM uploads WHERE sha256 = ?', [sha256])
  for (const table of ['erased_pictures', 'replaced_files']) await tx.write(`DELETE FROM ${table} WHERE sha256 = ?`, [sha256])
  await tx.write('DELETE FROM blobs WHERE sha256 = ?', [sha256])
}
