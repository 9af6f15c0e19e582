import { DomainError } from '#shared/domain/errors'
import type { Language } from '#shared/domain/locales'
import type { Inspector } from '#main/files/inspect'
import type { PageTexts } from '#main/files/inspection'
import { readStart } from '#main/files/sniff'
import { wordReason } from '#main/tables/table-reason'

/** The texts of a statement that is a PDF, read in a process that it cannot harm; undefined if it is none. Throws {@link DomainError} if it cannot be opened. */
export async function pagesOfPdf(inspector: Pick<Inspector, 'readTexts'>, path: string, locale: Language): Promise<PageTexts | undefined> {
  if (!new TextDecoder('latin1').decode((await readStart(path)).subarray(0, 5)).startsWith('%PDF-')) return undefined
  const pages = await inspector.readTexts(path)
  if (pages) return pages
  const reason = wordReason(locale, { code: 'pdf_locked' })
  throw new DomainError({ kind: 'not_possible', code: 'statement.unreadable', params: { reason } })
}
