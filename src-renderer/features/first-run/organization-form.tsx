import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { instanceRoutes } from '#shared/contract/instance/instance'
import { currencyChoices } from '#shared/domain/currencies'
import { localeOf } from '#shared/domain/locales'
import { ApiError, call } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { usePreferences } from '../../state/preferences'
import { DraftForm } from '../../ui/form/draft-form'
import { SearchSelect } from '../../ui/form/search-select'
import { useFormDraft } from '../../ui/form/use-form-draft'
import type { SetUpProps } from './choices'
import { CodeField } from './code-field'
import classes from './door.module.css'
import { isDesktopWindow } from './entry-code'
import { introduce } from './introduce'

const emptyForm = { organization: '', name: '', email: '' }

/** Makes the first organization and its admin. The language is the one the page is shown in. */
export function OrganizationForm({ code, onDone, onBack }: SetUpProps & { onBack: () => void }) {
  const { t } = useTranslation('first-run')
  const locale = usePreferences((state) => state.language)
  const [typedCode, setTypedCode] = useState('')
  const draft = useFormDraft({
    form: 'organization-set-up',
    record: '',
    stored: { ...emptyForm, currency: localeOf(locale).currency },
    hasUnkept: typedCode !== '',
  })
  const { currency, ...written } = draft.value
  const form = { ...written, code: typedCode }
  const [missing, setMissing] = useState<readonly string[]>([])
  const make = useMutation({
    mutationFn: async () => {
      const { organization, name, email, code: typed } = form
      return introduce(
        await call(instanceRoutes.setUp, {
          body: {
            kind: 'organization',
            organization,
            name,
            email: email.trim(),
            currency,
            locale,
            code: code ?? (typed.trim() || undefined),
          },
        }),
        locale,
      )
    },
    onSuccess: (session) => {
      draft.done()
      onDone(session)
    },
  })
  const needsCode = code === null && !isDesktopWindow()
  const submit = () => {
    const blank = Object.entries(form)
      .filter(([name, value]) => value.trim() === '' && (name !== 'code' || needsCode))
      .map(([name]) => name)
    setMissing(blank)
    if (blank.length === 0) make.mutate()
  }
  const fields = make.error instanceof ApiError ? make.error.fields : {}
  const errorOf = (name: string) => (missing.includes(name) ? t('organization.blank') : fields[name]?.join(' '))
  const field = (name: keyof typeof emptyForm) => ({
    size: 'sm',
    label: t(`organization.${name}`),
    value: form[name],
    error: errorOf(name),
    required: true,
    withAsterisk: false,
    onChange: (event: { currentTarget: { value: string } }) => draft.change({ [name]: event.currentTarget.value }),
  })
  const hasOwnField = Object.keys(fields).some((name) => name in form)
  return (
    <DraftForm draft={draft} className={classes.form} onSubmit={submit}>
      <TextInput {...field('organization')} autoFocus />
      <TextInput {...field('name')} autoComplete="name" />
      <TextInput {...field('email')} type="email" autoComplete="email" />
      <SearchSelect
        size="sm"
        label={t('organization.currency')}
        description={t('organization.currencyText')}
        data={currencyChoices(currency)}
        value={currency}
        onChange={(code) => draft.change({ currency: code })}
      />
      {needsCode && <CodeField value={form.code} onChange={setTypedCode} error={errorOf('code')} />}
      {make.error && (!hasOwnField || (!needsCode && fields.code)) && (
        <p className={classes.failure} role="alert">
          {t('organization.failed', { reason: failureText(make.error) })}
        </p>
      )}
      <div className={classes.actions}>
        <Button size="sm" type="submit" loading={make.isPending}>
          {t('organization.go')}
        </Button>
        <Button size="sm" variant="subtle" color="gray" onClick={onBack}>
          {t('organization.back')}
        </Button>
      </div>
    </DraftForm>
  )
}
