import { CloudOff } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearch, useLocation } from 'wouter'
import type { Session } from '#shared/contract/instance/instance'
import { useSession } from '../../api/session'
import { type Draft, type DraftForm, createDraft, isBlank, splitByFile } from '../../state/draft'
import { sendDraft } from '../../state/draft-delivery'
import { addFiles, discardDraft, findDraft, putDraft, restoreDraft, storeDraft, useDrafts } from '../../state/drafts'
import { usePreferences } from '../../state/preferences'
import { sendWaiting, useSending } from '../../state/sending'
import { EmptyState } from '../../ui/feedback/empty-state'
import { announce, notifyDone } from '../../state/notices'
import { captureFiles } from '../../state/outbox'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { useUndo } from '../../ui/feedback/use-undo'
import { Camera } from './camera'
import { RepeatNotes } from './repeat-notes'
import classes from './capture.module.css'
import { DraftsList } from './drafts-list'
import { ExpenseForm } from './expense-form'
import { Inbox } from './inbox'
import { draftDefaults, rememberLastUsed } from './last-used'
import { InvoiceNotes } from './invoice-notes'
import { takeBack } from './read-invoice'
import { Receipts } from './receipts'
import { useAddFiles } from './use-add-files'
import { useFileDrop } from '../../ui/form/use-file-drop'
import { fillFromReceipts, showCurrentDraft, useMakeExpenses } from './use-make-expenses'
import { useFormReading } from './reading/form-reading'
import { withTyped } from './reading/values'
import { desktop } from '../../api/desktop'

/** The draft in this tab's form, so that a reload shows it again. */
const currentDraftKey = 'outlay.current-draft'

/** New expenses with their receipts, what was captured for later, and the drafts of this device. `?draft=` opens one, `?captures=` makes one. */
export function CaptureScreen() {
  const { t } = useTranslation('capture')
  const { data: session } = useSession()
  const isLoaded = useDrafts((state) => state.isLoaded)
  if (!session || !isLoaded) return null
  if (session.memberships.length === 0) return <EmptyState sentence={t('noOrganization')} />
  return <Capture session={session} />
}

function Capture({ session }: { session: Session }) {
  const { t } = useTranslation('capture')
  const { draft, change, startNext } = useCurrentDraft(session)
  const reading = useFormReading(draft)
  const drafts = useDrafts((state) => state.drafts).filter((known) => !isBlank(known))
  const { refusals, filled, forgetFill, add, addEach, fill } = useAddFiles(draft, { session, open: openDraft })
  const [isCamera, setCamera] = useState(false)
  const [isMoreShown, setMoreShown] = useState(false)
  const offerUndo = useUndo({ scope: 'capture-undo', title: t('shortcuts.title') })
  const makeExpenses = useMakeExpenses({ session, open: openDraft, fill })
  const openQuickCapture = useQuickCapture()
  const isOver = useFileDrop((files, { source, target }) => {
    if (target?.closest('[data-draft]')) add(files)
    else if (target?.closest('[data-each]')) addEach(files)
    else captureFiles(files, { source })
  })
  useEffect(showCurrentDraft, [])
  useShortcuts({ scope: 'capture-receipts', title: t('receipts') }, [
    { id: 'camera', keys: 'c', label: t('camera.open'), run: () => setCamera(true) },
  ])
  const send = (body: Readonly<Record<string, unknown>>) => {
    rememberLastUsed(draft.form)
    void sendDraft(draft.id, { ...body, ...(reading.line && { statement_line_id: reading.line.id }) }).then((isKept) => {
      if (isKept) announce(t(isOffline() ? 'savedOffline' : 'saved'))
    })
    startNext(draft.id)
  }
  const leave = () => {
    if (isBlank(draft)) return
    void storeDraft(draft.id)
    notifyDone(t('left'))
    startNext(draft.id, { isFresh: true })
  }
  const discard = (gone: Draft) => {
    discardDraft(gone.id)
    if (gone.id === draft.id) startNext(gone.id, { isFresh: true })
    offerUndo(t('drafts.discarded'), () => restoreDraft(gone.id).then(() => openDraft(gone.id)))
  }
  const undoFill = () => {
    const current = findDraft(draft.id)
    if (current?.stage.kind === 'editing' && filled) putDraft({ ...current, form: takeBack(current.form, filled.fill) })
    forgetFill()
  }
  const split = () => {
    const parts = splitByFile(draft)
    for (const part of parts) {
      putDraft(part)
      void storeDraft(part.id).then(() => fillFromReceipts(part.id, fill))
    }
    announce(t('splitDone', { count: parts.length }))
    requestAnimationFrame(showCurrentDraft)
  }
  return (
    <div className={classes.screen}>
      <div className={classes.receiptPane} data-draft>
        {isOver && <div className={classes.overlay}>{t('dropHere')}</div>}
        <Receipts
          draft={draft}
          refusals={refusals}
          {...{ place: reading.place, maxBytes: session.upload_max_bytes }}
          onFiles={add}
          onCamera={() => setCamera(true)}
          onSplit={split}
          offerUndo={offerUndo}
        />
      </div>
      <div className={classes.formPane} data-draft>
        {isOver && <div className={classes.overlay}>{t('dropHere')}</div>}
        <Standing />
        <ExpenseForm
          key={draft.id}
          draft={draft}
          session={session}
          notes={[reading.status, <InvoiceNotes key="invoices" draft={draft} filled={filled} onTakeBack={undoFill} />]}
          marksOf={reading.marksOf}
          line={reading.line?.field}
          isMoreShown={isMoreShown}
          onMore={setMoreShown}
          watch={reading.watch}
          onChange={change}
          onSend={send}
          onLeave={leave}
        />
        <RepeatNotes draft={draft} />
      </div>
      <div className={classes.listPane}>
        {isOver && <DropChoices />}
        <DraftsList
          drafts={drafts}
          currentId={draft.id}
          progress={reading.progress}
          onOpen={(id) => {
            openDraft(id)
            requestAnimationFrame(showCurrentDraft)
          }}
          onDiscard={discard}
        />
        <Inbox offerUndo={offerUndo} onMake={makeExpenses} onQuickCapture={openQuickCapture} />
      </div>
      {isCamera && (
        <Camera
          onClose={(unused) => {
            setCamera(false)
            if (unused.length > 0) offerUndo(t('camera.discarded', { count: unused.length }), () => restorePhotos(draft, unused))
          }}
          onDone={(files) => {
            setCamera(false)
            add(files)
          }}
        />
      )}
    </div>
  )
}

