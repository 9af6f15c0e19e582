import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../shell/frame.module.css'
import { KeyHint } from './key-hint'
import { isActive, useShortcutScopes } from './shortcut-registry'

/** Everything the keyboard can do on this screen now, by scope. */
export function ShortcutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell')
  const scopes = useShortcutScopes((state) => state.scopes)
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('shortcuts.title')}
      size="md"
      transitionProps={{ duration: 100 }}
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {isOpen &&
        scopes
          .map((scope) => ({ ...scope, active: scope.shortcuts.filter(isActive) }))
          .filter((scope) => scope.active.length > 0)
          .map((scope) => (
            <section key={scope.scope}>
              <h3 className={classes.sheetGroup}>{scope.title}</h3>
              {scope.active.map((shortcut) => (
                <div key={shortcut.id} className={classes.sheetRow}>
                  <span>{shortcut.label}</span>
                  <KeyHint keys={shortcut.keys} />
                </div>
              ))}
            </section>
          ))}
    </Modal>
  )
}
