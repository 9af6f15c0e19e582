import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { connectRemote, signInAgain } from '../../api/replica'
import { useSession } from '../../api/session'
import { withScheme } from '../../api/with-scheme'
import { useDrafts } from '../../state/drafts'
import classes from './sync.module.css'

/** Names the remote and signs in to it. `url`: of the remote that is there already, which then stays. */
export function ConnectForm({ url: known, onCancel }: { url: string; onCancel?: () => void }) {
  const { t } = useTranslation('sync')
  const { data: session } = useSession()
  const drafts = useDrafts((state) => state.drafts.length)
  const [url, setUrl] = useState(known)
  const [token, setToken] = useState('')
  const isNew = known === ''
  const connect = useConnect(session?.way === 'local')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = { url: withScheme(url.trim()), token: token.trim() }
    if (given.url !== '' && given.token !== '') connect.mutate(given)
  }
  const { error } = connect
  const fields = error instanceof ApiError ? error.fields : {}
  return (
    <form className={classes.form} onSubmit={submit} aria-label={t('connect.title')} noValidate>
      {isNew && (
        <TextInput
          label={t('connect.url')}
          placeholder="https://outlay.example.org"
          value={url}
          inputMode="url"
          autoComplete="url"
          autoFocus
          spellCheck={false}
          error={fields.url?.join(' ')}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
      )}
      <PasswordInput
        size="xs"
        label={t('connect.token')}
        description={t('connect.tokenHint')}
        value={token}
        autoComplete="off"
        error={fields.token?.join(' ')}
        visibilityToggleButtonProps={{ 'aria-label': t('connect.showToken') }}
        onChange={(event) => setToken(event.currentTarget.value)}
      />
      {isNew && (
        <ul className={classes.points}>
          <li>{t('connect.copied')}</li>
          <li>{t('connect.user', { name: session?.user.first_name ?? '' })}</li>
          <li>{t('connect.after')}</li>
          {drafts > 0 && <li>{t('connect.drafts', { count: drafts })}</li>}
        </ul>
      )}
      {error && !fields.url && !fields.token && (
        <p className={classes.failure} role="alert">
          {error instanceof ApiError && error.status === 403 ? t('connect.shared') : failureText(error)}
        </p>
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={connect.isPending} disabled={url.trim() === '' || token.trim() === ''}>
          {t(isNew ? 'connect.go' : 'connect.replace')}
        </Button>
        {onCancel && (
          <Button variant="subtle" color="gray" disabled={connect.isPending} onClick={onCancel}>
            {t('connect.cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}

/** Connects; the browser is the remote's user then, and loading the page again drops all data of any other user. */
function useConnect(isLocal: boolean) {
  return useMutation({
    mutationFn: async (given: { url: string; token: string }) => {
      await connectRemote(given)
      // The window of the desktop is let in without a session. Where signing in does not come through, the page asks for it.
      if (!isLocal) await signInAgain(given.token).catch(() => undefined)
    },
    onSuccess: () => location.assign('/sync'),
  })
}
