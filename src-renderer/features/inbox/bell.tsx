import { Bell as BellIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useInbox } from '../../api/notifications'
import { useFrame } from '../../state/frame'
import { usePreferences } from '../../state/preferences'
import classes from '../../ui/shell/frame.module.css'
import { formatCount } from '../../ui/values/format'

/** Opens the inbox; shows the number of unseen notifications. */
export function Bell({ isOpen, onOpen }: { isOpen: boolean; onOpen: () => void }) {
  const { t } = useTranslation('notifications')
  const language = usePreferences((state) => state.language)
  const isSignedIn = useFrame((state) => state.user !== null)
  const { data } = useInbox({ isSignedIn })
  const count = data?.unseen_count ?? 0
  if (!isSignedIn) return null
  return (
    <button type="button" className={classes.entry} aria-haspopup="dialog" aria-expanded={isOpen} onClick={onOpen}>
      <BellIcon size={16} strokeWidth={1.75} aria-hidden />
      <span className={classes.entryText}>{t('inbox.title')}</span>
      {count > 0 && (
        <span className={classes.count}>
          {formatCount(count, language)}
          <span className="visually-hidden"> {t('inbox.unseen')}</span>
        </span>
      )}
    </button>
  )
}
