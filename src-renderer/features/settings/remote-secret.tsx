import { Button, PasswordInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { DesktopBridge } from '#shared/desktop/channels'
import type { SecretState } from '#shared/desktop/preferences'
import classes from './settings.module.css'

/** How the remote's token is kept; where the system would hide it in plain text only, the passphrase that it is kept under. */
export function RemoteSecret({ state, bridge }: { state: SecretState; bridge: DesktopBridge }) {
  const { t } = useTranslation('computer')
  const client = useQueryClient()
  const [passphrase, setPassphrase] = useState('')
  const { mutate, data, isPending } = useMutation({
    mutationFn: () => bridge.call('secret.unlock', { passphrase }),
    onSuccess: ({ kind }) => {
      if (kind === 'wrong') return
      setPassphrase('')
      void client.invalidateQueries()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (passphrase !== '') mutate()
  }
  const isAsked = state === 'locked' || state === 'unset'
  return (
    <div role="group" aria-labelledby="remote-secret">
      <p id="remote-secret" className={classes.plain}>
        {t('secret.label')}
      </p>
      <p className={classes.quiet}>{t(`secret.${state}`)}</p>
      {isAsked && (
        <form className={classes.row} onSubmit={submit}>
          <PasswordInput
            aria-label={t('secret.field')}
            placeholder={t('secret.field')}
            autoComplete="off"
            value={passphrase}
            error={data?.kind === 'wrong' && t('secret.wrong')}
            onChange={(event) => setPassphrase(event.currentTarget.value)}
            className={classes.grow}
          />
          <Button type="submit" loading={isPending}>
            {t(state === 'locked' ? 'secret.unlock' : 'secret.set')}
          </Button>
        </form>
      )}
    </div>
  )
}
