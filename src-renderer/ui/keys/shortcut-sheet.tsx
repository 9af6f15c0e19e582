import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFocusBack } from '../form/use-focus-back'
import classes from '../shell/frame.module.css'
import { KeyHint } from './key-hint'
import { isActive, titled, useShortcutScopes } from './shortcut-registry'

/** Everything the keyboard can do on this screen now, by title. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell')
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('shortcuts.title')}
      size="xl"
      transitionProps={{ duration: 100 }}
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <ActiveShortcuts />
    </Modal>
  )
}

/** Drawn only while the sheet is open, so that what can be done is asked at that time. */
function ActiveShortcuts() {
  const scopes = useShortcutScopes((state) => state.scopes)
  useFocusBack()
  return (
    <div className={classes.sheetColumns}>
      {titled(scopes, isActive).map(({ title, shortcuts }) => (
        <section key={title}>
          <h3 className={classes.sheetGroup}>{title}</h3>
          {shortcuts.map(({ key, label, keys }) => (
            <div key={key} className={classes.sheetRow}>
              <span>{label}</span>
              <KeyHint keys={keys} />
            </div>
          ))}
        </section>
      ))}
    </div>
  )
}
