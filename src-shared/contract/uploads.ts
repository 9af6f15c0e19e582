import { z } from 'zod'
import { instantText } from './representations'
import { nothing } from './requests'
import { route } from './route'

/** What a form needs to be taken by the upload host (contract 2.20). `key` is a prefix: the file's name is appended to it. */
export const uploadCredentials = z
  .object({
    signature: z.string(),
    access_key: z.string(),
    policy: z.string(),
    host: z.string(),
    acl: z.literal('private'),
    key: z.string(),
    expiration: instantText,
  })
  .meta({ id: 'UploadCredentials' })

/** The part of the upload procedure that is under {base_url} (contract 4.16); the form itself goes to `host`. */
export const uploadRoutes = {
  credentials: route({
    name: 'uploads.new',
    action: 'account.manage',
    method: 'GET',
    path: '/uploads/new',
    summary: 'Get credentials for uploading files',
    params: nothing,
    query: nothing,
    body: nothing,
    response: uploadCredentials,
    status: 200,
  }),
}
