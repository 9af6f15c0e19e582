import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure-text'
import type { RecordWrite } from '../../api/organization-records'
import { notifyDone, notifyFailure } from '../../state/notices'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'

/** Asks before a record is deleted. `name`: its texts, as those of its list; the children say what goes with it. */
export function DeleteRecord<R extends { readonly name: string }, F>({
  name,
  record,
  write,
  onDone,
  onCancel,
  children,
}: {
  name: string
  record: R
  write: UseMutationResult<R | null, Error, RecordWrite<R, F>>
  onDone: () => void
  onCancel: () => void
  children: ReactNode
}) {
  const { t } = useTranslation(name)
  const remove = () =>
    write.mutate(
      { kind: 'delete', record },
      {
        onSuccess: () => {
          notifyDone(t('deleted', { name: record.name }))
          onDone()
        },
        onError: (error) => {
          notifyFailure({ title: t('notDeleted', { name: record.name }), message: failureText(error) })
          onCancel()
        },
      },
    )
  return (
    <ConfirmSheet
      title={t('deleteTitle', { name: record.name })}
      confirmLabel={t('detail.delete')}
      isDanger
      onConfirm={remove}
      onCancel={onCancel}
    >
      {children}
    </ConfirmSheet>
  )
}
