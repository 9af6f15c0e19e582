import { useTranslation } from 'react-i18next'
import { contentTypeByExtension, isAllowedContentType } from '#shared/domain/content-types'
import { convertPicture, isConvertedHere } from '../../api/pictures'
import { useSession } from '../../api/session'
import { attachFile } from '../../state/outbox'

/** The file with the type its name says, where the system gave none; undefined for a type that is not taken. */
function typed(file: File): File | undefined {
  const known = isAllowedContentType(file.type) ? file.type : contentTypeByExtension.get(file.name.split('.').at(-1)?.toLowerCase() ?? '')
  return known && (known === file.type ? file : new File([file], file.name, { type: known }))
}

/** Attaches files to an expense, each as receipts can be. Moving to the next expense stops none. */
export function useAttach(expense_id: number): (files: readonly File[]) => void {
  const { t } = useTranslation('expense')
  const mostBytes = useSession().data?.upload_max_bytes ?? Infinity
  const attach = async (file: File) => {
    const usable = isConvertedHere(file) ? await convertPicture(file).catch(() => undefined) : typed(file)
    if (usable === undefined) attachFile(file, expense_id, t('attachments.wrongType'))
    else if (usable.size <= mostBytes) attachFile(usable, expense_id)
    else attachFile(usable, expense_id, t('attachments.tooLarge', { size: `${Math.floor(mostBytes / 1_048_576)} MiB` }))
  }
  return (files) => {
    for (const file of files) void attach(file)
  }
}
