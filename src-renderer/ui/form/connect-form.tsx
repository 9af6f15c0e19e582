import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './connect-form.module.css'

/** Which server, and the API token that signs in to it. */
export type ServerAccess = { readonly url: string; readonly token: string }

/** `url` is of a server that is known and stays: only a token is asked then. `failure`: what is wrong apart from the fields. */
export type ConnectFormProps = {
  label: string
  url?: string
  submitLabel?: string
  isBusy: boolean
  /** Whether the fields among the children are filled in. */
  isComplete?: boolean
  errors: { readonly url?: readonly string[]; readonly token?: readonly string[] }
  failure: string | null
  children?: ReactNode
  onConnect: (access: ServerAccess) => void
  onCancel?: () => void
}

/** Asks for a server and a token, to work on a copy of it. */
export function ConnectForm({ label, url: known, submitLabel, isBusy, isComplete = true, ...rest }: ConnectFormProps) {
  const { errors, failure, children, onConnect, onCancel } = rest
  const { t } = useTranslation('ui')
  const [url, setUrl] = useState(known ?? '')
  const [token, setToken] = useState('')
  const isFilled = isComplete && url.trim() !== '' && token.trim() !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isFilled && !isBusy) onConnect({ url: url.trim(), token: token.trim() })
  }
  return (
    <form className={classes.form} onSubmit={submit} aria-label={label} noValidate>
      {known === undefined && (
        <TextInput
          label={t('connect.url')}
          placeholder="https://outlay.example.org"
          value={url}
          inputMode="url"
          autoComplete="url"
          autoFocus
          spellCheck={false}
          error={errors.url?.join(' ')}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
      )}
      <PasswordInput
        size="xs"
        label={t('connect.token')}
        description={t('connect.tokenHint')}
        value={token}
        autoComplete="off"
        error={errors.token?.join(' ')}
        visibilityToggleButtonProps={{ 'aria-label': t('connect.showToken') }}
        onChange={(event) => setToken(event.currentTarget.value)}
      />
      {children}
      {failure !== null && (
        <p className={classes.failure} role="alert">
          {failure}
        </p>
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={isBusy} disabled={!isFilled}>
          {submitLabel ?? t('connect.go')}
        </Button>
        {onCancel && (
          <Button variant="subtle" color="gray" disabled={isBusy} onClick={onCancel}>
            {t('cancel')}
          </Button>
        )}
        {isBusy && (
          <span className={classes.quiet} role="status">
            {t('connect.working')}
          </span>
        )}
      </div>
    </form>
  )
}
