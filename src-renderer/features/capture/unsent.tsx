import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useShallow } from 'zustand/react/shallow'
import { toSmallerPicture } from '../../api/pictures'
import { useRefusalText } from '../../records/expense/refusal-text'
import type { OutboxFile } from '../../state/draft-db'
import { notifyFailure } from '../../state/notices'
import { dropFiles, isUnsent, reasonOf, replaceInOutbox, retryFiles, useOutbox } from '../../state/outbox'
import { useSending } from '../../state/sending'
import classes from './inbox.module.css'

/** What the server does not have yet: how many files, and what to do about those that are not stored or not accepted. */
export function Unsent({ rows }: { rows: readonly OutboxFile[] }) {
  const { t } = useTranslation('capture')
  const isAway = useSending((state) => state.isServerAway)
  const states = useOutbox((state) => state.states)
  const toExpenses = useOutbox(useShallow(({ files }) => files.filter(({ expense_id }) => expense_id !== null)))
  const toSend = rows.filter(isUnsent)
  const failed = toSend.filter(({ key }) => states[key]?.kind === 'failed')
  const onDevice = toSend.filter(({ key }) => states[key] === undefined).length
  const going = toSend.length - failed.length - onDevice
  const keys = failed.map(({ key }) => key)
  const reasons = [...new Set(failed.map(({ key }) => reasonOf(states[key])))]
  return (
    <>
      <p className={classes.going} role="status">
        {going > 0 && t('inbox.saving', { count: going })}
        {onDevice > 0 && t(isAway ? 'inbox.toSendLater' : 'inbox.toSend', { count: onDevice })}
      </p>
      <div role="alert">
        {failed.length > 0 && (
          <div className={classes.failure}>
            <p>
              {t('inbox.notSaved', { count: failed.length })} {reasons.join(' ')}
            </p>
            <Button variant="default" onClick={() => retryFiles(keys)}>
              {t('receipt.retryShort')}
            </Button>
            <Button variant="subtle" onClick={() => dropFiles(keys)}>
              {t('inbox.giveUp')}
            </Button>
          </div>
        )}
        {[...rows, ...toExpenses].map((row) => row.refusal && <DomainError key={row.key} row={row} refusal={row.refusal} />)}
      </div>
    </>
  )
}

function DomainError({ row, refusal }: { row: OutboxFile; refusal: NonNullable<OutboxFile['refusal']> }) {
  const { t } = useTranslation('capture')
  const wordRefusal = useRefusalText()
  const { expense_id, file } = row
  const { name } = file
  const shrink = () =>
    void toSmallerPicture(row.file).then(
      (smaller) => replaceInOutbox(row.key, smaller),
      () => notifyFailure({ title: t('refusal.notShrunk', { name }), message: t('refusal.notShrunkTodo') }),
    )
  return (
    <div className={classes.failure}>
      <p>{t(expense_id === null ? 'inbox.refusedOne' : 'inbox.notAttached', { name, reason: wordRefusal(refusal) })}</p>
      {expense_id !== null && (
        <Button variant="default" component={Link} href={`/expenses/${expense_id}`}>
          {t('open')}
        </Button>
      )}
      {refusal.code === 'too_many_pixels' && (
        <Button variant="default" onClick={shrink}>
          {t('refusal.shrink')}
        </Button>
      )}
      <Button variant="subtle" onClick={() => dropFiles([row.key])} aria-label={t('receipt.remove', { name })}>
        {t('receipt.removeShort')}
      </Button>
    </div>
  )
}
