import { invoiceCheckRoutes } from '#shared/contract/instance/invoice-checks'
import { mailAddressRoutes } from '#shared/contract/instance/mail-address'
import { type ReceiptReading, receiptReadingRoutes } from '#shared/contract/instance/readings'
import type { InboxReceipt } from '#shared/domain/statements/receipts'
import type { ReadReceipt } from '#shared/readings/other-total'
import { statementLine } from '#shared/records/statement-line'
import { listAttachmentsOf } from '#main/store/records/files/attachments'
import { listCaptures } from '#main/store/records/files/captures'
import { listReadings, toReadReceipt } from '#main/store/records/files/receipt-readings'
import { getVisibleExpense } from '#main/use-cases/access/get-visible-expense'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { type ReadUpload, findOwnLines } from '#main/use-cases/statements/propose-matches'
import { personalAddressOf } from '#main/use-cases/captures/address-for-receipts'
import { type CompositeContext, type Context, type Endpoint, composite, query } from '../endpoint'
import { type TakingDep, hashesOfUploads } from '../files/bucket-uploads'
import { toRecordsWithParties } from '../representations/records'

/** The shown reading of a file. */
function toTold({ deps }: Context, found: ReadReceipt | undefined): Pick<ReceiptReading, 'state' | 'fields' | 'line'> {
  if (!found) return { state: 'unknown', fields: [], line: null }
  const isOff = found.state === 'waiting' && !deps.settings.reads_receipts
  return { state: isOff ? 'off' : found.state, fields: [...found.fields], line: null }
}

/** Readings of receipts (extension of the contract). */
export const receiptReadingEndpoints: Endpoint[] = [
  query(
    receiptReadingRoutes.list,
    async (context: Context<TakingDep | 'statements'>, { params: { organization_id: id }, query: { files = [], capture_ids = [] } }) => {
      const { reader, caller } = context
      const { user_id } = caller
      await getVisibleOrganization(reader, { id, user_id, action: 'expenses.create' })
      const captures = (await listCaptures(reader, capture_ids)).filter((capture) => capture.user_id === user_id)
      const uploads = await hashesOfUploads(context.deps, context, files)
      const hashes = [...uploads.values(), ...captures.map(({ sha256 }) => sha256)]
      const known = new Map((await listReadings(reader, hashes)).map((row) => [row.sha256, toReadReceipt(row)]))
      const read = [...uploads].flatMap(([file, sha256]): ReadUpload[] => {
        const reading = known.get(sha256)
        return reading ? [[file, reading]] : []
      })
      const found = await findOwnLines(reader, context.deps.statements, { organization_id: id, user_id, capture_ids, uploads: read })
      const shown = await toRecordsWithParties(
        context,
        statementLine,
        found.map(({ line }) => line),
      )
      const lineOf = (is: (receipt: InboxReceipt) => boolean) => shown[found.findIndex(({ receipt }) => is(receipt))] ?? null
      const readings: ReceiptReading[] = [
        ...files.map((file) => ({
          ...{ file, capture_id: null, attachment_id: null, ...toTold(context, known.get(uploads.get(file) ?? '')) },
          line: lineOf(({ upload }) => upload === file),
        })),
        // Until it is processed, another file is read than the one that will be attached.
        ...captures.map(({ id: capture_id, sha256, state }) => {
          const told = toTold(context, known.get(sha256))
          return {
            file: null,
            capture_id,
            attachment_id: null,
            ...(state === 'processing' && told.state !== 'off' ? { ...told, state: 'waiting' as const, fields: [] } : told),
            line: lineOf(({ capture_ids: ids }) => ids.includes(capture_id)),
          }
        }),
      ]
      return { body: { readings } }
    },
  ),
  query(receiptReadingRoutes.ofExpense, async (context, { params: { expense_id: id } }) => {
    await getVisibleExpense(context.reader, { id, user_id: context.caller.user_id })
    const attachments = await listAttachmentsOf(context.reader, [id])
    const known = new Map(
      (
        await listReadings(
          context.reader,
          attachments.map(({ sha256 }) => sha256),
        )
      ).map((row) => [row.sha256, toReadReceipt(row)]),
    )
    const readings = attachments.flatMap(({ id: attachment_id, sha256: file }) => {
      const found = known.get(file)
      return found ? [{ file, capture_id: null, attachment_id, ...toTold(context, found) }] : []
    })
    return { body: { readings } }
  }),
]

/** Checks the signature of an electronic invoice (extension): in a process that may be killed; nothing is stored. */
export const invoiceCheckEndpoints: Endpoint[] = [
  composite(invoiceCheckRoutes.create, async ({ deps }: CompositeContext<'inspector'>, { body: { xml } }) => ({
    status: 200,
    body: await deps.inspector.checkSignature(xml),
    headers: {},
  })),
]

/** The caller's e-mail address for receipts (extension). */
export const mailAddressEndpoints: Endpoint[] = [
  query(mailAddressRoutes.show, ({ deps: { settings, signing_secret }, caller: { user_id } }) => {
    const { mail_address: address } = settings
    return Promise.resolve({ body: { address: address === null ? null : personalAddressOf(user_id, { address, signing_secret }) } })
  }),
]
