import { ChevronDown, Menu as MenuIcon, Search } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { FrameOrganization, FrameState } from '../../state/frame'
import { usePreferences } from '../../state/preferences'
import { KeyHint } from '../keys/key-hint'
import classes from './frame.module.css'
import { SyncStatus } from './sync-status-link'
import { UserMenu } from './user-menu'
import { Menu } from '../panes/menu'

/** What the frame hands to its header. `onSearch` opens Ctrl+K. */
export type FrameHeaderProps = Pick<FrameState, 'user' | 'organizations' | 'connection' | 'sync' | 'signOut'> & {
  onSearch: () => void
  onShortcuts: () => void
}

/** The top line: product, organization, search-or-command, connection, user. */
export function FrameHeader({
  organizations,
  connection,
  sync,
  user,
  signOut,
  onSearch,
  onShortcuts,
  isMenuOpen,
  onMenu,
}: FrameHeaderProps & { isMenuOpen: boolean; onMenu: () => void }) {
  const { t } = useTranslation('shell')
  return (
    <header className={classes.header}>
      <button
        type="button"
        className={classes.menuButton}
        aria-label={t('menu')}
        aria-expanded={isMenuOpen}
        aria-controls="sidebar"
        onClick={onMenu}
      >
        <MenuIcon size={20} aria-hidden />
      </button>
      <span className={classes.brand}>Outlay</span>
      <OrganizationSwitcher organizations={organizations} />
      <span className={classes.spring} />
      <button type="button" className={classes.search} onClick={onSearch}>
        <Search size={14} aria-hidden />
        <span className={classes.clip}>{t('search')}</span>
        <KeyHint keys="mod+k" />
      </button>
      <SyncStatus sync={sync} connection={connection} />
      {user && <UserMenu user={user} onSignOut={signOut} onShortcuts={onShortcuts} />}
    </header>
  )
}

function OrganizationSwitcher({ organizations }: { organizations: readonly FrameOrganization[] }) {
  const { t } = useTranslation('shell')
  const organizationId = usePreferences((state) => state.organizationId)
  const setPreferences = usePreferences((state) => state.set)
  const current = organizations.find((organization) => organization.id === organizationId) ?? organizations[0]
  if (!current) return null
  return (
    <Menu
      position="bottom-start"
      target={
        <button type="button" className={classes.quietButton} aria-label={t('organization.switch', { name: current.name })}>
          <span className={classes.clip}>{current.name}</span>
          <ChevronDown size={14} aria-hidden />
        </button>
      }
    >
      {(Parts) => (
        <Parts.Dropdown>
          {organizations.map((organization) => (
            <Parts.RadioItem
              key={organization.id}
              value={String(organization.id)}
              checked={organization.id === current.id}
              closeMenuOnClick
              onChange={() => setPreferences({ organizationId: organization.id })}
            >
              {organization.name}
            </Parts.RadioItem>
          ))}
        </Parts.Dropdown>
      )}
    </Menu>
  )
}
