import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { toSmallerPicture } from '../../api/pictures'
import { dropQueued, isToSend, type QueuedCapture, replaceQueued, retryCaptures } from '../../state/capture-queue'
import { useDrafts } from '../../state/drafts'
import { notifyFailure } from '../../state/notices'
import classes from './inbox.module.css'
import { stateKey } from './inbox-columns'
import { useRefusalText } from './refusal-text'

/** What the server does not have yet: how many files, and what to do about those that are not stored or not accepted. */
export function Unsent({ rows }: { rows: readonly QueuedCapture[] }) {
  const { t } = useTranslation('capture')
  const isAway = useDrafts((state) => state.isServerAway)
  const toSend = rows.filter(isToSend)
  const failed = toSend.filter((row) => stateKey(row) === 'failed')
  const onDevice = toSend.filter(({ place }) => place === 'device').length
  const going = toSend.length - failed.length - onDevice
  const keys = failed.map(({ key }) => key)
  const reasons = [...new Set(failed.flatMap(({ problem }) => problem ?? []))]
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
            <Button variant="default" onClick={() => retryCaptures(keys)}>
              {t('receipt.retryShort')}
            </Button>
            <Button variant="subtle" onClick={() => dropQueued(keys)}>
              {t('inbox.giveUp')}
            </Button>
          </div>
        )}
        {rows.map((row) => row.refusal && <DomainError key={row.key} row={row} refusal={row.refusal} />)}
      </div>
    </>
  )
}

function DomainError({ row, refusal }: { row: QueuedCapture; refusal: NonNullable<QueuedCapture['refusal']> }) {
  const { t } = useTranslation('capture')
  const wordRefusal = useRefusalText()
  const { name } = row.file
  const shrink = () =>
    void toSmallerPicture(row.file).then(
      (smaller) => replaceQueued(row.key, smaller),
      () => notifyFailure({ title: t('refusal.notShrunk', { name }), message: t('refusal.notShrunkTodo') }),
    )
  return (
    <div className={classes.failure}>
      <p>{t('inbox.refusedOne', { name, reason: wordRefusal(refusal) })}</p>
      {refusal.code === 'too_many_pixels' && (
        <Button variant="default" onClick={shrink}>
          {t('refusal.shrink')}
        </Button>
      )}
      <Button variant="subtle" onClick={() => dropQueued([row.key])} aria-label={t('receipt.remove', { name })}>
        {t('receipt.removeShort')}
      </Button>
    </div>
  )
}
