import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { useChangedVerdicts, useDismissVerdicts } from '../../api/replica'
import { FlagList } from '../../records/expense/flag-list'
import { useFrame } from '../../state/frame'
import { Instant } from '../../ui/values/instant'
import classes from './expense.module.css'

/** What the remote found in an expense that was checked otherwise on this device, such as by older policies. */
export function ChangedVerdict({ expense }: { expense: Expense }) {
  const { t } = useTranslation('sync')
  const isReplica = useFrame(({ sync }) => sync !== null)
  const dismiss = useDismissVerdicts()
  const { data } = useChangedVerdicts(isReplica)
  const changed = data?.verdicts.find(({ expense_id }) => expense_id === expense.id)
  if (!changed) return null
  const { found, gone, noticed_at } = changed
  return (
    <div className={classes.whoApproves} role="note">
      <p>
        {t('verdict.changed')} <Instant value={noticed_at} show="moment" />
      </p>
      {found.length > 0 && <p>{t('verdict.found')}</p>}
      <FlagList flags={found} label={t('verdict.found')} />
      {gone.length > 0 && <p>{t('verdict.gone')}</p>}
      <FlagList flags={gone} label={t('verdict.gone')} />
      <Button size="compact-xs" variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate([expense.id])}>
        {t('verdict.dismiss')}
      </Button>
    </div>
  )
}
