import { TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import type { RefObject } from 'react'
import { KeyHint } from '../keys/key-hint'

/** What the box is given. `label`: what can be found. The screen registers `/`, which focuses `inputRef`. */
export type FindBoxProps = { inputRef: RefObject<HTMLInputElement | null>; label: string; text: string; onText: (text: string) => void }

/** Narrows the list below it; Escape empties it, and once more leaves it. */
export function FindBox({ inputRef, label, text, onText }: FindBoxProps) {
  return (
    <TextInput
      ref={inputRef}
      w={260}
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={14} aria-hidden />}
      rightSection={<KeyHint keys="/" />}
      rightSectionPointerEvents="none"
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        if (text === '') event.currentTarget.blur()
        else onText('')
      }}
    />
  )
}
