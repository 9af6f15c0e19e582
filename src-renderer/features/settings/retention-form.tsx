import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Organization, organizationRoutes } from '#shared/contract/organizations'
import { defaultRetentionYears } from '#shared/domain/closing/retention'
import { call } from '../../api/client'
import { fieldFailure } from '../../api/failure-text'
import { notifyDone } from '../../state/notices'
import { DraftForm } from '../../ui/form/draft-form'
import { useFormDraft } from '../../ui/form/use-form-draft'
import classes from './settings.module.css'
import { keyRoots } from '../../api/keys'

/** For how many years an organization keeps files as they were captured. */
export function Retention({ organizationId }: { organizationId: number }) {
  const { data } = useQuery({
    queryKey: [...keyRoots.organizations, organizationId, 'retention'],
    queryFn: ({ signal }) => call(organizationRoutes.show, { params: { id: organizationId }, signal }),
  })
  return data ? <RetentionForm organization={data} /> : null
}

function RetentionForm({ organization: { id, retention_years } }: { organization: Organization }) {
  const { t } = useTranslation('settings')
  const draft = useFormDraft({ form: 'retention-edit', record: id, stored: { years: String(retention_years ?? defaultRetentionYears) } })
  const [isWrong, setWrong] = useState(false)
  const save = useMutation({
    mutationFn: (years: number) => call(organizationRoutes.update, { params: { id }, body: { retention_years: years } }),
    onSuccess: () => {
      draft.done()
      notifyDone(t('saved'))
    },
  })
  const submit = () => {
    const isYears = /^(?:[1-9]\d?|100)$/.test(draft.value.years.trim())
    setWrong(!isYears)
    if (isYears) save.mutate(Number(draft.value.years))
  }
  return (
    <DraftForm draft={draft} words={{ name: () => t('organization.retention.label') }} className={classes.fieldRow} onSubmit={submit}>
      <TextInput
        className={classes.grow}
        label={t('organization.retention.label')}
        description={t('organization.retention.hint')}
        inputMode="numeric"
        value={draft.value.years}
        error={isWrong ? t('organization.retention.wrong') : fieldFailure(save.error, 'retention_years')}
        onChange={(event) => draft.change({ years: event.currentTarget.value })}
      />
      <Button type="submit" variant="default" loading={save.isPending}>
        {t('save')}
      </Button>
    </DraftForm>
  )
}
