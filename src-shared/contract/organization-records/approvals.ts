import { z } from 'zod'
import { partyObject } from '../representations'
import { nothing, pathId } from '../requests'
import { route } from '../route'

/** Who may approve an expense now. */
export const approvalRepresentation = z
  .object({
    /** Those who may, present people first. */
    approvers: z.array(
      z.object({
        user: partyObject,
        /** By whose authority they approve, if they have none themselves. */
        stands_in_for: z.array(partyObject),
      }),
    ),
    /** Those who may first move it to `analyzed`, where two people decide. */
    second_look_by: z.array(partyObject),
  })
  .meta({ id: 'Approval' })

/** The approvers of an expense. Not part of the contract. */
export const approvalRoutes = {
  ofExpense: route({
    method: 'GET',
    name: 'approvers.list',
    action: 'expenses.read',
    path: '/expenses/:expense_id/approvers',
    summary: 'Tell who may approve an expense now',
    params: z.object({ expense_id: pathId }),
    query: nothing,
    body: nothing,
    response: approvalRepresentation,
    status: 200,
  }),
}
