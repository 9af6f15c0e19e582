import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { instanceRoutes } from '#shared/contract/instance/instance'
import { ApiError, call } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { withScheme } from '../../api/with-scheme'
import { ConnectForm, type ServerAccess } from '../../ui/form/connect-form'
import { CodeField } from './code-field'
import { isDesktopWindow } from './entry-code'

/** Makes a new instance a replica of a server, and goes to where the first exchange is shown. `code` is null where the address had none. */
export function Connect({ code }: { code: string | null }) {
  const { t } = useTranslation('first-run')
  const [typedCode, setTypedCode] = useState('')
  const needsCode = code === null && !isDesktopWindow()
  const { error, isPending, mutate } = useMutation({
    mutationFn: ({ url, token }: ServerAccess) =>
      call(instanceRoutes.setUpReplica, { body: { url: withScheme(url), token, code: code ?? (typedCode.trim() || undefined) } }),
    onSuccess: () => location.assign('/sync'),
  })
  const fields = error instanceof ApiError ? error.fields : {}
  const isNamed = fields.url !== undefined || fields.token !== undefined || (needsCode && fields.code !== undefined)
  return (
    <ConnectForm
      label={t('choice.remote')}
      isBusy={isPending}
      isComplete={!needsCode || typedCode.trim() !== ''}
      errors={fields}
      failure={error && !isNamed ? t('connect.failed', { reason: failureText(error) }) : null}
      onConnect={mutate}
    >
      {needsCode && <CodeField value={typedCode} onChange={setTypedCode} error={fields.code?.join(' ')} />}
    </ConnectForm>
  )
}
