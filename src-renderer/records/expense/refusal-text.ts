import { useTranslation } from 'react-i18next'
import { maxPicturePixels } from '#shared/domain/photos'
import type { DraftFile } from '../../state/draft'

/** Words why the server does not take a file. */
export function useRefusalText(): (refusal: NonNullable<DraftFile['refusal']>) => string {
  const { t } = useTranslation('capture')
  return ({ code, reason }) =>
    code === 'refused' && reason !== '' ? reason : t(`refusal.${code}`, { megapixels: maxPicturePixels / 1_000_000 })
}
