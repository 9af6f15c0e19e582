import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { connectRemote, signInAgain } from '../../api/replica'
import { useSession } from '../../api/session'
import { withScheme } from '../../api/with-scheme'
import { useDrafts } from '../../state/drafts'
import { ConnectForm, type ServerAccess } from '../../ui/form/connect-form'
import classes from './sync.module.css'

/** Names the remote and signs in to it. `url`: of the remote that is there already, which then stays. */
export function Connect({ url, onCancel }: { url?: string; onCancel?: () => void }) {
  const { t } = useTranslation('sync')
  const { data: session } = useSession()
  const drafts = useDrafts((state) => state.drafts.length)
  const isNew = url === undefined
  const { error, isPending, mutate } = useConnect(session?.way === 'local')
  const fields = error instanceof ApiError ? error.fields : {}
  const isNamed = (isNew && fields.url !== undefined) || fields.token !== undefined
  const isShared = error instanceof ApiError && error.status === 403
  return (
    <ConnectForm
      label={t('connect.title')}
      url={url}
      submitLabel={isNew ? undefined : t('connect.replace')}
      isBusy={isPending}
      errors={fields}
      failure={error && !isNamed ? (isShared ? t('connect.shared') : failureText(error)) : null}
      onConnect={mutate}
      onCancel={onCancel}
    >
      {isNew && (
        <ul className={classes.points}>
          <li>{t('connect.copied')}</li>
          <li>{t('connect.user', { name: session?.user.first_name ?? '' })}</li>
          <li>{t('connect.after')}</li>
          {drafts > 0 && <li>{t('connect.drafts', { count: drafts })}</li>}
        </ul>
      )}
    </ConnectForm>
  )
}

/** Connects; the browser is the remote's user then, and all that it held of another one is let go by loading the page again. */
function useConnect(isLocal: boolean) {
  return useMutation({
    mutationFn: async ({ url, token }: ServerAccess) => {
      await connectRemote({ url: withScheme(url), token })
      // The window of the desktop is let in without a session. Where signing in does not come through, the page asks for it.
      if (!isLocal) await signInAgain(token).catch(() => undefined)
    },
    onSuccess: () => location.assign('/sync'),
  })
}
