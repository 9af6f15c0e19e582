import { useTranslation } from 'react-i18next'

/** What the columns of a file are called on the screen. */
export function useAttributeName(): (attribute: string) => string {
  const { t } = useTranslation('export-profiles')
  return (attribute) => t(`attribute.${attribute}`, { defaultValue: attribute })
}
