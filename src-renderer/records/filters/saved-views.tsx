import { ActionIcon } from '@mantine/core'
import { Check, Users } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { notifyDone } from '../../state/notices'
import { useExpenseCount } from '../../api/expenses'
import { type SavedView, useSavedViews, viewKeys } from '../saved-views'
import { usePreferences } from '../../state/preferences'
import { formatCount } from '../../ui/values/format'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { later } from '../../ui/panes/later'
import { Menu, Popover } from '../../ui/panes/menu'
import type { MenuParts } from '../../ui/panes/open-menu'
import { copyText } from '../../ui/values/copy-text'
import classes from './filters.module.css'
import { formatView, parseView, toListFilter, type ReviewView } from './review-view'

const NameView = later(async () => (await import('./view-names')).NameView)
const ViewNames = later(async () => (await import('./view-names')).ViewNames)

type ItemsProps = { Menu: MenuParts; address: string; screen: string }

/** A view, with how many expenses it lists now. */
function ViewItem({ Menu, view, keys, address, screen }: ItemsProps & { view: SavedView; keys: string | undefined }) {
  const { t } = useTranslation('review')
  const [, navigate] = useLocation()
  const language = usePreferences((state) => state.language)
  const organizationId = usePreferences((state) => state.organizationId)
  const { name, query, is_shared } = view
  const { data: count } = useExpenseCount(toListFilter(parseView(query), organizationId))
  const isShown = query === address
  const said = [
    ...(count === undefined ? [] : [t('list.count', { count })]),
    ...(is_shared ? [view.isOwn ? t('saved.ofOthers') : t('saved.by', { name: view.user.name })] : []),
  ]
  return (
    <Menu.Item
      classNames={{ itemLabel: classes.clip }}
      aria-description={said.join(' · ')}
      title={[name, ...said].join(' · ')}
      aria-current={isShown ? 'page' : undefined}
      leftSection={isShown ? <Check size={14} aria-hidden /> : <span className={classes.noCheck} />}
      rightSection={
        <span aria-hidden className={classes.viewButtons}>
          {view.isOwn && is_shared && <Users size={14} className={classes.none} />}
          {count !== undefined && <span className={classes.tabCount}>{formatCount(count, language)}</span>}
          {keys !== undefined && <KeyHint keys={keys} />}
        </span>
      }
      onClick={() => navigate(`${screen}?${query}`)}
    >
      {name}
    </Menu.Item>
  )
}

/** The views with their counts: this person's, then those that others share. */
function ViewItems({ Menu, address, screen }: ItemsProps) {
  const { t } = useTranslation('review')
  const { views, state } = useSavedViews()
  const items = views.map((view, index) => ({ view, keys: viewKeys[index] }))
  const [own, others] = [items.filter(({ view }) => view.isOwn), items.filter(({ view }) => !view.isOwn)]
  const list = (shown: typeof items) =>
    shown.map(({ view, keys }) => <ViewItem key={view.uid} Menu={Menu} view={view} keys={keys} address={address} screen={screen} />)
  if (state === 'loading') return <Menu.Label>{t('saved.loading')}</Menu.Label>
  if (state === 'failed') return <Menu.Label>{t('saved.unread')}</Menu.Label>
  return (
    <div className={classes.viewMenu}>
      <Menu.Label>{t(views.length === 0 ? 'saved.none' : 'saved.own')}</Menu.Label>
      {list(own)}
      {others.length > 0 && <Menu.Label>{t('saved.ofOthers')}</Menu.Label>}
      {list(others)}
    </div>
  )
}

/** The queues with filters that members named, ways to name this one, to rename, share and delete them, and its address as text. `screen` shows them. */
export function SavedViews({ view, icon, screen = '/review' }: { view: ReviewView; icon: ReactNode; screen?: string }) {
  const { t } = useTranslation('review')
  const { views } = useSavedViews()
  const [open, setOpen] = useState<'name' | 'edit' | null>(null)
  const address = formatView(view)
  const isAny = views.some(({ isEditable }) => isEditable)
  const close = () => setOpen(null)
  useShortcuts({ scope: 'review-views', title: t('shortcuts.title') }, [
    { id: 'save-view', keys: 'v s', label: t('saved.save'), run: () => setOpen('name') },
    { id: 'edit-views', keys: 'v e', label: t('saved.edit'), run: () => setOpen('edit'), when: () => isAny },
  ])
  const copy = () =>
    void copyText(`${location.origin}${screen}?${address}`).then((isCopied) => notifyDone(t(isCopied ? 'saved.copied' : 'saved.notCopied')))
  return (
    <Popover
      opened={open !== null}
      onDismiss={close}
      position="bottom-end"
      trapFocus
      returnFocus
      label={t(open === 'edit' ? 'saved.edit' : 'saved.save')}
      target={
        <Menu
          position="bottom-end"
          width={300}
          target={
            <ActionIcon aria-label={t('saved.label')} title={t('saved.label')}>
              {icon}
            </ActionIcon>
          }
        >
          {(Parts) => (
            <Parts.Dropdown>
              <ViewItems Menu={Parts} address={address} screen={screen} />
              <Parts.Divider />
              <Parts.Item rightSection={<KeyHint keys="v s" />} onClick={() => setOpen('name')}>
                {t('saved.save')}
              </Parts.Item>
              {isAny && (
                <Parts.Item rightSection={<KeyHint keys="v e" />} onClick={() => setOpen('edit')}>
                  {t('saved.edit')}
                </Parts.Item>
              )}
              <Parts.Item onClick={copy}>{t('saved.copy')}</Parts.Item>
            </Parts.Dropdown>
          )}
        </Menu>
      }
    >
      {open === 'edit' ? <ViewNames onClose={close} /> : <NameView address={address} onClose={close} />}
    </Popover>
  )
}
