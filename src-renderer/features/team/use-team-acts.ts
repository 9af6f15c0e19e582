import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Membership } from '#shared/contract/memberships'
import type { Role } from '#shared/domain/roles'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useTeamWrite } from '../../api/team'
import { notifyDone, notifyFailure } from '../../state/notices'
import { forgetActsAbout } from '../../state/undo-stack'
import { useUndo } from '../../ui/feedback/use-undo'
import { nameOf } from './team-people'
import { useLeave } from './use-leave'

/** A question to ask before an act. */
export type TeamQuestion = { readonly kind: 'none' | 'leave' } | { readonly kind: 'remove' | 'erase'; readonly member: Membership }

/** Everything that changes the team: roles at once and with a way back, the rest after a question. */
export type TeamActs = {
  readonly question: TeamQuestion
  readonly ask: (question: TeamQuestion) => void
  readonly changeRole: (member: Membership, role: Role) => void
  /** Does what was asked about. */
  readonly confirm: () => void
}

/** Changes the team of an organization, and reports the outcome. `onLeft`: the user is no longer a member. */
export function useTeamActs(organization: { id: number; name: string }, onLeft: () => void): TeamActs {
  const { t } = useTranslation('team')
  const write = useTeamWrite(organization.id)
  const offerUndo = useUndo({ scope: 'team-undo', title: t('title') })
  const [question, ask] = useState<TeamQuestion>({ kind: 'none' })
  const failed = (title: string) => (error: Error) => notifyFailure({ title, message: reasonOf(error, t('member.lastAdmin')) })
  const setRole = (member: Membership, role: Role) =>
    write.mutateAsync({ kind: 'change_role', member, role }, { onError: failed(t('member.notChanged', { name: nameOf(member) })) })
  const { leave } = useLeave(organization, onLeft)
  const told = (member: Membership, role: Role) => t('member.changed', { name: nameOf(member), role: t(`role.${role}`) })
  return {
    question,
    ask,
    changeRole: (member, role) =>
      offerUndo(told(member, role), () => write.mutateAsync({ kind: 'change_role', member, role: member.role }), {
        after: setRole(member, role).then(() => true),
        about: member.uid,
      }),
    confirm: () => {
      ask({ kind: 'none' })
      if (question.kind === 'remove' || question.kind === 'erase') {
        const { member, kind } = question
        const name = nameOf(member)
        const words = { remove: ['member.removed', 'member.notRemoved'], erase: ['erase.done', 'erase.failed'] } as const
        const [done, notDone] = words[kind]
        write.mutate(kind === 'erase' ? { kind, member, name } : { kind, member }, {
          onSuccess: () => {
            forgetActsAbout(member.uid)
            notifyDone(t(done, { name }))
          },
          onError: failed(t(notDone, { name })),
        })
      }
      if (question.kind === 'leave') leave()
    },
  }
}

/** An error under `role` is the one about the last admin; the others say themselves what is wrong. */
function reasonOf(error: Error, lastAdmin: string): string {
  return error instanceof ApiError && error.fields.role !== undefined ? lastAdmin : failureText(error)
}
