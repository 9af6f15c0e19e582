import { Button, Textarea } from '@mantine/core'
import { ArrowLeft, Check, FilePlus2, ScreenShare } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { desktop } from '../../api/desktop'
import { failureText } from '../../api/failure-text'
import { DraftForm } from '../../ui/form/draft-form'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { notifyDone, notifyFailure } from '../../state/notices'
import { noteCaptured, useOutbox } from '../../state/outbox'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { PickFiles, pickFiles } from './pick-files'
import classes from './quick-capture.module.css'
import { canTakeScreen, ScreenPicture, takeScreen } from './screen-picture'
import { ShotStrip } from './shot-strip'
import { useFileDrop } from '../../ui/form/use-file-drop'
import { Unsent } from './unsent'
import { useShots } from './use-shots'
import { Viewfinder } from './viewfinder'

/**
 * A capture in a few seconds, during any other work: camera, paste, drop, files or a part of the screen. Each is saved
 * at once, and shown as saved only then; together they belong to one expense. A separate window on the desktop, a page in a browser.
 */
export function QuickCapture() {
  const { t } = useTranslation('capture')
  const [, navigate] = useLocation()
  const { shots, add, remove, startNext } = useShots()
  const draft = useFormDraft({ form: 'quick-capture', record: '', stored: { note: '' }, isRestored: true })
  const { note } = draft.value
  const [picture, setPicture] = useState<HTMLCanvasElement | null>(null)
  const noteRef = useRef<HTMLTextAreaElement>(null)
  const isOver = useFileDrop((files, { source }) => add(files, source))
  const ids = shots.flatMap(({ capture }) => capture?.id ?? [])
  const canMake = shots.length > 0 && ids.length === shots.length
  const states = useOutbox((state) => state.states)
  const canFinish = shots.length > 0 && shots.every(({ key, capture, queued }) => capture || (queued && states[key] === undefined))
  const grab = () => void takeScreen().then(setPicture, (error: unknown) => notifyFailure(screenFailure(error, t)))
  const dropLast = () => {
    const last = shots.at(-1)
    if (last) remove(last)
  }
  const leave = () => {
    if (desktop) void desktop.call('quick_capture.close', {})
    else navigate('/capture')
  }
  const finish = async (then: () => void) => {
    if (!canFinish) return
    try {
      if (note.trim() !== '')
        await noteCaptured(
          shots.map(({ key }) => key),
          note.trim(),
        )
    } catch (error) {
      return notifyFailure({ title: t('quick.noteNotSaved'), message: failureText(error) })
    }
    startNext()
    draft.done({ note: '' })
    then()
  }
  const done = () =>
    void finish(() => {
      if (desktop) leave()
      else notifyDone(t(canMake ? 'quick.inInbox' : 'quick.onDevice', { count: shots.length }))
    })
  const makeExpense = () =>
    void finish(() => {
      const path = `/capture?captures=${ids.join(',')}`
      if (!desktop) return navigate(path)
      void desktop.call('main.open', { path }).then(leave)
    })
  useShortcuts({ scope: 'quick-capture', title: t('quick.title') }, [
    { id: 'note', keys: 'n', form: 'quick-capture', label: t('quick.note'), run: () => noteRef.current?.focus() },
    { id: 'expense', keys: 'e', form: 'quick-capture', label: t('inbox.make'), run: makeExpense, when: () => canMake },
    { id: 'done', keys: 'mod+enter', form: 'quick-capture', label: t('quick.done'), run: done, when: () => canFinish },
    { id: 'leave', keys: 'escape', label: t('quick.leave'), run: leave, when: () => shots.length === 0 },
  ])
  return (
    <main className={classes.quick}>
      <header className={classes.buttons}>
        <h1 className={classes.title}>{t('quick.title')}</h1>
        <span className={classes.spring} />
        {!desktop && (
          <Button variant="subtle" leftSection={<ArrowLeft size={14} aria-hidden />} onClick={leave}>
            {t('quick.leave')}
          </Button>
        )}
      </header>
      <Viewfinder count={shots.length} onPhoto={(file) => add([file], 'camera')} onRetake={dropLast} />
      <OtherWays onFiles={(files) => add(files, 'drop')} onScreen={grab} />
      <ShotStrip shots={shots} onRemove={remove} />
      <Unsent rows={shots.flatMap(({ queued }) => queued ?? [])} />
      <DraftForm draft={draft} onSubmit={done}>
        <Textarea
          ref={noteRef}
          label={t('quick.note')}
          value={note}
          onChange={(event) => draft.change({ note: event.currentTarget.value })}
          maxLength={1000}
          autosize
          minRows={1}
          maxRows={4}
          rightSection={note === '' ? <KeyHint keys="n" /> : undefined}
        />
      </DraftForm>
      <footer className={classes.buttons}>
        <Button
          variant="default"
          disabled={!canMake}
          leftSection={<FilePlus2 size={14} aria-hidden />}
          rightSection={<KeyHint keys="e" />}
          onClick={makeExpense}
        >
          {t('inbox.make')}
        </Button>
        <span className={classes.spring} />
        <Button
          disabled={!canFinish}
          leftSection={<Check size={14} aria-hidden />}
          rightSection={<KeyHint keys="mod+enter" />}
          onClick={done}
        >
          {t('quick.done')}
        </Button>
      </footer>
      {isOver && <div className={classes.overlay}>{t('quick.dropHere')}</div>}
      {picture && (
        <ScreenPicture
          picture={picture}
          onClose={() => setPicture(null)}
          onKeep={(file) => {
            setPicture(null)
            add([file], 'screen')
          }}
        />
      )}
    </main>
  )
}

/** Files and a part of the screen, next to the camera. */
function OtherWays({ onFiles, onScreen }: { onFiles: (files: readonly File[]) => void; onScreen: () => void }) {
  const { t } = useTranslation('capture')
  useShortcuts({ scope: 'other-ways', title: t('quick.title') }, [
    { id: 'files', keys: 'f', form: 'quick-capture', label: t('choose'), run: pickFiles },
    { id: 'screen', keys: 's', form: 'quick-capture', label: t('screen.open'), run: onScreen, when: () => canTakeScreen },
  ])
  return (
    <div className={classes.buttons}>
      <PickFiles onFiles={onFiles} />
      {canTakeScreen && (
        <Button
          variant="default"
          leftSection={<ScreenShare size={14} aria-hidden />}
          rightSection={<KeyHint keys="s" />}
          onClick={onScreen}
        >
          {t('screen.open')}
        </Button>
      )}
      <span className={classes.hint}>{t('quick.dropOrPaste')}</span>
    </div>
  )
}

function screenFailure(error: unknown, t: (key: string) => string): { title: string; message: string } {
  const isDenied = error instanceof DOMException && error.name === 'NotAllowedError'
  return { title: t('screen.none'), message: t(isDenied ? 'screen.denied' : 'screen.failed') }
}
