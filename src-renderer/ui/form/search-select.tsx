import { Select, type SelectProps } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

type Choice = string | { readonly value: string; readonly label: string }

/**
 * As a select of the library; one of the choices is always kept, once there is one. `takesLate`: Enter before the choices are there takes the
 * first that comes, where that is easily seen and undone, as in a filter; anywhere else it is asked for again.
 */
export type SearchSelectProps = Omit<SelectProps, 'value' | 'data' | 'onChange' | 'searchable' | 'allowDeselect'> & {
  value: string | null
  data: readonly Choice[]
  onChange: (value: string) => void
  takesLate?: boolean
}

/**
 * One of many choices, found by typing. Enter takes the marked one, or the first that is offered where none is marked yet, as when the
 * choices came after what was typed; what has been typed is never sent as what was chosen before. Where one
 * touches, focus alone does not open the choices: a form that begins with it would open with its buttons covered.
 */
export function SearchSelect({ value, data, onChange, takesLate = false, ...props }: SearchSelectProps) {
  const { t } = useTranslation('ui')
  const chosen = data.find((choice) => valueOf(choice) === value)
  const input = useRef<HTMLInputElement>(null)
  const [isAwaited, setAwaited] = useState(false)
  useEffect(() => {
    if (isAwaited && input.current && takeFirst(input.current)) setAwaited(false)
  }, [isAwaited, data])
  return (
    <Select
      ref={input}
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
      onSearchChange={() => setAwaited(false)}
      onKeyDown={(event) => {
        if (isTyped(event, chosen === undefined ? '' : labelOf(chosen))) setAwaited(!takeFirst(event.currentTarget) && takesLate)
      }}
    />
  )
}

const valueOf = (choice: Choice) => (typeof choice === 'string' ? choice : choice.value)
const labelOf = (choice: Choice) => (typeof choice === 'string' ? choice : choice.label)

/** Whether Enter asks for what has been typed; then it sends no form. */
function isTyped(event: KeyboardEvent<HTMLInputElement>, chosen: string): boolean {
  if (event.key !== 'Enter' || event.currentTarget.value === chosen) return false
  event.preventDefault()
  return true
}

/** Takes the first choice that is offered; one that is marked is taken by the library. Answers whether there is one. */
function takeFirst(input: HTMLInputElement): boolean {
  const list = document.getElementById(input.getAttribute('aria-controls') ?? '')
  if (list?.querySelector('[data-combobox-selected]')) return true
  const first = list?.querySelector<HTMLElement>('[role=option]')
  first?.click()
  return first != null
}
