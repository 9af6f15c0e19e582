import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The set-up code, where the address did not bring it. */
export function CodeField({ value, onChange, error }: { value: string; onChange: (value: string) => void; error?: string }) {
  const { t } = useTranslation('first-run')
  return (
    <TextInput
      size="sm"
      label={t('code.label')}
      description={t('code.description')}
      value={value}
      autoComplete="off"
      required
      withAsterisk={false}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
