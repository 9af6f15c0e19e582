import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Session } from '#shared/contract/instance/instance'
import type { PolicyRepresentation } from '#shared/contract/organization-records/policies'
import { may } from '#shared/domain/permissions'
import { PolicyCheck } from '../../records/policy-check'
import { usePolicies, usePolicyWrite } from '../../records/policies'
import { useSession } from '../../api/session'
import { useTags } from '../../api/tags'
import { useMembers } from '../../api/organization-lists'
import { DeleteRecord } from '../../records/list-screen/delete-record'
import { ListScreen } from '../../records/list-screen/list-screen'
import { useMembership } from '../../state/membership'
import { EmptyState } from '../../ui/feedback/empty-state'
import type { GridColumn } from '../../ui/grid/grid-types'
import { containsEveryWord } from '../../ui/values/contains-every-word'
import { Instant } from '../../ui/values/instant'
import classes from './policies.module.css'
import { PolicyForm } from './policy-form'
import { type PolicyWords, usePolicyWords } from './policy-words'

/** The policies of the organization. `id`: the policy shown next to the list, or `new`. */
export function PoliciesScreen({ id }: { id: string | undefined }) {
  const membership = useMembership()
  const { t } = useTranslation('policies')
  if (!membership) return <EmptyState sentence={t('noOrganization')} />
  return <PolicyList key={membership.organization.id} id={id} membership={membership} />
}

type PolicyListProps = { id: string | undefined; membership: Session['memberships'][number] }

function PolicyList({ id, membership: { organization, role } }: PolicyListProps) {
  const all = usePolicies(organization.id)
  const { data: known } = useTags(organization.id)
  const tags = known ?? []
  const { data: session } = useSession()
  const { t } = useTranslation('policies')
  const people = useMembers(organization.id)
  const words = usePolicyWords({ tags, people })
  const canWrite = may('policies.write', { role })
  const form = { organizationId: organization.id, tags, people, currency: session?.user.default_currency ?? 'BRL' }
  return (
    <ListScreen
      name="policies"
      exports="policies"
      id={id}
      canWrite={canWrite}
      all={all}
      notice={<PolicyCheck />}
      columns={usePolicyColumns(words)}
      arrange={(policies, search) =>
        policies.filter((policy) => containsEveryWord(`${policy.name} ${words.scope(policy)}`, search)).toReversed()
      }
      renderNew={(onStored) => <PolicyForm {...form} onStored={onStored} />}
      renderDetail={(policy, onDelete) => (
        <>
          {known && policy.tag_ids.length > 0 && !policy.tag_ids.some((tag_id) => known.some((tag) => tag.id === tag_id)) && (
            <p className={classes.failure} role="note">
              {t('detail.tagsGone')}
            </p>
          )}
          {canWrite ? (
            <PolicyForm key={policy.id} {...form} policy={policy} onStored={() => undefined} onDelete={onDelete} />
          ) : (
            <PolicyFacts policy={policy} words={words} />
          )}
          {may('expenses.read', { role }) && (
            <Link href="/review?queue=all&f=flag_level.from.1" className={classes.link}>
              {t('detail.expenses')}
            </Link>
          )}
        </>
      )}
      renderDelete={(policy, close) => <DeletePolicy organizationId={organization.id} policy={policy} {...close} />}
    />
  )
}

function usePolicyColumns({ limit, scope }: PolicyWords): GridColumn<PolicyRepresentation>[] {
  const { t } = useTranslation('policies')
  return useMemo(
    () => [
      { id: 'name', header: t('column.name'), width: 160, fill: true, fixed: true, render: ({ name }) => name },
      {
        id: 'condition',
        header: t('column.condition'),
        width: 260,
        minWidth: 140,
        render: ({ condition }) => <span title={t(`condition.${condition}`)}>{t(`condition.${condition}`)}</span>,
      },
      { id: 'limit', header: t('column.limit'), width: 180, whole: true, render: (policy) => limit(policy) },
      { id: 'scope', header: t('column.scope'), width: 150, yields: 1, render: (policy) => scope(policy) },
      { id: 'weight', header: t('column.weight'), width: 170, yields: 3, render: ({ weight }) => t(`weight.${weight}`) },
      {
        id: 'holds',
        header: t('column.holds'),
        width: 130,
        yields: 2,
        render: ({ holds_from }) => (holds_from === null ? t('always') : <Instant value={holds_from} />),
      },
    ],
    [t, limit, scope],
  )
}

function PolicyFacts({ policy, words }: { policy: PolicyRepresentation; words: PolicyWords }) {
  const { t } = useTranslation('policies')
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t('detail.name')}</dt>
        <dd>{policy.name}</dd>
        <dt>{t('detail.condition')}</dt>
        <dd>{[t(`condition.${policy.condition}`), words.limit(policy)].filter(Boolean).join(': ')}</dd>
        <dt>{t('detail.scope')}</dt>
        <dd>{words.scope(policy)}</dd>
        <dt>{t('detail.weight')}</dt>
        <dd>{t(`weight.${policy.weight}`)}</dd>
      </dl>
      <p className={classes.quiet}>{t('detail.readOnly')}</p>
    </>
  )
}

function DeletePolicy({
  organizationId,
  policy,
  ...close
}: {
  organizationId: number
  policy: PolicyRepresentation
  onDone: () => void
  onCancel: () => void
}) {
  const { t } = useTranslation('policies')
  return (
    <DeleteRecord name="policies" record={policy} write={usePolicyWrite(organizationId)} {...close}>
      <p className={classes.quiet}>{t('deleteText')}</p>
    </DeleteRecord>
  )
}
