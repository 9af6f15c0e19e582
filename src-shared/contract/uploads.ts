import { z } from 'zod'
import { instantText } from './representations'
import { nothing } from './requests'
import { route } from './route'

/**
 * The fields of a form for the upload host (contract 2.20). `key` is a prefix for the file's name. If the host is a bucket, `fields` are those of
 * signature version 4 instead of `AccessKeyId` and `signature`.
 */
export const uploadCredentials = z
  .object({
    signature: z.string(),
    access_key: z.string(),
    policy: z.string(),
    host: z.string(),
    acl: z.literal('private'),
    key: z.string(),
    expiration: instantText,
    fields: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Only of a bucket: fields of the form in the place of `AccessKeyId` and `signature`, before `file`' }),
  })
  .meta({ id: 'UploadCredentials' })

export type UploadCredentials = z.infer<typeof uploadCredentials>

/** The fields of an upload form in order, without `file`, which comes last (contract 4.16, step 2). */
export function uploadFields(
  { key, acl, access_key, policy, signature, fields }: UploadCredentials,
  { file_name, content_type }: { file_name: string; content_type: string },
): Array<[name: string, value: string]> {
  const isBucket = fields !== undefined
  return Object.entries({
    key: `${key}${file_name}`,
    acl,
    ...(!isBucket && { AccessKeyId: access_key }),
    policy,
    ...(!isBucket && { signature }),
    success_action_status: '201',
    'content-type': content_type,
    ...fields,
  })
}

/** The part of the upload procedure under {base_url} (contract 4.16); the form itself is sent to `host`. */
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
