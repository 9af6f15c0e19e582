import { useTranslation } from 'react-i18next'
import { localeOf } from '#shared/domain/locales'
import { attributeName } from '../../api/field-errors'
import { usePreferences } from '../../state/preferences'
import { formatMoney } from '../../ui/values/format'
import { wordsOf, type Worded } from './operation-words'

/** Says an operation in one sentence: "Edit of expense 12: description", "New expense “Taxi”, BRL 12.50". */
export function useSentence(): (operation: Worded) => string {
  const { t } = useTranslation('sync')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  return (operation) => {
    const { key, id, text, money, attributes } = wordsOf(operation)
    const { method, path } = operation
    const head = t([`operation.${key}`, 'operation.other'], { id: id ?? '', method, path }).trim()
    const names = attributes.map((name) => attributeName(name).toLocaleLowerCase(localeOf(language).tag))
    const list = new Intl.ListFormat(localeOf(language).tag, { type: 'unit' }).format(names)
    return [
      head,
      text === null ? '' : ` “${text}”`,
      names.length === 0 ? '' : `: ${list}`,
      money ? `, ${formatMoney(money, { language, display })}` : '',
    ].join('')
  }
}
