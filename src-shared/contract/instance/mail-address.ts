import { z } from 'zod'
import { nothing } from '../requests'
import { route } from '../route'

/** The endpoint of the caller's address for receipts (extension). */
export const mailAddressRoutes = {
  show: route({
    name: 'mail_address.show',
    action: 'account.manage',
    method: 'GET',
    path: '/mail_address',
    summary: "Show the caller's own address for receipts; null where this instance has no mailbox",
    params: nothing,
    query: nothing,
    body: nothing,
    response: z.object({ address: z.string().nullable() }),
    status: 200,
  }),
}
