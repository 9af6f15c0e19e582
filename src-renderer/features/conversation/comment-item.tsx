import { ActionIcon, Tooltip } from '@mantine/core'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Comment } from '#shared/contract/comments'
import { may } from '#shared/domain/permissions'
import { localUrl } from '../../api/attachments'
import { useWriteComment } from '../../api/comments'
import { failureText } from '../../api/failure-text'
import type { Followable } from '../../api/followables'
import type { ConversationViewer } from '../../records/conversation/conversation'
import { KeptEditNotice } from '../../ui/form/draft-notice'
import { Instant } from '../../ui/values/instant'
import { PersonAvatar } from '../../ui/values/person-avatar'
import { notifyFailure } from '../../state/notices'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { CommentEditor, type CommentWriting } from './comment-editor'
import classes from './conversation.module.css'
import { toCommentParts } from './mentions'

/** A comment; its author edits it in place, a deleted one is only a notice. */
export function CommentItem({ followable, comment, viewer }: { followable: Followable; comment: Comment; viewer: ConversationViewer }) {
  const { t } = useTranslation('conversation')
  const [isEditing, setEditing] = useState(false)
  const write = useWriteComment(followable)
  const { user } = comment
  const name = `${user.first_name} ${user.last_name}`.trim()
  const isDeleted = comment.deleted_at !== null
  const is_author = viewer.user_id === user.id
  const relation = { role: viewer.role, is_author }
  const avatar = user.avatar.find(({ style }) => style === 'tiny')
  const remove = () =>
    write.mutate(
      { kind: 'delete', id: comment.id },
      { onError: (error) => notifyFailure({ title: t('comments.notDeleted'), message: failureText(error) }) },
    )
  return (
    <li className={classes.comment}>
      <PersonAvatar name={name} src={avatar && localUrl(avatar.url)} />
      <div className={classes.commentBody}>
        <div className={classes.commentHead}>
          <strong>{name}</strong>
          <span className={classes.small}>
            <Instant value={comment.created_at} show="moment" />
            {comment.updated_at !== comment.created_at && !isDeleted && ` · ${t('comments.edited')}`}
          </span>
          <span className={classes.grow} />
          {!isDeleted && may('comments.update', relation) && (
            <Tooltip label={t('comments.edit')}>
              <ActionIcon size={24} aria-label={t('comments.edit')} onClick={() => setEditing(true)}>
                <Pencil size={13} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
          {!isDeleted && may('comments.delete', relation) && (
            <Tooltip label={t('comments.delete')}>
              <ActionIcon size={24} aria-label={t('comments.delete')} disabled={write.isPending} onClick={remove}>
                <Trash2 size={13} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
        {isEditing ? (
          <EditComment followable={followable} comment={comment} onDone={() => setEditing(false)} />
        ) : (
          <>
            {!isDeleted && is_author && <KeptEditNotice form="comment-edit" record={comment.id} onResume={() => setEditing(true)} />}
            <CommentText comment={comment} isDeleted={isDeleted} />
          </>
        )}
      </div>
    </li>
  )
}

function EditComment({ followable, comment, onDone }: { followable: Followable; comment: Comment; onDone: () => void }) {
  const { t } = useTranslation('conversation')
  const write = useWriteComment(followable)
  const draft = useFormDraft<CommentWriting>({ form: 'comment-edit', record: comment.id, stored: { text: comment.content } })
  const save = () =>
    write.mutate(
      { kind: 'change', id: comment.id, content: draft.value.text.trim() },
      {
        onSuccess: () => {
          draft.done()
          onDone()
        },
      },
    )
  return (
    <CommentEditor
      draft={draft}
      followable={followable}
      label={t('comments.edit')}
      isSending={write.isPending}
      wantsFocus
      error={write.error ? failureText(write.error) : undefined}
      sendLabel={t('save')}
      onSend={save}
      onLeave={onDone}
    />
  )
}

function CommentText({ comment, isDeleted }: { comment: Comment; isDeleted: boolean }) {
  return (
    <p className={isDeleted ? classes.commentGone : classes.commentText}>
      {toCommentParts(comment.content, comment.mentioned_users).map((part, index) =>
        part.kind === 'mention' ? (
          <span key={index} className={classes.mention} title={part.name}>
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </p>
  )
}
