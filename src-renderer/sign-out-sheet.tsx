import { Button, Group, Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useDrafts } from './state/drafts'
import { dropEdits, useKeptEdits } from './state/kept-edits'

/** The ids of the unsaved edits of a person on this device, and how many drafts of expenses lie beside them. */
export function leftBehind(user_uid: string): { edits: string[]; drafts: number } {
  const edits = useKeptEdits.getState().kept.filter((kept) => kept.user_uid === user_uid)
  return { edits: edits.map(({ id }) => id), drafts: useDrafts.getState().drafts.length }
}

type SignOutSheetProps = { user_uid: string; onSignOut: () => void; onCancel: () => void }

/** Says, before someone signs out, what of theirs stays on this device, and offers to discard the edits. */
export function SignOutSheet({ user_uid, onSignOut, onCancel }: SignOutSheetProps) {
  const { t } = useTranslation('shell')
  const { edits, drafts } = leftBehind(user_uid)
  return (
    <Modal opened onClose={onCancel} title={t('signOut.title')} transitionProps={{ duration: 100 }}>
      {edits.length > 0 && <p>{t('signOut.edits', { count: edits.length })}</p>}
      {drafts > 0 && <p>{t('signOut.drafts', { count: drafts })}</p>}
      <p>{t('signOut.yours')}</p>
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onCancel}>
          {t('signOut.stay')}
        </Button>
        {edits.length > 0 && (
          <Button
            variant="default"
            onClick={() => {
              dropEdits(edits)
              onSignOut()
            }}
          >
            {t('signOut.discard')}
          </Button>
        )}
        <Button data-autofocus onClick={onSignOut}>
          {t('signOut.keep')}
        </Button>
      </Group>
    </Modal>
  )
}
