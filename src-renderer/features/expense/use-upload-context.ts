import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session'
import type { UploadContext } from './upload-queue'

/** What uploads from a component need. */
export function useUploadContext(): UploadContext {
  const { t } = useTranslation('expense')
  const { data: session } = useSession()
  return { t, mostBytes: session?.upload_max_bytes }
}
