import { mailAddressRoutes } from '#shared/contract/instance/mail-address'
import { personalAddressOf } from '#main/use-cases/captures/address-for-receipts'
import { type Endpoint, query } from '../../endpoint'

/** The caller's e-mail address for receipts (extension). */
export const mailAddressEndpoints: Endpoint[] = [
  query(mailAddressRoutes.show, ({ deps: { settings, signing_secret }, caller: { user_id } }) => {
    const { mail_address: address } = settings
    return Promise.resolve({ body: { address: address === null ? null : personalAddressOf(user_id, { address, signing_secret }) } })
  }),
]
