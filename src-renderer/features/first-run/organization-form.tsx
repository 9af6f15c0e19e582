import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { instanceRoutes } from '#shared/contract/instance'
import { currencyExponents } from '#shared/domain/currencies'
import { ApiError, call } from '../../api/client'
import { usePreferences } from '../../state/preferences'
import { SearchSelect } from '../../ui/search-select'
import type { SetUpProps } from './choices'
import { CodeField } from './code-field'
import classes from './door.module.css'
import { isDesktopWindow } from './entry-code'
import { introduce } from './introduce'

const currencyCodes = Object.keys(currencyExponents)
const emptyForm = { organization: '', name: '', email: '', code: '' }

/** Makes the first organization and its admin. The language is the one the page is shown in. */
export function OrganizationForm({ code, onDone, onBack }: SetUpProps & { onBack: () => void }) {
  const { t } = useTranslation('first-run')
  const locale = usePreferences((state) => state.language)
  const [form, setForm] = useState(emptyForm)
  const [currency, setCurrency] = useState(locale === 'pt' ? 'BRL' : 'USD')
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
    onSuccess: onDone,
  })
  const needsCode = code === null && !isDesktopWindow()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const blank = Object.entries(form)
      .filter(([name, value]) => value.trim() === '' && (name !== 'code' || needsCode))
      .map(([name]) => name)
    setMissing(blank)
    if (blank.length === 0) make.mutate()
  }
  const fields = make.error instanceof ApiError ? make.error.fields : {}
  const errorOf = (name: string) => (missing.includes(name) ? t('organization.blank') : fields[name]?.join(', '))
  const field = (name: keyof typeof form) => ({
    size: 'sm',
    label: t(`organization.${name}`),
    value: form[name],
    error: errorOf(name),
    required: true,
    withAsterisk: false,
    onChange: (event: { currentTarget: { value: string } }) => setForm({ ...form, [name]: event.currentTarget.value }),
  })
  const hasOwnField = Object.keys(fields).some((name) => name in form)
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput {...field('organization')} autoFocus />
      <TextInput {...field('name')} autoComplete="name" />
      <TextInput {...field('email')} type="email" autoComplete="email" />
      <SearchSelect
        size="sm"
        label={t('organization.currency')}
        description={t('organization.currencyText')}
        data={currencyCodes}
        value={currency}
        onChange={setCurrency}
      />
      {needsCode && (
        <CodeField value={form.code} onChange={(value) => setForm({ ...form, code: value })} error={errorOf('code')} />
      )}
      {make.error && (!hasOwnField || (!needsCode && fields.code)) && (
        <p className={classes.failure} role="alert">
          {t('organization.failed', { reason: make.error.message })}
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
    </form>
  )
}
