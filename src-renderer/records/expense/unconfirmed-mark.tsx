import { Hourglass } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from '../../ui/parts.module.css'

/** A quiet mark on what has changes that the remote has not confirmed. `isShort`: the words are for hover and screen readers. */
export function UnconfirmedMark({ isShort = false }: { isShort?: boolean }) {
  const { t } = useTranslation('sync')
  return (
    <span className={classes.unconfirmed} title={t('mark.detail')}>
      <Hourglass size={13} aria-hidden />
      <span className={isShort ? 'visually-hidden' : undefined}>{t('mark.waiting')}</span>
    </span>
  )
}
