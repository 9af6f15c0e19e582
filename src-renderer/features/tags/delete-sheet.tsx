import { useTranslation } from 'react-i18next'
import type { Tag } from '#shared/contract/tags'
import { useExpenseSummary } from '../../api/expenses'
import { useTagWrite } from '../../api/tags'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { notifyDone, notifyFailure } from '../../state/notices'
import classes from './tags.module.css'

/** Asks before a tag is deleted, which takes it off everything that has it, and says of how many expenses. */
export function DeleteSheet({
  organizationId,
  tag,
  onDone,
  onCancel,
}: {
  organizationId: number
  tag: Tag
  onDone: () => void
  onCancel: () => void
}) {
  const { t } = useTranslation('tags')
  const { name } = tag
  const write = useTagWrite(organizationId)
  const { data } = useExpenseSummary({ payer_id_eq: organizationId }, 'tag')
  const count = data && (data.groups.find(({ key }) => key === name)?.count ?? 0)
  const remove = () =>
    write.mutate(
      { kind: 'delete', record: tag },
      {
        onSuccess: () => {
          notifyDone(t('deleted', { name }))
          onDone()
        },
        onError: ({ message }) => {
          notifyFailure({ title: t('notDeleted', { name }), message })
          onCancel()
        },
      },
    )
  return (
    <ConfirmSheet
      title={t('deleteTitle', { name })}
      confirmLabel={t('detail.delete')}
      isDanger
      onConfirm={remove}
      onCancel={onCancel}
    >
      <p className={classes.quiet}>
        {count !== undefined && `${count === 0 ? t('deleteUnused') : t('deleteUsed', { count })} `}
        {t('deleteText')}
      </p>
    </ConfirmSheet>
  )
}
