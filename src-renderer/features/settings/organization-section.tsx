import { Button, Switch, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Session } from '#shared/contract/instance/instance'
import { organizationRoutes } from '#shared/contract/organizations'
import { call } from '../../api/client'
import { failureText, fieldFailure } from '../../api/failure-text'
import { useDistanceRules } from '../../api/distance-rules'
import { useSession } from '../../api/session'
import { DraftForm } from '../../ui/form/draft-form'
import { notifyDone, notifyFailure } from '../../state/notices'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { DistanceRules } from './distance-rules'
import { Retention } from './retention-form'
import { Section } from './section'
import classes from './settings.module.css'

/** The settings of an organization: its name, its rules, and what it pays for distances. For its admins. */
export function OrganizationSection({ organization }: { organization: Session['memberships'][number]['organization'] }) {
  const { t } = useTranslation('settings')
  const ownCurrency = useSession().data?.user.default_currency
  const { data } = useDistanceRules(organization.id)
  return (
    <Section id="organization" title={t('organization.title', { name: organization.name })}>
      <NameForm organization={organization} />
      <div className={classes.row}>
        <Button component={Link} href="/import" variant="default">
          {t('organization.import')}
        </Button>
      </div>
      <Rules organization={organization} />
      <Retention key={organization.id} organizationId={organization.id} />
      {data && ownCurrency && <DistanceRules key={organization.id} rules={data} ownCurrency={ownCurrency} />}
    </Section>
  )
}

function NameForm({ organization: { id, name: stored } }: { organization: { id: number; name: string } }) {
  const { t } = useTranslation('settings')
  const draft = useFormDraft({ form: 'organization-edit', record: id, stored: { name: stored } })
  const { name } = draft.value
  const save = useMutation({
    mutationFn: () => call(organizationRoutes.update, { params: { id }, body: { name } }),
    onSuccess: () => {
      draft.done()
      notifyDone(t('saved'))
    },
  })
  return (
    <DraftForm draft={draft} words={{ name: () => t('organization.name') }} className={classes.fieldRow} onSubmit={() => save.mutate()}>
      <TextInput
        className={classes.grow}
        label={t('organization.name')}
        value={name}
        error={fieldFailure(save.error, 'name')}
        onChange={(event) => draft.change({ name: event.currentTarget.value })}
      />
      <Button type="submit" variant="default" loading={save.isPending} disabled={name.trim() === '' || name.trim() === stored}>
        {t('save')}
      </Button>
    </DraftForm>
  )
}

const rules = ['separate_approval', 'separate_payment', 'restricted_tags'] as const

/** The rules that an organization switches on; each takes effect at once. */
function Rules({ organization }: { organization: Session['memberships'][number]['organization'] }) {
  const { t } = useTranslation('settings')
  const save = useMutation({
    mutationFn: (body: Partial<Record<(typeof rules)[number], boolean>>) =>
      call(organizationRoutes.update, { params: { id: organization.id }, body }),
    onSuccess: () => notifyDone(t('saved')),
    onError: (error) => notifyFailure({ title: t('organization.rule.label'), message: failureText(error) }),
  })
  return (
    <fieldset className={classes.rules}>
      <legend>{t('organization.rule.label')}</legend>
      {rules.map((rule) => (
        <Switch
          key={rule}
          label={t(`organization.rule.${rule}`)}
          description={t(`organization.rule.${rule}Hint`)}
          checked={save.isPending ? (save.variables[rule] ?? organization[rule]) : organization[rule]}
          disabled={save.isPending}
          onChange={(event) => save.mutate({ [rule]: event.currentTarget.checked })}
        />
      ))}
    </fieldset>
  )
}
