import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useComments, useWriteComment } from '../../api/comments'
import { failureText } from '../../api/failure-text'
import type { CommentsProps } from '../../records/conversation/conversation'
import { ErrorState } from '../../ui/feedback/error-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { CommentEditor, type CommentWriting } from './comment-editor'
import { CommentItem } from './comment-item'
import classes from './conversation.module.css'
import { Participants } from './participants'

/** The conversation about a record, the newest at the foot next to the editor, and its participants. `isWriting`: focus the editor. */
export function CommentsPanel({ followable, viewer, isWriting, onWritingStarted, onLeft }: CommentsProps) {
  const { t } = useTranslation('conversation')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useComments(followable)
  const draft = useFormDraft<CommentWriting>({
    form: 'comment-new',
    record: `${followable.kind} ${followable.id}`,
    stored: { text: '' },
    isRestored: true,
  })
  const text = draft.value.text.trim()
  const write = useWriteComment(followable)
  const comments = data?.pages.flatMap((page) => page.comments).toReversed()
  const send = () => {
    if (text === '' || write.isPending) return
    write.mutate({ kind: 'add', content: text }, { onSuccess: () => draft.done({ text: '' }) })
  }
  return (
    <>
      <Participants followable={followable} viewer={viewer} onLeft={onLeft} />
      {comments === undefined && error === null && <SkeletonRows count={3} />}
      {comments === undefined && error !== null && (
        <ErrorState happened={t('comments.notLoaded')} kept={failureText(error)} onRetry={() => void refetch()} />
      )}
      {hasNextPage && (
        <Button variant="subtle" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('comments.earlier')}
        </Button>
      )}
      {comments?.length === 0 && <p className={classes.hint}>{t('comments.none')}</p>}
      {comments && comments.length > 0 && (
        <ol className={classes.list} aria-label={t('tabs.comments')}>
          {comments.map((comment) => (
            <CommentItem key={comment.uid} followable={followable} comment={comment} viewer={viewer} />
          ))}
        </ol>
      )}
      <div className={classes.composer}>
        <CommentEditor
          followable={followable}
          label={t('comments.write')}
          draft={draft}
          isSending={write.isPending}
          wantsFocus={isWriting}
          onFocused={onWritingStarted}
          error={write.error ? failureText(write.error) : undefined}
          sendLabel={t('comments.send')}
          onSend={send}
        />
      </div>
    </>
  )
}
