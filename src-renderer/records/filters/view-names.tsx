import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core'
import { Trash2, Users } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type SavedView, useSavedViews } from '../saved-views'
import classes from './filters.module.css'
import { type ViewActs, useViewActs } from './use-view-acts'

const longestName = 80

/** Names the view that is shown. A name that another of one's views has replaces that one, and the button says so. */
export function NameView({ address, onClose }: { address: string; onClose: () => void }) {
  const { t } = useTranslation('review')
  const acts = useViewActs()
  const [name, setName] = useState('')
  const [isShared, setShared] = useState<boolean | null>(null)
  const [isMissing, setMissing] = useState(false)
  const given = name.trim()
  const taken = acts.find(given)
  const is_shared = isShared ?? taken?.is_shared ?? false
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (given === '') return setMissing(true)
    acts.save({ name: given, query: address, is_shared })
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
      <Checkbox
        label={t('saved.share')}
        description={t('saved.shareHint')}
        checked={is_shared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
      {taken && <p className={classes.hint}>{t('saved.taken')}</p>}
      <div className={classes.fieldRow}>
        <Button type="submit">{t(taken ? 'saved.replace' : 'saved.set')}</Button>
      </div>
    </form>
  )
}

function ViewButtons({ view, acts }: { view: SavedView; acts: ViewActs }) {
  const { t } = useTranslation('review')
  const { name, is_shared } = view
  const shareLabel = view.isOwn
    ? t(is_shared ? 'saved.unshareNamed' : 'saved.shareNamed', { name })
    : t('saved.by', { name: view.user.name })
  return (
    <span className={classes.viewButtons}>
      <ActionIcon
        aria-label={shareLabel}
        title={shareLabel}
        variant={is_shared ? 'light' : 'subtle'}
        disabled={!view.isOwn}
        onClick={() => acts.share(view, !is_shared)}
      >
        <Users size={16} />
      </ActionIcon>
      <ActionIcon aria-label={t('saved.remove', { name })} title={t('saved.remove', { name })} onClick={() => acts.remove(view)}>
        <Trash2 size={16} />
      </ActionIcon>
    </span>
  )
}

/** The names of the views that this person may change: each can be changed, the view shared or deleted. */
export function ViewNames({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('review')
  const acts = useViewActs()
  const views = useSavedViews().views.filter(({ isEditable }) => isEditable)
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const given = ({ uid, name }: SavedView) => (typed[uid] ?? name).trim()
  const errorOf = (view: SavedView) => {
    if (given(view) === '') return t('saved.missing')
    const other = view.isOwn ? acts.find(given(view)) : undefined
    return other && other.uid !== view.uid ? t('saved.exists') : undefined
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
          <li key={view.uid} className={classes.viewName}>
            <TextInput
              aria-label={t('saved.nameOf', { name: view.name })}
              value={typed[view.uid] ?? view.name}
              error={errorOf(view)}
              onChange={(event) => setTyped({ ...typed, [view.uid]: event.currentTarget.value })}
              data-autofocus={index === 0 || undefined}
              maxLength={longestName}
            />
            <ViewButtons view={view} acts={acts} />
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
