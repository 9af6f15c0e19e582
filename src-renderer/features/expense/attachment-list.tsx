import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core'
import { Download, FileText, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShallow } from 'zustand/react/shallow'
import type { Expense } from '#shared/contract/expenses'
import { holdsDecision } from '#shared/domain/expense-status'
import type { AttachmentRepresentation } from '#shared/contract/attachments'
import { localUrl, pictureUrl, useDescribeAttachment } from '../../api/attachments'
import { failureText } from '../../api/failure-text'
import { toSmallerPicture } from '../../api/pictures'
import { useRefusalText } from '../../records/expense/refusal-text'
import { usePreferences } from '../../state/preferences'
import { CancelButton, DraftForm } from '../../ui/form/draft-form'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { Instant } from '../../ui/values/instant'
import type { OutboxFile } from '../../state/draft-db'
import { notifyFailure } from '../../state/notices'
import { attachFile, dropFiles, reasonOf, replaceInOutbox, retryFiles, useOutbox } from '../../state/outbox'
import { useSending } from '../../state/sending'
import { AddAttachment } from './add-attachment'
import classes from './expense.module.css'
import { formatBytes } from '../../ui/values/format-bytes'
import { deleteWithUndo } from './pending-deletes'

/** The attachments of an expense: shown, described, downloaded, deleted, added. */
export function AttachmentList({
  expense,
  attachments,
  canEdit,
  onShow,
}: {
  expense: Expense
  attachments: readonly AttachmentRepresentation[]
  canEdit: boolean
  onShow: (index: number) => void
}) {
  const { t } = useTranslation('expense')
  const uploads = useOutbox(useShallow(({ files }) => files.filter(({ expense_id }) => expense_id === expense.id)))
  if (attachments.length + uploads.length === 0) return null
  return (
    <section className={classes.block} aria-labelledby="expense-attachments">
      <div className={classes.blockHead}>
        <h3 id="expense-attachments" className={classes.blockTitle}>
          {t('attachments.title')}
        </h3>
        {canEdit && <AddAttachment expense={expense} />}
      </div>
      <ul className={classes.list}>
        {attachments.map((attachment, index) => (
          <AttachmentRow key={attachment.uid} expense={expense} attachment={attachment} canEdit={canEdit} onShow={() => onShow(index)} />
        ))}
      </ul>
      {uploads.map((item) => (
        <UploadRow key={item.key} expense_id={expense.id} item={item} />
      ))}
    </section>
  )
}

