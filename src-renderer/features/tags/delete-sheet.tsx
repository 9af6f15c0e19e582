import { useTranslation } from 'react-i18next'
import type { Tag } from '#shared/contract/tags'
import { useExpenseSummary } from '../../api/expenses'
import { useTagWrite } from '../../api/tags'
import { DeleteRecord } from '../../records/list-screen/delete-record'
import classes from './tags.module.css'

/** Asks before a tag is deleted, which takes it off everything that has it, and says of how many expenses. */
export function DeleteSheet({
  organizationId,
  tag,
  ...close
}: {
  organizationId: number
  tag: Tag
  onDone: () => void
  onCancel: () => void
}) {
  const { t } = useTranslation('tags')
  const write = useTagWrite(organizationId)
  const { data } = useExpenseSummary({ payer_id_eq: organizationId }, 'tag')
  const count = data && (data.groups.find(({ key }) => key === tag.name)?.count ?? 0)
  return (
    <DeleteRecord name="tags" record={tag} write={write} {...close}>
      <p className={classes.quiet}>
        {count !== undefined && `${count === 0 ? t('deleteUnused') : t('deleteUsed', { count })} `}
        {t('deleteText')}
      </p>
    </DeleteRecord>
  )
}
