import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { type Import, maxImportBytes } from '#shared/contract/imports'
import { failureText } from '../../api/failure-text'
import { keepImport, uploadImport } from '../../api/imports'
import { Attempts } from '../../state/attempts'

/** Sends a file and shows what would be imported from it. One that is too large is not sent at all. */
export function useUpload(organizationId: number) {
  const { t } = useTranslation('imports')
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [sending, setSending] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const isBusy = useRef(false)
  const [attempts] = useState(() => new Attempts<Import>())
  const send = async (files: readonly File[]): Promise<void> => {
    const [file, ...others] = files
    if (file === undefined || isBusy.current) return
    if (others.length > 0) return setFailure(t('one'))
    if (file.size > maxImportBytes)
      return setFailure(t('tooLarge', { name: file.name, megabytes: Math.floor(maxImportBytes / 1024 / 1024) }))
    isBusy.current = true
    setFailure(null)
    setSending(file.name)
    try {
      const { name, size, lastModified } = file
      const made = await attempts.run([organizationId, name, size, lastModified], (key) => uploadImport(organizationId, file, key))
      keepImport(client, made)
      navigate(`/import/${made.id}`)
    } catch (error) {
      setFailure(failureText(error))
      setSending(null)
    } finally {
      isBusy.current = false
    }
  }
  return { sending, failure, send }
}
