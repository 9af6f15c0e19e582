import { useMutation, useQuery } from '@tanstack/react-query'
import { type Invitation, invitationRoutes } from '#shared/contract/invitations'
import { type Membership, membershipRoutes } from '#shared/contract/memberships'
import type { Role } from '#shared/domain/roles'
import { call, etagOf } from './client'
import { ownWritesShown } from './own-writes'
import { pageSize as per_page, readWhole } from './pages'
import { keyRoots } from './keys'

/** All members of an organization. */
export function useTeam(organization_id: number) {
  return useQuery<Membership[]>({
    queryKey: [...keyRoots.organizations, organization_id, 'team'],
    queryFn: ({ signal }) =>
      readWhole(async (page) => {
        const query = { page, per_page }
        const { memberships, count } = await call(membershipRoutes.list, { params: { organization_id }, query, signal })
        return { rows: memberships, count }
      }),
  })
}

/** The open invitations of an organization, newest first. */
export function useInvitations(organization_id: number, enabled: boolean) {
  return useQuery<Invitation[]>({
    queryKey: [...keyRoots.organizations, organization_id, 'invitations'],
    queryFn: ({ signal }) =>
      readWhole(async (page) => {
        const query = { page, per_page }
        const { invitations, count } = await call(invitationRoutes.list, { params: { organization_id }, query, signal })
        return { rows: invitations, count }
      }),
    enabled,
  })
}

/** Something to write about a team. */
export type TeamWrite =
  | { readonly kind: 'change_role'; readonly member: Membership; readonly role: Role }
  | { readonly kind: 'remove'; readonly member: Membership }
  | { readonly kind: 'erase'; readonly member: Membership; readonly name: string }
  | { readonly kind: 'resend'; readonly invitation: Invitation }
  | { readonly kind: 'withdraw'; readonly invitation: Invitation }
  | { readonly kind: 'leave' }

/** Changes who is in an organization and as what (contract 4.10). */
export function useTeamWrite(organization_id: number) {
  return useMutation<unknown, Error, TeamWrite>({
    mutationFn: (write) => {
      switch (write.kind) {
        case 'change_role': {
          // Without a precondition: taking a change back must not fail for the change itself.
          const params = { organization_id, user_id: write.member.user.id }
          return call(membershipRoutes.update, { params, body: { role: write.role } })
        }
        case 'remove':
          return call(membershipRoutes.destroy, {
            params: { organization_id, user_id: write.member.user.id },
            ifMatch: etagOf(write.member),
          })
        case 'erase':
          return call(membershipRoutes.erase, { params: { organization_id, user_id: write.member.user.id }, body: { name: write.name } })
        case 'resend':
          return call(invitationRoutes.resend, { params: { organization_id, id: write.invitation.id } })
        case 'withdraw':
          return call(invitationRoutes.withdraw, { params: { organization_id, id: write.invitation.id } })
        case 'leave':
          return call(membershipRoutes.leave, { params: { organization_id } })
      }
    },
  })
}

/** Makes a link that accepts an invitation; the link or e-mail that it had works no more. */
export function useInvitationLink(organization_id: number) {
  return useMutation({
    mutationFn: (id: number) => call(invitationRoutes.link, { params: { organization_id, id } }),
    onSettled: ownWritesShown,
  })
}

/** What became of the addresses of an invitation. */
export interface InvitationCounts {
  /** Joined, or invited. */
  readonly added: number
  /** Members already. */
  readonly notAdded: number
}

/** Invites people by their addresses, each of which must be one. */
export function useInvite(organization_id: number) {
  return useMutation({
    mutationFn: async ({ addresses, role }: { addresses: readonly string[]; role: Role }): Promise<InvitationCounts> => {
      const body = { user: { email: addresses.join(', ') }, role }
      const counts = await call(membershipRoutes.invite, { params: { organization_id }, body })
      return { added: Number(counts.added_recipients), notAdded: Number(counts.not_added_recipients) }
    },
    onSettled: ownWritesShown,
  })
}
