import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import { keyRoots } from '../../api/keys'
import { SignInForm } from './sign-in-form'

/** Asks a person whose session ended to sign in again, over the screen. */
export function SignInAgain({ session }: { session: Session }) {
  const { t } = useTranslation('first-run')
  const client = useQueryClient()
  const onSignedIn = (fresh: Session) => {
    if (fresh.user.uid !== session.user.uid) return location.assign('/')
    client.setQueryData(keyRoots.session, fresh)
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== keyRoots.session[0] })
  }
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('again.title')}
      transitionProps={{ duration: 100 }}
      // Who signed out in another tab leaves nothing to read in this one.
      overlayProps={{ backgroundOpacity: 1, color: 'var(--mantine-color-body)' }}
      attributes={{ header: { role: 'presentation' } }}
    >
      <p>{t('again.kept', { name: session.user.first_name })}</p>
      <SignInForm wanted={null} onSignedIn={onSignedIn} />
    </Modal>
  )
}
