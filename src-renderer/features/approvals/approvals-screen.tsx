import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Session } from '#shared/contract/instance/instance'
import type { ApprovalRuleRepresentation } from '#shared/contract/organization-records/approval-rules'
import { may } from '#shared/domain/permissions'
import { useMembers } from '../../api/organization-lists'
import { useSession } from '../../api/session'
import { useTags } from '../../api/tags'
import { DeleteRecord } from '../../records/list-screen/delete-record'
import { ListScreen } from '../../records/list-screen/list-screen'
import { useMembership } from '../../state/membership'
import { EmptyState } from '../../ui/feedback/empty-state'
import type { GridColumn } from '../../ui/grid/grid-types'
import { containsEveryWord } from '../../ui/values/contains-every-word'
import { useApprovalRules, useApprovalRuleWrite } from '../../records/approvals'
import { ApprovalForm } from './approval-form'
import { type ApprovalWords, useApprovalWords } from './approval-words'
import classes from './approvals.module.css'

/** Who may approve what in the organization. `id`: the rule shown next to the list, or `new`. */
export function ApprovalsScreen({ id }: { id: string | undefined }) {
  const membership = useMembership()
  const { t } = useTranslation('approvals')
  if (!membership) return <EmptyState sentence={t('noOrganization')} />
  return <RuleList key={membership.organization.id} id={id} membership={membership} />
}

type RuleListProps = { id: string | undefined; membership: Session['memberships'][number] }

function RuleList({ id, membership: { organization, role } }: RuleListProps) {
  const all = useApprovalRules(organization.id)
  const { data: tags = [] } = useTags(organization.id)
  const { data: session } = useSession()
  const { t } = useTranslation('approvals')
  const people = useMembers(organization.id)
  const words = useApprovalWords({ tags, people })
  const write = useApprovalRuleWrite(organization.id)
  const canWrite = may('approval_rules.write', { role })
  const form = { organizationId: organization.id, tags, people, words, currency: session?.user.default_currency ?? 'BRL' }
  return (
    <ListScreen
      name="approvals"
      exports="approval_rules"
      id={id}
      canWrite={canWrite}
      all={all}
      columns={useRuleColumns(words)}
      arrange={(rules, search) =>
        rules.filter((rule) => containsEveryWord(`${rule.name} ${words.who(rule)} ${words.expenses(rule)}`, search)).toReversed()
      }
      renderNew={(onStored) => <ApprovalForm {...form} onStored={onStored} />}
      renderDetail={(rule, onDelete) => (
        <>
          {canWrite ? (
            <ApprovalForm key={rule.id} {...form} rule={rule} onStored={() => undefined} onDelete={onDelete} />
          ) : (
            <RuleFacts rule={rule} words={words} />
          )}
          <Link href="/stand-ins" className={classes.link}>
            {t('detail.standIns')}
          </Link>
        </>
      )}
      renderDelete={(rule, close) => (
        <DeleteRecord name="approvals" record={rule} write={write} {...close}>
          <p className={classes.quiet}>{t('deleteText')}</p>
        </DeleteRecord>
      )}
    />
  )
}

function useRuleColumns({ limit, who, expenses }: ApprovalWords): GridColumn<ApprovalRuleRepresentation>[] {
  const { t } = useTranslation('approvals')
  return useMemo(
    () => [
      { id: 'name', header: t('column.name'), width: 200, fill: true, fixed: true, render: ({ name }) => name },
      { id: 'rule', header: t('column.rule'), width: 170, render: ({ rule }) => t(`rule.${rule}`) },
      { id: 'limit', header: t('column.limit'), width: 180, whole: true, render: (rule) => limit(rule) },
      { id: 'people', header: t('column.people'), width: 200, yields: 1, render: (rule) => who(rule) },
      { id: 'tags', header: t('column.tags'), width: 160, yields: 2, render: (rule) => expenses(rule) },
    ],
    [t, limit, who, expenses],
  )
}

function RuleFacts({ rule, words }: { rule: ApprovalRuleRepresentation; words: ApprovalWords }) {
  const { t } = useTranslation('approvals')
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t('detail.name')}</dt>
        <dd>{rule.name}</dd>
        <dt>{t(`rule.${rule.rule}`)}</dt>
        <dd>{words.limit(rule)}</dd>
        {rule.rule === 'authority' && <dt>{t('detail.people')}</dt>}
        {rule.rule === 'authority' && <dd>{words.who(rule)}</dd>}
        <dt>{t('column.tags')}</dt>
        <dd>{words.expenses(rule)}</dd>
      </dl>
      <p className={classes.quiet}>{t('detail.readOnly')}</p>
    </>
  )
}
