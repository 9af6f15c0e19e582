import { Button, Checkbox, Group, Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { failureText } from './api/failure-text'
import { countKeptDecisions } from './features/review/deciding/kept-decisions'
import { useDrafts } from './state/drafts'
import { dropEdits, useKeptEdits } from './state/kept-edits'
import { isUnsent, useOutbox } from './state/outbox'
import { hasNoWayBack, useSignOutToken } from './sign-out-token'
import { ShownOnce } from './ui/values/shown-once'

export { hasNoWayBack }

/** What of a person stays on this device when they sign out: the ids of unsaved edits, and how many decisions have no response, and how many drafts and captures are not sent. */
export type LeftBehind = {
  readonly edits: readonly string[]
  readonly decisions: number
  readonly drafts: number
  readonly captures: number
}

/** What of a person is on this device alone. */
export function leftBehind(user_uid: string): LeftBehind {
  return {
    edits: useKeptEdits.getState().kept.flatMap((kept) => (kept.user_uid === user_uid ? [kept.id] : [])),
    decisions: countKeptDecisions(user_uid),
    drafts: useDrafts.getState().drafts.length,
    captures: useOutbox.getState().files.filter(isUnsent).length,
  }
}

type SignOutSheetProps = { user_uid: string; needsToken: boolean; onSignOut: () => void; onCancel: () => void }

/** Says, before someone signs out, what of theirs stays on this device, and makes the token that they need to come back. */
export function SignOutSheet({ user_uid, needsToken, onSignOut, onCancel }: SignOutSheetProps) {
  const { t } = useTranslation('shell')
  const { edits, decisions, drafts, captures } = leftBehind(user_uid)
  const { token, isKept, isMaking, failure, make, keep, drop } = useSignOutToken()
  const cancel = () => void drop().finally(onCancel)
  const isLocked = needsToken && !isKept
  const hasLeft = edits.length + decisions + drafts + captures > 0
  return (
    <Modal
      opened
      onClose={cancel}
      title={t('signOut.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
      transitionProps={{ duration: 100 }}
      attributes={{ header: { role: 'presentation' } }}
    >
      {needsToken && (
        <>
          <p>{t('signOut.noToken')}</p>
          {token !== null ? (
            <>
              <ShownOnce value={token} copyLabel={t('signOut.copy')} copiedLabel={t('signOut.copied')} />
              <Checkbox my={12} label={t('signOut.tokenKept')} checked={isKept} onChange={(event) => keep(event.currentTarget.checked)} />
            </>
          ) : (
            <Button data-autofocus loading={isMaking} onClick={make}>
              {t('signOut.makeToken')}
            </Button>
          )}
          {failure && <p role="alert">{failureText(failure)}</p>}
        </>
      )}
      {edits.length > 0 && <p>{t('signOut.edits', { count: edits.length })}</p>}
      {decisions > 0 && <p>{t('signOut.decisions', { count: decisions })}</p>}
      {drafts > 0 && <p>{t('signOut.drafts', { count: drafts })}</p>}
      {captures > 0 && <p>{t('signOut.captures', { count: captures })}</p>}
      {hasLeft && <p>{t('signOut.yours')}</p>}
      <Group justify="flex-end" gap={8} mt={12}>
        <Button variant="default" onClick={cancel}>
          {t('signOut.stay')}
        </Button>
        {edits.length > 0 && (
          <Button
            variant="default"
            disabled={isLocked}
            onClick={() => {
              dropEdits(edits)
              onSignOut()
            }}
          >
            {t('signOut.discard')}
          </Button>
        )}
        <Button data-autofocus={!needsToken} disabled={isLocked} onClick={onSignOut}>
          {t('signOut.keep')}
        </Button>
      </Group>
    </Modal>
  )
}
