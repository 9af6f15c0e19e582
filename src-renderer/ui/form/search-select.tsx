import { Select, type SelectProps } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'

type Choice = string | { readonly value: string; readonly label: string }

/** As a select of the library; one of the choices is always kept, once there is one. */
export type SearchSelectProps = Omit<SelectProps, 'value' | 'data' | 'onChange' | 'searchable' | 'allowDeselect'> & {
  value: string | null
  data: readonly Choice[]
  onChange: (value: string) => void
}

/**
 * One of many choices, found by typing. Enter takes the marked one, or the first that is offered where none is marked yet, as when the
 * choices came after what was typed; what has been typed is never sent as what was chosen before. Where one
 * touches, focus alone does not open the choices: a form that begins with it would open with its buttons covered.
 */
export function SearchSelect({ value, data, onChange, ...props }: SearchSelectProps) {
  const { t } = useTranslation('ui')
  const chosen = data.find((choice) => valueOf(choice) === value)
  return (
    <Select
      nothingFoundMessage={t('field.noMatch')}
      {...props}
      value={value}
      data={[...data]}
      searchable
      allowDeselect={false}
      selectFirstOptionOnChange
      openOnFocus={!window.matchMedia('(pointer: coarse)').matches}
      onChange={(next) => {
        if (next !== null) onChange(next)
      }}
      onKeyDown={(event) => takeTyped(event, chosen === undefined ? '' : labelOf(chosen))}
    />
  )
}

const valueOf = (choice: Choice) => (typeof choice === 'string' ? choice : choice.value)
const labelOf = (choice: Choice) => (typeof choice === 'string' ? choice : choice.label)

function takeTyped(event: KeyboardEvent<HTMLInputElement>, chosen: string): void {
  const input = event.currentTarget
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || input.value === chosen) return
  event.preventDefault()
  const list = document.getElementById(input.getAttribute('aria-controls') ?? '')
  // A marked one is taken by the library.
  if (!list?.querySelector('[data-combobox-selected]')) list?.querySelector<HTMLElement>('[role=option]')?.click()
}
