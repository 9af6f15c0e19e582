import { useTranslation } from 'react-i18next'
import type { FrameUser } from '../../state/frame'
import classes from './frame.module.css'
import { KeyHint } from '../keys/key-hint'
import { PersonAvatar } from '../values/person-avatar'
import { useUserChoices } from './user-choices'
import { Menu } from '../panes/menu'

/** Who is signed in, with language, appearance, shortcuts and signing out. */
export function UserMenu({ user, onSignOut, onShortcuts }: { user: FrameUser; onSignOut: (() => void) | null; onShortcuts: () => void }) {
  const { t } = useTranslation('shell')
  const choices = useUserChoices()
  return (
    <Menu
      position="bottom-end"
      width={240}
      target={
        <button type="button" className={classes.quietButton} aria-label={t('user.menu', { name: user.name })}>
          <PersonAvatar name={user.name} />
        </button>
      }
    >
      {(Parts) => (
        <Parts.Dropdown>
          <Parts.Label>
            {user.name}
            <br />
            {user.email}
          </Parts.Label>
          <Parts.Divider />
          <Parts.Label>{t('user.language')}</Parts.Label>
          {choices.languages.map(({ id, label, isChosen, choose }) => (
            <Parts.RadioItem key={id} value={id} checked={isChosen} lang={id} onChange={choose}>
              {label}
            </Parts.RadioItem>
          ))}
          <Parts.Label>{t('user.appearance')}</Parts.Label>
          {choices.appearances.map(({ id, label, isChosen, choose }) => (
            <Parts.RadioItem key={id} value={id} checked={isChosen} onChange={choose}>
              {label}
            </Parts.RadioItem>
          ))}
          <Parts.Divider />
          <Parts.Item rightSection={<KeyHint keys="?" />} onClick={onShortcuts}>
            {t('shortcuts.title')}
          </Parts.Item>
          {onSignOut && <Parts.Item onClick={onSignOut}>{t('user.signOut')}</Parts.Item>}
        </Parts.Dropdown>
      )}
    </Menu>
  )
}
