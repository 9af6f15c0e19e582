import { ActionIcon, Menu, Popover } from '@mantine/core'
import { Check } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { notifyDone } from '../../../state/notices'
import { useExpenseCount } from '../../../api/expenses'
import { usePreferences } from '../../../state/preferences'
import { formatCount } from '../../../ui/values/format'
import { useSavedViews, viewKeys } from '../../../state/saved-views'
import { KeyHint } from '../../../ui/keys/key-hint'
import { copyText } from '../../../ui/values/copy-text'
import classes from '../review.module.css'
import { formatView, parseView, toListFilter, type ReviewView } from './review-view'
import { NameView, ViewNames } from './view-names'

/** How many expenses a view lists now. */
function ViewCount({ address }: { address: string }) {
  const { t } = useTranslation('review')
  const language = usePreferences((state) => state.language)
  const organizationId = usePreferences((state) => state.organizationId)
  const { data: count } = useExpenseCount(toListFilter(parseView(address), organizationId))
  if (count === undefined) return null
  return (
    <span className={classes.tabCount} title={t('list.count', { count })}>
      {formatCount(count, language)}
    </span>
  )
}

/** The queues with filters that a person named, ways to name this one and to rename and delete them, and its address as text. */
export function SavedViews({ view, icon }: { view: ReviewView; icon: ReactNode }) {
  const { t } = useTranslation('review')
  const [, navigate] = useLocation()
  const saved = useSavedViews()
  const [open, setOpen] = useState<'name' | 'edit' | null>(null)
  const address = formatView(view)
  const close = () => setOpen(null)
  const copy = () =>
    void copyText(`${location.origin}/review?${address}`).then((isCopied) =>
      notifyDone(t(isCopied ? 'saved.copied' : 'saved.notCopied')),
    )
  return (
    <Popover opened={open !== null} onDismiss={close} position="bottom-end" trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <span>
          <Menu position="bottom-end" width={280}>
            <Menu.Target>
              <ActionIcon aria-label={t('saved.label')} title={t('saved.label')}>
                {icon}
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>{saved.length > 0 ? t('saved.label') : t('saved.none')}</Menu.Label>
              <div className={classes.viewMenu}>
                {saved.map((known, index) => (
                  <Menu.Item
                    key={known.name}
                    classNames={{ itemLabel: classes.clip }}
                    aria-label={known.name}
                    title={known.name}
                    aria-current={known.address === address ? 'page' : undefined}
                    leftSection={
                      known.address === address ? <Check size={14} aria-hidden /> : <span className={classes.noCheck} />
                    }
                    rightSection={
                      <>
                        <ViewCount address={known.address} />
                        {viewKeys[index] && <KeyHint keys={viewKeys[index]} />}
                      </>
                    }
                    onClick={() => navigate(`/review?${known.address}`)}
                  >
                    {known.name}
                  </Menu.Item>
                ))}
              </div>
              <Menu.Divider />
              <Menu.Item onClick={() => setOpen('name')}>{t('saved.save')}</Menu.Item>
              {saved.length > 0 && <Menu.Item onClick={() => setOpen('edit')}>{t('saved.edit')}</Menu.Item>}
              <Menu.Item onClick={copy}>{t('saved.copy')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </span>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t(open === 'edit' ? 'saved.edit' : 'saved.save')}>
        {open === 'edit' ? <ViewNames onClose={close} /> : <NameView address={address} onClose={close} />}
      </Popover.Dropdown>
    </Popover>
  )
}
