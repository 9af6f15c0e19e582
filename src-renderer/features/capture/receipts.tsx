import { Button } from '@mantine/core'
import { Camera, Split } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PlaceOnPage } from '#shared/readings/reading'
import type { Draft, DraftFile } from '../../state/draft'
import { removeFile, replaceFile } from '../../state/draft-delivery'
import { changeDraft } from '../../state/drafts'
import { usePreferences } from '../../state/preferences'
import { formatBytes } from '../../ui/values/format-bytes'
import { InvoiceCard } from '../../records/expense/invoice-card'
import { KeyHint } from '../../ui/keys/key-hint'
import type { OfferUndo } from '../../ui/feedback/use-undo'
import { BlobImage } from './blob-image'
import classes from './capture.module.css'
import { acceptedFiles } from './file-check'
import { useDraftInvoices } from './invoice-notes'
import { PickFiles } from './pick-files'
import { FileIcon, ReceiptCard } from './receipt-card'
import { PlaceMark } from './reading/place-mark'
import type { ReceiptPlace } from './reading/values'
import { hasPicture, usePreview } from './use-preview'

/** The receipts of a draft: the one shown large, the cards, and the ways to add more. */
export type ReceiptsProps = {
  draft: Draft
  refusals: readonly string[]
  /** A place on one of them that is shown. */
  place: ReceiptPlace | undefined
  maxBytes: number
  onFiles: (files: readonly File[]) => void
  onCamera: () => void
  onSplit: () => void
  offerUndo: OfferUndo
}

/** Receipts next to the fields. The rules for adding are shown first. */
export function Receipts({ draft, refusals, place, maxBytes, onFiles, onCamera, onSplit, offerUndo }: ReceiptsProps) {
  const { t } = useTranslation('capture')
  const language = usePreferences((state) => state.language)
  const [shownId, setShownId] = useState<string | null>(null)
  const shown =
    draft.files.find(({ id }) => id === (place?.fileId ?? shownId)) ??
    draft.files.find(({ content_type }) => hasPicture(content_type)) ??
    draft.files[0]
  const remove = (file: DraftFile) => {
    // The expense is recorded: with its last receipt gone there is nothing to come back to.
    if (draft.stage.kind === 'recorded') return void removeFile(draft.id, file.id)
    const index = draft.files.findIndex(({ id }) => id === file.id)
    changeDraft(draft.id, (current) => ({ ...current, files: current.files.filter(({ id }) => id !== file.id) }))
    const undo = async () =>
      changeDraft(draft.id, (current) => ({
        ...current,
        files: current.files.some(({ id }) => id === file.id) ? current.files : current.files.toSpliced(index, 0, file),
      }))
    offerUndo(t('receipt.removed', { name: file.name }), undo)
  }
  return (
    <section className={classes.receipts} aria-labelledby="receipts-title" data-receipts>
      <header className={classes.sectionHead}>
        <h2 id="receipts-title" className={classes.sectionTitle}>
          {t('receipts')}
        </h2>
        <span className={classes.spring} />
        <PickFiles accept={acceptedFiles} onFiles={onFiles} />
        <Button
          variant="default"
          leftSection={<Camera size={14} aria-hidden />}
          rightSection={<KeyHint keys="c" />}
          id="open-camera"
          onClick={onCamera}
        >
          {t('camera.open')}
        </Button>
      </header>
      {shown ? (
        <Shown key={shown.id} file={shown} place={place?.fileId === shown.id ? place.place : undefined} />
      ) : (
        <div className={classes.well}>
          <p>{t('drop')}</p>
        </div>
      )}
      {!shown && <p className={classes.hint}>{t('allowed', { size: formatBytes(maxBytes, language) })}</p>}
      <div role="alert">
        {refusals.map((text) => (
          <p key={text} className={classes.refusal}>
            {text}
          </p>
        ))}
      </div>
      {draft.files.length > 0 && (
        <ul className={classes.cards} aria-label={t('receipts')}>
          {draft.files.map((file) => (
            <ReceiptCard
              key={file.id}
              file={file}
              isShown={draft.files.length > 1 && file.id === shown?.id}
              onShow={() => setShownId(file.id)}
              onRemove={draft.stage.kind === 'editing' || file.refusal ? () => remove(file) : undefined}
              onReplace={(smaller) => void replaceFile(draft, file.id, smaller)}
            />
          ))}
        </ul>
      )}
      {draft.files.length > 1 && draft.stage.kind === 'editing' && (
        <p className={classes.split}>
          {t('together', { count: draft.files.length })}
          <Button variant="subtle" leftSection={<Split size={14} aria-hidden />} onClick={onSplit}>
            {t('oneEach')}
          </Button>
        </p>
      )}
    </section>
  )
}

function Shown({ file, place }: { file: DraftFile; place: PlaceOnPage | undefined }) {
  const [box, setBox] = useState<HTMLElement | null>(null)
  const { t } = useTranslation('capture')
  const preview = usePreview(file)
  const [invoice] = useDraftInvoices([file])
  if (invoice)
    return (
      <div className={classes.invoice}>
        <InvoiceCard invoice={invoice} />
      </div>
    )
  return (
    <div className={classes.well} data-filled ref={setBox}>
      {preview ? (
        <>
          <BlobImage blob={preview} alt={t('receipt.picture', { name: file.name })} />
          {place && <PlaceMark place={place} box={box} />}
        </>
      ) : (
        <>
          <FileIcon contentType={file.content_type} size={40} />
          <p>{preview === null ? t('receipt.noPicture') : ''}</p>
        </>
      )}
    </div>
  )
}
