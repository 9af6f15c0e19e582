import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { languages, localeOf } from '#shared/domain/locales'
import { switchLanguage } from '../../i18n'
import { usePreferences } from '../../state/preferences'

const colorSchemes: readonly MantineColorScheme[] = ['light', 'dark', 'auto']

/** One of several that one is chosen of. `id` is also the code of a language. */
export type UserChoice = { readonly id: string; readonly label: string; readonly isChosen: boolean; readonly choose: () => void }

/** What anyone can choose for this device, wherever it is offered: the language and the appearance. */
export function useUserChoices(): { readonly languages: readonly UserChoice[]; readonly appearances: readonly UserChoice[] } {
  const { t } = useTranslation('shell')
  const language = usePreferences((state) => state.language)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return {
    languages: languages.map((known) => ({
      id: known,
      label: localeOf(known).name,
      isChosen: known === language,
      choose: () => void switchLanguage(known),
    })),
    appearances: colorSchemes.map((known) => ({
      id: known,
      label: t(`appearance.${known}`),
      isChosen: known === colorScheme,
      choose: () => setColorScheme(known),
    })),
  }
}
