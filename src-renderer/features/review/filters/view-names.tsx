import { ActionIcon, Button, TextInput } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type SavedView, useSavedViews } from '../../../state/saved-views'
import classes from '../review.module.css'
import { useViewActs } from './use-view-acts'

const longestName = 80

/** Names the view that is shown. A name that another view has replaces that one, and the button says so. */
export function NameView({ address, onClose }: { address: string; onClose: () => void }) {
  const { t } = useTranslation('review')
  const acts = useViewActs()
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const given = name.trim()
  const isTaken = acts.find(given) !== undefined
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (given === '') return setMissing(true)
    acts.save(given, address)
    onClose()
  }
  return (
    <form className={classes.field} onSubmit={save}>
      <TextInput
        label={t('saved.name')}
        value={name}
        error={isMissing && given === '' ? t('saved.missing') : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        maxLength={longestName}
      />
      {isTaken && <p className={classes.hint}>{t('saved.taken')}</p>}
      <div className={classes.fieldRow}>
        <Button type="submit">{t(isTaken ? 'saved.replace' : 'saved.set')}</Button>
      </div>
    </form>
  )
}

/** The names of all saved views: each can be changed, or the view deleted. */
export function ViewNames({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('review')
  const acts = useViewActs()
  const views = useSavedViews()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const given = ({ name }: SavedView) => (typed[name] ?? name).trim()
  const errorOf = (view: SavedView) => {
    if (given(view) === '') return t('saved.missing')
    const other = acts.find(given(view))
    return other && other.name !== view.name ? t('saved.exists') : undefined
  }
  const rename = (event: FormEvent) => {
    event.preventDefault()
    if (views.some((view) => errorOf(view) !== undefined)) return
    for (const view of views) if (given(view) !== view.name) acts.rename(view, given(view))
    onClose()
  }
  return (
    <form className={classes.field} onSubmit={rename}>
      <ul className={classes.viewNames}>
        {views.map((view, index) => (
          <li key={view.name} className={classes.viewName}>
            <TextInput
              aria-label={t('saved.nameOf', { name: view.name })}
              value={typed[view.name] ?? view.name}
              error={errorOf(view)}
              onChange={(event) => setTyped({ ...typed, [view.name]: event.currentTarget.value })}
              data-autofocus={index === 0 || undefined}
              maxLength={longestName}
            />
            <ActionIcon
              aria-label={t('saved.remove', { name: view.name })}
              title={t('saved.remove', { name: view.name })}
              onClick={() => acts.remove(view)}
            >
              <Trash2 size={16} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {views.length === 0 && <p className={classes.hint}>{t('saved.none')}</p>}
      <div className={classes.fieldRow}>
        <Button type="submit">{t('saved.close')}</Button>
      </div>
    </form>
  )
}
