import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session'
import type { UploadContext } from './upload-queue'

/** What uploads from a component need. */
export function useUploadContext(): UploadContext {
  const queryClient = useQueryClient()
  const { t } = useTranslation('expense')
  const { data: session } = useSession()
  return { queryClient, t, mostBytes: session?.upload_max_bytes }
}
