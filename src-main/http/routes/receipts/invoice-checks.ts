import { invoiceCheckRoutes } from '#shared/contract/instance/invoice-checks'
import { type CompositeContext, type Endpoint, composite } from '../../endpoint'

/** Checks the signature of an electronic invoice (extension): in a process that may be killed; nothing is stored. */
export const invoiceCheckEndpoints: Endpoint[] = [
  composite(invoiceCheckRoutes.create, async ({ deps }: CompositeContext<'inspector'>, { body: { xml } }) => ({
    status: 200,
    body: await deps.inspector.checkSignature(xml),
    headers: {},
  })),
]