function AttachmentRow({
  expense,
  attachment,
  canEdit,
  onShow,
}: {
  expense: Expense
  attachment: AttachmentRepresentation
  canEdit: boolean
  onShow: () => void
}) {
  const { t } = useTranslation('expense')
  const language = usePreferences((state) => state.language)
  const [isDescribing, setDescribing] = useState(false)
  const name = attachment.file_name
  const thumb = pictureUrl(attachment, 'thumb')
  if (isDescribing)
    return (
      <li className={classes.attachment}>
        <DescriptionField expense={expense} attachment={attachment} onDone={() => setDescribing(false)} />
      </li>
    )
  return (
    <li className={classes.attachment}>
      <button type="button" className={classes.attachmentShow} onClick={onShow} aria-label={t('attachments.show', { name })}>
        {thumb ? (
          <img src={thumb} alt="" className={classes.thumb} />
        ) : (
          <span className={classes.thumb}>
            <FileText size={16} aria-hidden />
          </span>
        )}
      </button>
      <span className={classes.attachmentText}>
        <span className={classes.clip} title={name}>
          {attachment.description ?? name}
        </span>
        <span className={`${classes.small} tabular`}>
          {attachment.description !== null && `${name} · `}
          {formatBytes(attachment.bytes, language)} · {attachment.user.first_name} ·{' '}
          <Instant value={attachment.uploaded_at} show="moment" />
        </span>
      </span>
      {canEdit && (
        <Tooltip label={t('attachments.describe')}>
          <ActionIcon aria-label={t('attachments.describeOne', { name })} onClick={() => setDescribing(true)}>
            <Pencil size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label={t('receipt.download')}>
        <ActionIcon component="a" href={localUrl(attachment.url)} download={name} aria-label={t('attachments.downloadOne', { name })}>
          <Download size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {canEdit && (
        <Tooltip label={t(holdsDecision(expense.status) ? 'attachments.deleteDecided' : 'attachments.delete')}>
          <ActionIcon aria-label={t('attachments.deleteOne', { name })} onClick={() => deleteWithUndo(expense, attachment, t)}>
            <Trash2 size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  )
}

function DescriptionField({ expense, attachment, onDone }: { expense: Expense; attachment: AttachmentRepresentation; onDone: () => void }) {
  const { t } = useTranslation('expense')
  const draft = useFormDraft({ form: 'attachment-edit', record: attachment.id, stored: { description: attachment.description ?? '' } })
  const text = draft.value.description
  const describe = useDescribeAttachment(expense.id)
  const save = () =>
    describe.mutate(
      { id: attachment.id, description: text.trim() === '' ? null : text.trim() },
      {
        onSuccess: () => {
          draft.done()
          onDone()
        },
        onError: (error) => notifyFailure({ title: t('attachments.notDescribed'), message: failureText(error) }),
      },
    )
  return (
    <DraftForm draft={draft} words={{ name: () => t('fields.description') }} className={classes.describe} onSubmit={save} onLeave={onDone}>
      <TextInput
        className={classes.grow}
        aria-label={t('attachments.describeOne', { name: attachment.file_name })}
        placeholder={attachment.file_name}
        value={text}
        autoFocus
        onChange={(event) => draft.change({ description: event.currentTarget.value })}
      />
      <Button type="submit" disabled={describe.isPending}>
        {t('save')}
      </Button>
      <CancelButton draft={draft} onLeave={onDone} />
    </DraftForm>
  )
}

/** A file on its way to an expense, or why it does not get there. */
function UploadRow({ expense_id, item: { key, file, upload, refusal } }: { expense_id: number; item: OutboxFile }) {
  const { t } = useTranslation('expense')
  const state = useOutbox(({ states }) => states[key])
  const isAway = useSending(({ isServerAway }) => isServerAway)
  const wordRefusal = useRefusalText()
  const reason = refusal ? wordRefusal(refusal) : reasonOf(state)
  const shrink = () =>
    toSmallerPicture(file).then(
      (smaller) => replaceInOutbox(key, smaller),
      () => {
        dropFiles([key])
        attachFile(file, expense_id, t('capture:refusal.notShrunkTodo'))
      },
    )
  return (
    <div className={classes.upload} role={reason ? 'alert' : undefined}>
      <span className={classes.clip}>{file.name}</span>
      {reason === '' && state === undefined && isAway ? (
        <span className={classes.small}>{t('capture:inbox.toSendLater', { count: 1 })}</span>
      ) : reason === '' ? (
        <progress
          className={classes.uploadBar}
          value={state?.kind === 'uploading' ? state.share : upload === null ? 0 : 1}
          max={1}
          aria-label={t('attachments.uploading', { name: file.name })}
        />
      ) : (
        <>
          <span className={classes.uploadError}>{reason}</span>
          {(refusal?.code === 'refused' || state?.kind === 'failed') && (
            <Button variant="default" onClick={() => retryFiles([key])}>
              {t('ui:retry')}
            </Button>
          )}
          {refusal?.code === 'too_many_pixels' && (
            <Button variant="default" onClick={() => void shrink()}>
              {t('capture:refusal.shrink')}
            </Button>
          )}
          <Button variant="subtle" color="gray" onClick={() => dropFiles([key])}>
            {t('attachments.forget')}
          </Button>
        </>
      )}
    </div>
  )
}
