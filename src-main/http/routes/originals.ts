import { originalRoutes } from '#shared/contract/organization-records/originals'
import { forbidden } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { listOriginals } from '#main/store/records/files/original-reader'
import { getVisibleExpense } from '#main/use-cases/access/get-visible-expense'
import { type Endpoint, query } from '../endpoint'
import { fileUrl, linkExpiry } from '../representations/file-links'

/** Files as they were captured (extension of the contract). */
export const originalEndpoints: Endpoint[] = [
  query(originalRoutes.ofExpense, async (context, { params: { expense_id: id } }) => {
    const { relation } = await getVisibleExpense(context.reader, { id, user_id: context.caller.user_id })
    if (!may('originals.list', relation)) throw forbidden()
    const expires = linkExpiry(context)
    const originals = (await listOriginals(context.reader, id)).map((row) => ({
      ...row,
      url: fileUrl(context, { ...row, width: null, height: null }, { style: 'original', expires }),
    }))
    return { body: { originals } }
  }),
]