/** Whether the server can be reached, and this browser keeps drafts. */
function Standing() {
  const { t } = useTranslation('capture')
  const isKept = useDrafts((state) => state.isKept)
  const isAway = useSending((state) => state.isServerAway)
  return (
    <>
      {isAway && (
        <p className={classes.offline} role="status">
          <CloudOff size={14} aria-hidden /> {t('offline')}
        </p>
      )}
      {!isKept && (
        <p className={classes.failure} role="alert">
          {t('notKept')}
        </p>
      )}
    </>
  )
}

/** What files can become that are dropped on the inbox: captures for later, or a draft each. */
function DropChoices() {
  const { t } = useTranslation('capture')
  return (
    <div className={classes.choices}>
      <div className={classes.overlay}>{t('inbox.dropHere')}</div>
      <div className={classes.overlay} data-each>
        {t('dropEach')}
      </div>
    </div>
  )
}

/** Adds photos that were taken for a draft to it again; once it is sent they go to the inbox. */
async function restorePhotos(draft: Draft, photos: readonly File[]): Promise<void> {
  const current = findDraft(draft.id)
  if (current ? current.stage.kind !== 'editing' : !isBlank(draft)) {
    captureFiles(photos, { source: 'camera' })
    return
  }
  await addFiles(current ?? draft, photos)
  openDraft(draft.id)
  sendWaiting()
}

/** As far as is known: a server that does not respond is found out by asking it. */
function isOffline(): boolean {
  return !navigator.onLine || useSending.getState().isServerAway
}

/** Shows a draft in the form; null: a new one. */
function openDraft(id: string | null): void {
  useDrafts.setState({ currentId: id })
}

/** The draft in the form. A new one begins when it is first typed into; the next after one that is done is the nearest unfinished. */
function useCurrentDraft(session: Session) {
  const organizationId = usePreferences((state) => state.organizationId)
  const wanted = new URLSearchParams(useSearch()).get('draft')
  const [remembered] = useState(() => sessionStorage.getItem(currentDraftKey))
  const makeBlank = () => createDraft(session.user.uid, draftDefaults(organizationId, session.user.default_currency))
  const [blank, setBlank] = useState(makeBlank)
  const stored = useDrafts(({ drafts, currentId }) => drafts.find(({ id }) => id === currentId) ?? drafts.find(({ id }) => id === blank.id))
  const startNext = (doneId: string, { isFresh = false } = {}) => {
    const open = useDrafts.getState().drafts.filter((known) => known.id !== doneId && known.stage.kind === 'editing' && !isBlank(known))
    // Those that need nothing but a look first.
    const next = isFresh ? undefined : (open.find(({ form }) => form.amount !== '' && form.date !== '') ?? open[0])
    setBlank(makeBlank())
    openDraft(next?.id ?? null)
    requestAnimationFrame(showCurrentDraft)
  }
  useEffect(() => {
    const id = wanted ?? remembered
    if (id !== null) openDraft(id)
  }, [wanted, remembered])
  const draft = stored ?? (blank.form.payer_id === organizationId ? blank : { ...blank, form: { ...blank.form, payer_id: organizationId } })
  useEffect(() => sessionStorage.setItem(currentDraftKey, draft.id), [draft.id])
  const { id } = draft
  const unstored = stored ? undefined : draft
  const change = useCallback(
    (part: Partial<DraftForm>) => {
      const current = findDraft(id) ?? unstored
      if (current) putDraft({ ...current, form: { ...current.form, ...part }, read: withTyped(current.read, part) })
    },
    [id, unstored],
  )
  return { draft, change, startNext }
}

/** Opens quick capture: a separate small window on the desktop, a page in a browser. */
function useQuickCapture(): () => void {
  const [, navigate] = useLocation()
  return useCallback(() => {
    if (desktop) void desktop.call('quick_capture.open', {}).catch(() => navigate('/quick-capture'))
    else navigate('/quick-capture')
  }, [navigate])
}
