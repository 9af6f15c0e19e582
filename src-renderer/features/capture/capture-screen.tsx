import { CloudOff } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearch } from 'wouter'
import type { Session } from '#shared/contract/instance/instance'
import type { Language } from '#shared/domain/locales'
import { convertPicture, isConvertedHere } from '../../api/pictures'
import { useSession } from '../../api/session'
import { type Draft, type DraftForm, createDraft, isBlank, splitByFile } from '../../state/draft'
import { captureFiles } from '../../state/capture-queue'
import { deliver, sendDraft } from '../../state/draft-delivery'
import { addFiles, discardDraft, findDraft, putDraft, restoreDraft, storeDraft, useDrafts } from '../../state/drafts'
import { usePreferences } from '../../state/preferences'
import { EmptyState } from '../../ui/feedback/empty-state'
import { formatBytes } from '../../ui/values/format-bytes'
import { announce, notifyDone } from '../../state/notices'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { useUndo } from '../../ui/feedback/use-undo'
import { Camera } from './camera'
import { RepeatNotes } from './repeat-notes'
import classes from './capture.module.css'
import { DraftsList } from './drafts-list'
import { ExpenseForm } from './expense-form'
import { checkFile, type FileCheck } from './file-check'
import { Inbox } from './inbox'
import { draftDefaults, rememberLastUsed } from './last-used'
import { type InvoiceFill, InvoiceNotes } from './invoice-notes'
import { fillEmpty, readInvoiceFile, takeBack, toValues } from './read-invoice'
import { Receipts } from './receipts'
import { useFileDrop } from '../../ui/form/use-file-drop'
import { fillFromReceipts, showCurrentDraft, useMakeExpenses } from './use-make-expenses'
import { useQuickCapture } from './use-quick-capture'
import { useFormReading } from './reading/form-reading'
import { withTyped } from './reading/values'

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
  const isKept = useDrafts((state) => state.isKept)
  const isAway = useDrafts((state) => state.isServerAway)
  const { refusals, filled, forgetFill, add, fill } = useAddFiles(draft, session.upload_max_bytes)
  const [isCamera, setCamera] = useState(false)
  const offerUndo = useUndo({ scope: 'capture-undo', title: t('shortcuts.title') })
  const makeExpenses = useMakeExpenses({ session, open: openDraft, fill })
  const openQuickCapture = useQuickCapture()
  const isOver = useFileDrop((files, { source, target }) => {
    if (target?.closest('[data-draft]')) add(files)
    else captureFiles(files, { source })
  })
  useEffect(showCurrentDraft, [])
  useShortcuts({ scope: 'capture-receipts', title: t('receipts') }, [
    { id: 'camera', keys: 'c', label: t('camera.open'), run: () => setCamera(true) },
  ])
  const send = (body: Readonly<Record<string, unknown>>) => {
    rememberLastUsed(draft.form)
    void sendDraft(draft.id, body).then((isKept) => {
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
      <div className={classes.formPane} data-draft>
        {isOver && <div className={classes.overlay}>{t('dropHere')}</div>}
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
        <ExpenseForm
          key={draft.id}
          draft={draft}
          session={session}
          notes={[reading.notes, <InvoiceNotes key="invoices" draft={draft} filled={filled} onTakeBack={undoFill} />]}
          watch={reading.watch}
          onChange={change}
          onSend={send}
          onLeave={leave}
        />
        <RepeatNotes draft={draft} />
      </div>
      <div className={classes.sidePane}>
        <div className={classes.dropPart} data-draft>
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
        <div className={classes.dropPart}>
          {isOver && <div className={classes.overlay}>{t('inbox.dropHere')}</div>}
          <Inbox offerUndo={offerUndo} onMake={makeExpenses} onQuickCapture={openQuickCapture} />
        </div>
        <DraftsList
          drafts={drafts}
          currentId={draft.id}
          onOpen={(id) => {
            openDraft(id)
            requestAnimationFrame(showCurrentDraft)
          }}
          onDiscard={discard}
        />
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

/** Adds photos that were taken for a draft to it again; once it is sent they go to the inbox. */
async function restorePhotos(draft: Draft, photos: readonly File[]): Promise<void> {
  const current = findDraft(draft.id)
  if (current ? current.stage.kind !== 'editing' : !isBlank(draft)) {
    captureFiles(photos, { source: 'camera' })
    return
  }
  await addFiles(current ?? draft, photos)
  openDraft(draft.id)
  void deliver()
}

/** As far as is known: a server that does not respond is found out by asking it. */
function isOffline(): boolean {
  return !navigator.onLine || useDrafts.getState().isServerAway
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
  const stored = useDrafts(
    ({ drafts, currentId }) => drafts.find(({ id }) => id === currentId) ?? drafts.find(({ id }) => id === blank.id),
  )
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
  const draft =
    stored ?? (blank.form.payer_id === organizationId ? blank : { ...blank, form: { ...blank.form, payer_id: organizationId } })
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

function useAddFiles(draft: Draft, maxBytes: number) {
  const { t } = useTranslation('capture')
  const language = usePreferences((state) => state.language)
  const [refused, setRefused] = useState<readonly Extract<FileCheck, { name: string }>[]>([])
  const [filled, setFilled] = useState<Readonly<Record<string, InvoiceFill | undefined>>>({})
  const fill = useCallback(
    async (draftId: string, files: readonly File[]) => {
      const found = await fillFromInvoices(draftId, files, language)
      if (found) setFilled((known) => ({ ...known, [draftId]: found }))
    },
    [language],
  )
  const add = async (given: readonly File[]) => {
    const files = await Promise.all(given.map(toReceiptFile))
    const checks = files.map((file) => checkFile(file, maxBytes))
    const filesOf = (wanted: 'ok' | 'convertible') => checks.flatMap((check) => (check.kind === wanted ? [check.file] : []))
    setRefused(checks.flatMap((check) => ('name' in check ? [check] : [])))
    const convertible = filesOf('convertible')
    if (convertible.length > 0) {
      captureFiles(convertible, { source: 'drop' })
      notifyDone(t('inbox.converted', { count: convertible.length }))
    }
    const good = filesOf('ok')
    if (good.length === 0 || draft.stage.kind === 'sending') return
    void navigator.storage?.persist?.()
    void addFiles(draft, good)
      .then(deliver)
      .then(() => fill(draft.id, good))
  }
  const size = formatBytes(maxBytes, language)
  return {
    filled: filled[draft.id],
    forgetFill: () => setFilled((known) => ({ ...known, [draft.id]: undefined })),
    refusals: refused.map(({ kind, name }) => t(`refusedFile.${kind}`, { name, size })),
    add: (files: readonly File[]) => void add(files),
    fill,
  }
}

/** What a file is added as: a picture that receipts cannot be is converted first, where this browser can. */
async function toReceiptFile(file: File): Promise<File> {
  return isConvertedHere(file) ? convertPicture(file).catch(() => file) : file
}

/** What the first invoice among the files says goes into fields that are empty; returns what that was. */
async function fillFromInvoices(draftId: string, files: readonly File[], language: Language): Promise<InvoiceFill | undefined> {
  for (const file of files) {
    const invoice = await readInvoiceFile(file)
    const draft = findDraft(draftId)
    if (draft?.stage.kind !== 'editing' || draft.form.kind !== 'monetary') return undefined
    // What was altered fills nothing.
    if (!invoice || invoice.doubts.includes('signature')) continue
    const { form, fill } = fillEmpty(draft.form, toValues(invoice, language))
    if (Object.keys(fill.after).length === 0) return undefined
    putDraft({ ...draft, form })
    return { name: file.name, fill }
  }
  return undefined
}
