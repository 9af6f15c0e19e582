import { ActionIcon, Button, Menu, Popover, TextInput } from '@mantine/core'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { usePreferences } from '../../../state/preferences'
import { notifyDone } from '../../../state/notices'
import { copyText } from '../../../ui/values/copy-text'
import classes from '../review.module.css'
import { formatView, type ReviewView } from './review-view'

/** The queues with filters that a person named, a way to name this one, and its address as text. */
export function SavedViews({ view, icon }: { view: ReviewView; icon: ReactNode }) {
  const { t } = useTranslation('review')
  const [, navigate] = useLocation()
  const saved = usePreferences((state) => state.savedViews)
  const set = usePreferences((state) => state.set)
  const [isNaming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const address = formatView(view)
  const save = (event: FormEvent) => {
    event.preventDefault()
    const given = name.trim()
    if (given === '') return
    set({ savedViews: [...saved.filter((known) => known.name !== given), { name: given, address }] })
    setNaming(false)
    setName('')
    notifyDone(t('saved.done', { name: given }))
  }
  const copy = () =>
    void copyText(`${location.origin}/review?${address}`).then((isCopied) =>
      notifyDone(t(isCopied ? 'saved.copied' : 'saved.notCopied')),
    )
  return (
    <Popover opened={isNaming} onChange={setNaming} position="bottom-end" trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <span>
          <Menu position="bottom-end" width={260}>
            <Menu.Target>
              <ActionIcon aria-label={t('saved.label')} title={t('saved.label')}>
                {icon}
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>{saved.length > 0 ? t('saved.label') : t('saved.none')}</Menu.Label>
              {saved.map((known) => (
                <Menu.Item key={known.name} onClick={() => navigate(`/review?${known.address}`)}>
                  {known.name}
                </Menu.Item>
              ))}
              <Menu.Divider />
              <Menu.Item onClick={() => setNaming(true)}>{t('saved.save')}</Menu.Item>
              <Menu.Item onClick={copy}>{t('saved.copy')}</Menu.Item>
              {saved
                .filter((known) => known.address === address)
                .map((known) => (
                  <Menu.Item key={known.name} onClick={() => set({ savedViews: saved.filter((other) => other !== known) })}>
                    {t('saved.remove', { name: known.name })}
                  </Menu.Item>
                ))}
            </Menu.Dropdown>
          </Menu>
        </span>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t('saved.save')}>
        <form className={classes.field} onSubmit={save}>
          <TextInput
            label={t('saved.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
            maxLength={80}
          />
          <div className={classes.fieldRow}>
            <Button type="submit">{t('saved.set')}</Button>
          </div>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
