import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import type { Language } from '#shared/domain/locales'
import { convertPicture, isConvertedHere } from '../../api/pictures'
import { type Draft, createDraft, isBlank } from '../../state/draft'
import { addFiles, findDraft, putDraft } from '../../state/drafts'
import { announce, notifyDone } from '../../state/notices'
import { captureFiles } from '../../state/outbox'
import { usePreferences } from '../../state/preferences'
import { sendWaiting } from '../../state/sending'
import { formatBytes } from '../../ui/values/format-bytes'
import { checkFile, type FileCheck } from './file-check'
import type { InvoiceFill } from './invoice-notes'
import { draftDefaults } from './last-used'
import { fillEmpty, readInvoiceFile, toValues } from './read-invoice'
import { showCurrentDraft } from './use-make-expenses'

/** Puts files on the draft in the form, or makes one draft of each; says what receipts cannot be. `open`: shows a draft in the form. */
export function useAddFiles(
  draft: Draft,
  { session: { user, upload_max_bytes: maxBytes }, open }: { session: Session; open: (draftId: string) => void },
) {
  const { t } = useTranslation('capture')
  const language = usePreferences((state) => state.language)
  const { refusals, check } = useFileCheck(maxBytes)
  const [filled, setFilled] = useState<Readonly<Record<string, InvoiceFill | undefined>>>({})
  const fill = useCallback(
    async (draftId: string, files: readonly File[]) => {
      const found = await fillFromInvoices(draftId, files, language)
      if (found) setFilled((known) => ({ ...known, [draftId]: found }))
    },
    [language],
  )
  const put = (to: Draft, files: readonly File[]) => {
    void navigator.storage?.persist?.()
    void addFiles(to, files)
      .then(sendWaiting)
      .then(() => fill(to.id, files))
  }
  const add = async (given: readonly File[]) => {
    const good = await check(given)
    if (good.length > 0 && draft.stage.kind !== 'sending') put(draft, good)
  }
  const addEach = async (given: readonly File[]) => {
    const good = await check(given)
    const made = good.map((file) => ({ file, own: createDraft(user.uid, draftDefaults(draft.form.payer_id, user.default_currency)) }))
    for (const { file, own } of made) put(own, [file])
    if (made[0] && isBlank(draft)) {
      open(made[0].own.id)
      requestAnimationFrame(showCurrentDraft)
    }
    if (made.length > 0) announce(t('splitDone', { count: made.length }))
  }
  return {
    filled: filled[draft.id],
    forgetFill: () => setFilled((known) => ({ ...known, [draft.id]: undefined })),
    refusals,
    add: (files: readonly File[]) => void add(files),
    addEach: (files: readonly File[]) => void addEach(files),
    fill,
  }
}

/** `check`: the files that receipts can be; what is refused is said, and what has to be converted first goes to the inbox. */
function useFileCheck(maxBytes: number) {
  const { t } = useTranslation('capture')
  const language = usePreferences((state) => state.language)
  const [refused, setRefused] = useState<readonly Extract<FileCheck, { name: string }>[]>([])
  const check = async (given: readonly File[]): Promise<File[]> => {
    const files = await Promise.all(given.map(toReceiptFile))
    const checks = files.map((file) => checkFile(file, maxBytes))
    const filesOf = (wanted: 'ok' | 'convertible') => checks.flatMap((one) => (one.kind === wanted ? [one.file] : []))
    setRefused(checks.flatMap((one) => ('name' in one ? [one] : [])))
    const convertible = filesOf('convertible')
    if (convertible.length > 0) {
      captureFiles(convertible, { source: 'drop' })
      notifyDone(t('inbox.converted', { count: convertible.length }))
    }
    return filesOf('ok')
  }
  const size = formatBytes(maxBytes, language)
  return { check, refusals: refused.map(({ kind, name }) => t(`refusedFile.${kind}`, { name, size })) }
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
