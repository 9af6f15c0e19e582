import { Button, FileButton } from '@mantine/core'
import { Paperclip } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { contentTypes } from '#shared/domain/content-types'
import { useAttach } from './use-attach'

/** Picks receipts from this device and attaches them. */
export function AddAttachment({ expense }: { expense: Expense }) {
  const { t } = useTranslation('expense')
  const attach = useAttach(expense.id)
  return (
    <FileButton multiple accept={[...contentTypes, 'image/webp', 'image/avif', '.xml'].join(',')} onChange={attach}>
      {(props) => (
        <Button {...props} variant="default" leftSection={<Paperclip size={14} aria-hidden />}>
          {t('attachments.add')}
        </Button>
      )}
    </FileButton>
  )
}
