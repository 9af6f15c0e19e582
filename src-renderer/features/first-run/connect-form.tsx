import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { instanceRoutes } from '#shared/contract/instance'
import { ApiError, call } from '../../api/client'
import { withScheme } from '../../api/with-scheme'
import { CodeField } from './code-field'
import classes from './door.module.css'
import { isDesktopWindow } from './entry-code'

/** Makes a new instance a replica of a server, and goes to where the first exchange is shown. `code` is null where the address had none. */
export function ConnectForm({ code }: { code: string | null }) {
  const { t } = useTranslation('first-run')
  const [url, setUrl] = useState('')
  const [token, setToken] = useState('')
  const [typedCode, setTypedCode] = useState('')
  const needsCode = code === null && !isDesktopWindow()
  const connect = useMutation({
    mutationFn: () =>
      call(instanceRoutes.setUpReplica, {
        body: { url: withScheme(url.trim()), token: token.trim(), code: code ?? (typedCode.trim() || undefined) },
      }),
    onSuccess: () => location.assign('/sync'),
  })
  const { error } = connect
  const fields = error instanceof ApiError ? error.fields : {}
  const isNamed = Boolean(fields['url'] ?? fields['token'] ?? fields['code'])
  const isComplete = url.trim() !== '' && token.trim() !== '' && (!needsCode || typedCode.trim() !== '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isComplete && !connect.isPending) connect.mutate()
  }
  return (
    <form className={classes.form} onSubmit={submit} aria-label={t('choice.remote')} noValidate>
      <TextInput
        size="sm"
        label={t('connect.url')}
        placeholder="https://outlay.example.org"
        value={url}
        inputMode="url"
        autoComplete="url"
        spellCheck={false}
        autoFocus
        error={fields['url']?.join(' ')}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <PasswordInput
        size="sm"
        label={t('connect.token')}
        description={t('connect.tokenText')}
        value={token}
        autoComplete="off"
        error={fields['token']?.join(' ')}
        visibilityToggleButtonProps={{ 'aria-label': t('connect.show') }}
        onChange={(event) => setToken(event.currentTarget.value)}
      />
      {needsCode && <CodeField value={typedCode} onChange={setTypedCode} error={fields['code']?.join(' ')} />}
      <div className={classes.actions}>
        <Button size="sm" type="submit" loading={connect.isPending} disabled={!isComplete}>
          {t('connect.go')}
        </Button>
        {connect.isPending && (
          <span className={classes.quiet} role="status">
            {t('connect.working')}
          </span>
        )}
      </div>
      {error && !isNamed && (
        <p className={classes.failure} role="alert">
          {t('connect.failed', { reason: error.message })}
        </p>
      )}
    </form>
  )
}
