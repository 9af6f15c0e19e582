import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { useComments, useWriteComment } from '../../api/comments'
import { ErrorState } from '../../ui/error-state'
import { SkeletonRows } from '../../ui/skeleton-rows'
import { useCommentDraft } from './comment-drafts'
import { CommentEditor } from './comment-editor'
import { CommentItem } from './comment-item'
import type { ExpenseAccess } from './expense-access'
import classes from './expense.module.css'
import { failureText } from './failure-text'
import { Participants } from './participants'

/** The conversation about an expense, the newest at the foot beside where one writes, and who takes part in it. `isWriting`: the focus is wanted there. */
export function CommentsPanel({
  expense,
  access,
  isWriting,
  onWritingStarted,
  onClose,
}: {
  expense: Expense
  access: ExpenseAccess
  isWriting: boolean
  onWritingStarted: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('expense')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useComments(expense.id)
  const { draft, setDraft } = useCommentDraft(expense.id)
  const write = useWriteComment(expense.id)
  const comments = data?.pages.flatMap((page) => page.comments).toReversed()
  const send = () => {
    if (draft.trim() === '' || write.isPending) return
    write.mutate({ kind: 'add', content: draft.trim() }, { onSuccess: () => setDraft('') })
  }
  return (
    <>
      <Participants expense={expense} access={access} onClose={onClose} />
      {comments === undefined && error === null && <SkeletonRows count={3} />}
      {comments === undefined && error !== null && (
        <ErrorState
          happened={t('comments.notLoaded')}
          kept={failureText(error, t)}
          action={{ label: t('ui:retry'), run: () => void refetch() }}
        />
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
            <CommentItem key={comment.uid} expense_id={expense.id} comment={comment} access={access} />
          ))}
        </ol>
      )}
      <div className={classes.composer}>
        <CommentEditor
          expense_id={expense.id}
          label={t('comments.write')}
          text={draft}
          onText={setDraft}
          isSending={write.isPending}
          wantsFocus={isWriting}
          onFocused={onWritingStarted}
          error={write.error ? failureText(write.error, t) : undefined}
          sendLabel={t('comments.send')}
          onSend={send}
        />
      </div>
    </>
  )
}
