import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FrameUser } from '../../state/frame'
import classes from './frame.module.css'
import { KeyHint } from '../keys/key-hint'
import { PersonAvatar } from '../values/person-avatar'
import { useUserChoices } from './user-choices'

/** Who is signed in, with language, appearance, shortcuts and signing out. */
export function UserMenu({ user, onSignOut, onShortcuts }: { user: FrameUser; onSignOut: (() => void) | null; onShortcuts: () => void }) {
  const { t } = useTranslation('shell')
  const choices = useUserChoices()
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <button type="button" className={classes.quietButton} aria-label={t('user.menu', { name: user.name })}>
          <PersonAvatar name={user.name} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.name}
          <br />
          {user.email}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t('user.language')}</Menu.Label>
        {choices.languages.map(({ id, label, isChosen, choose }) => (
          <Menu.RadioItem key={id} value={id} checked={isChosen} lang={id} onChange={choose}>
            {label}
          </Menu.RadioItem>
        ))}
        <Menu.Label>{t('user.appearance')}</Menu.Label>
        {choices.appearances.map(({ id, label, isChosen, choose }) => (
          <Menu.RadioItem key={id} value={id} checked={isChosen} onChange={choose}>
            {label}
          </Menu.RadioItem>
        ))}
        <Menu.Divider />
        <Menu.Item rightSection={<KeyHint keys="?" />} onClick={onShortcuts}>
          {t('shortcuts.title')}
        </Menu.Item>
        {onSignOut && <Menu.Item onClick={onSignOut}>{t('user.signOut')}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}
