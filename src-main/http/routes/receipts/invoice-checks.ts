import { invoiceCheckRoutes } from '#shared/contract/instance/invoice-checks'
import { type CompositeContext, type Endpoint, composite } from '../../endpoint'

/** The check of an electronic invoice's signature (extension): in a process that may be killed, and nothing is kept. */
export const invoiceCheckEndpoints: Endpoint[] = [
  composite(invoiceCheckRoutes.create, async ({ deps }: CompositeContext<'inspector'>, { body: { xml } }) => ({
    status: 200,
    body: await deps.inspector.checkSignature(xml),
    headers: {},
  })),
]
