import { Button, Checkbox, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiTokenRoutes } from '#shared/contract/instance/api-tokens'
import { toInstant } from '#shared/domain/dates'
import { scopes } from '#shared/domain/doors/scopes'
import { call } from '#renderer/api/client'
import { failureText, fieldFailure } from '#renderer/api/failure-text'
import { DraftForm } from '#renderer/ui/form/draft-form'
import { useFormDraft } from '#renderer/ui/form/use-form-draft'
import { now } from '#renderer/ui/values/clock'
import { ShownOnce } from '#renderer/ui/values/shown-once'
import { announce } from '#renderer/state/notices'
import classes from '../settings.module.css'

/** After how many days a token ends; empty: never. */
const ends = ['', '7', '30', '90', '365'] as const
const dayMs = 86_400_000
const empty = { description: '', access: 'all', chosen: 'read', days: '' }

/** Makes an API token with a name, what it may do and when it ends, and shows it once. */
export function TokenForm() {
  const { t } = useTranslation('settings')
  const draft = useFormDraft({ form: 'token-new', record: '', stored: empty })
  const { description, access, chosen, days } = draft.value
  const make = useMutation({
    mutationFn: () =>
      call(apiTokenRoutes.create, {
        body: {
          description: description.trim(),
          scopes: access === 'all' ? null : scopes.filter((scope) => chosen.split(' ').includes(scope)),
          expires_at: days === '' ? null : toInstant(new Date(now().getTime() + Number(days) * dayMs)),
        },
      }),
    onSuccess: () => {
      draft.done(empty)
      announce(t('tokens.once'))
    },
  })
  const submit = () => {
    if (description.trim() !== '') make.mutate()
  }
  const isUnnamed = make.error !== null && fieldFailure(make.error, 'description') === undefined
  return (
    <>
      {make.data?.token && (
        <div>
          <p>{t('tokens.once')}</p>
          <ShownOnce value={make.data.token} copyLabel={t('tokens.copy')} copiedLabel={t('tokens.copied')} />
        </div>
      )}
      <DraftForm draft={draft} className={classes.section} onSubmit={submit}>
        <div className={classes.row}>
          <TextInput
            className={classes.grow}
            aria-label={t('tokens.for')}
            placeholder={t('tokens.for')}
            value={description}
            maxLength={255}
            onChange={(event) => draft.change({ description: event.currentTarget.value })}
            error={fieldFailure(make.error, 'description')}
          />
          <Select
            aria-label={t('tokens.ends')}
            w={180}
            allowDeselect={false}
            value={days}
            data={ends.map((count) => ({
              value: count,
              label: count === '' ? t('tokens.noEnd') : t('tokens.days', { count: Number(count) }),
            }))}
            onChange={(value) => draft.change({ days: value ?? '' })}
          />
        </div>
        <SegmentedControl
          size="xs"
          aria-label={t('tokens.access')}
          value={access}
          data={['all', 'some'].map((value) => ({ value, label: t(`tokens.accessTo.${value}`) }))}
          onChange={(value) => draft.change({ access: value })}
        />
        {access === 'some' && (
          <Checkbox.Group
            aria-label={t('tokens.scopes')}
            value={chosen.split(' ')}
            onChange={(values) => draft.change({ chosen: ['read', ...values.filter((value) => value !== 'read')].join(' ') })}
          >
            <div className={classes.section}>
              {scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  disabled={scope === 'read'}
                  label={t(`tokens.scope.${scope}`)}
                  description={t(`tokens.scopeText.${scope}`)}
                />
              ))}
            </div>
          </Checkbox.Group>
        )}
        {isUnnamed && (
          <p className={classes.failure} role="alert">
            {failureText(make.error)}
          </p>
        )}
        <div>
          <Button type="submit" loading={make.isPending} disabled={description.trim() === ''}>
            {t('tokens.make')}
          </Button>
        </div>
      </DraftForm>
    </>
  )
}
