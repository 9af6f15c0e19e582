import { z } from 'zod'
import { alteredReasons, uncheckedReasons } from '#shared/invoices/invoice'
import { nothing } from '../requests'
import { route } from '../route'

/** The result of checking a signature, in the API's form. */
export const signatureSchema = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('valid'), signer: z.string() }),
    z.object({ state: z.literal('altered'), reason: z.enum(alteredReasons) }),
    z.object({ state: z.literal('unchecked'), reason: z.enum(uncheckedReasons) }),
  ])
  .meta({ id: 'InvoiceSignature' })
export type SignatureCheck = z.infer<typeof signatureSchema>

/** The largest invoice in a request; real ones are smaller. */
const mostCharacters = 900_000

/** The endpoint that checks the signature of an electronic invoice (extension). Stores nothing. */
export const invoiceCheckRoutes = {
  create: route({
    name: 'invoice_checks.create',
    action: 'account.manage',
    method: 'POST',
    path: '/invoice_checks',
    summary: 'Check the signature of an NF-e, NFC-e or CT-e, offline',
    params: nothing,
    query: nothing,
    body: z.object({ xml: z.string('invalid').min(1, 'blank').max(mostCharacters, `too_long:${mostCharacters}`) }),
    response: signatureSchema,
    status: 200,
  }),
}
