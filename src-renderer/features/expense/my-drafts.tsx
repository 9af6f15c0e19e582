import { Hourglass, PencilLine } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { DraftAmount } from '../../records/expense/draft-amount'
import { isBlank } from '../../state/draft'
import { useDrafts } from '../../state/drafts'
import classes from './my-expenses.module.css'

/** The drafts of this device, above the recorded expenses. */
export function MyDrafts({ onOpen }: { onOpen: (id: string) => void }) {
  const { t } = useTranslation('my-expenses')
  const drafts = useDrafts((state) => state.drafts).filter((draft) => !isBlank(draft))
  if (drafts.length === 0) return null
  return (
    <ul className={classes.drafts} aria-label={t('drafts')}>
      {drafts.map(({ id, form, files, stage, refused }) => (
        <li key={id}>
          <button type="button" className={classes.draft} onClick={() => onOpen(id)}>
            {stage.kind === 'editing' ? <PencilLine size={14} aria-hidden /> : <Hourglass size={14} aria-hidden />}
            <span className={classes.draftName}>{form.description.trim() || files[0]?.name || t('untitled')}</span>
            <span className={classes.quiet}>
              {stage.kind !== 'editing' ? t('toSend') : Object.keys(refused).length > 0 ? t('cameBack') : t('draft')}
            </span>
            <span className={`${classes.draftAmount} tabular`}>
              <DraftAmount form={form} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
