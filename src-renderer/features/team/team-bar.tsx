import { ActionIcon, Button, Menu } from '@mantine/core'
import { Ellipsis, UserPlus } from 'lucide-react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { FindBox } from '../../ui/grid/find-box'
import { KeyHint } from '../../ui/keys/key-hint'
import classes from './team.module.css'

/** The bar above the team. `onInvite` is absent without permission; `count` until it is known. */
export type TeamBarProps = {
  searchRef: RefObject<HTMLInputElement | null>
  search: string
  onSearch: (text: string) => void
  count: number | undefined
  organizationName: string
  onInvite?: () => void
  onLeave: () => void
}

/** Finding a person, inviting, and leaving. */
export function TeamBar({ searchRef, search, onSearch, count, organizationName, onInvite, onLeave }: TeamBarProps) {
  const { t } = useTranslation('team')
  return (
    <div className={classes.bar}>
      <FindBox inputRef={searchRef} label={t('find')} text={search} onText={onSearch} />
      <span className={`${classes.quiet} tabular`} role="status">
        {count !== undefined && t('count', { count })}
      </span>
      <span className={classes.spring} />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('leave.more')} title={t('leave.more')}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onLeave}>{t('leave.open', { organization: organizationName })}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {onInvite && (
        <Button leftSection={<UserPlus size={14} aria-hidden />} rightSection={<KeyHint keys="n" />} onClick={onInvite}>
          {t('invite.open')}
        </Button>
      )}
    </div>
  )
}
