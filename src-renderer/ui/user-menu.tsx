import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { switchLanguage } from '../i18n'
import type { FrameUser } from '../state/frame'
import { usePreferences } from '../state/preferences'
import { languages } from './format'
import classes from './frame.module.css'
import { KeyHint } from './key-hint'
import { PersonAvatar } from './person-avatar'

const colorSchemes: readonly MantineColorScheme[] = ['light', 'dark', 'auto']

/** Who is signed in, with language, appearance, shortcuts and signing out. */
export function UserMenu({
  user,
  onSignOut,
  onShortcuts,
}: {
  user: FrameUser
  onSignOut: (() => void) | null
  onShortcuts: () => void
}) {
  const { t } = useTranslation('shell')
  const language = usePreferences((state) => state.language)
  const setPreferences = usePreferences((state) => state.set)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
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
        {languages.map((known) => (
          <Menu.RadioItem
            key={known}
            value={known}
            checked={known === language}
            lang={known}
            onChange={() => {
              setPreferences({ language: known })
              switchLanguage(known)
            }}
          >
            {t(`language.${known}`)}
          </Menu.RadioItem>
        ))}
        <Menu.Label>{t('user.appearance')}</Menu.Label>
        {colorSchemes.map((known) => (
          <Menu.RadioItem key={known} value={known} checked={known === colorScheme} onChange={() => setColorScheme(known)}>
            {t(`appearance.${known}`)}
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
