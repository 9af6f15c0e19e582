import { createSpotlight, useSpotlight } from '@mantine/spotlight'
import { useEffect, useRef, useState, type ComponentType, type RefObject } from 'react'
import { create } from 'zustand'

/** The keys that open the box; it does not list itself. */
export const openKeys = 'mod+k'

/** Whether the box is open, and what is typed into it. */
export const [box, { open, close }] = createSpotlight()
export const useTyped = create(() => ({ text: '' }))
export const setTyped = (text: string) => useTyped.setState({ text })

/** Opens the box, empty. Text typed from this moment on is for it. */
export function openCommandBox(): void {
  if (!box.getState().opened) setTyped('')
  open()
}

/** Something that is done from here alone: it has no key. `words`: what it is found by as well. */
export type Command = { readonly id: string; readonly label: string; readonly words?: string; readonly run: () => void }

export type CommandPanelProps = {
  /** What the person can do anywhere; offered once something is typed. */
  commands: readonly Command[]
  inputRef: RefObject<HTMLInputElement | null>
  onSearch: (text: string) => void
}

type CommandBoxProps = Omit<CommandPanelProps, 'inputRef'> & { Panel: ComponentType<CommandPanelProps> }

/** Ctrl+K: from the press on, what is typed is for the box, which `Panel` draws. */
export function CommandBox({ Panel, ...props }: CommandBoxProps) {
  const inputRef = useRef<HTMLInputElement>(null)
  const { opened } = useSpotlight(box)
  const [isNeeded, setNeeded] = useState(false)
  if (opened && !isNeeded) setNeeded(true)
  useEarlyKeys(inputRef)
  // A box that is open as the person leaves is not open for the next.
  useEffect(() => close, [])
  return isNeeded && <Panel {...props} inputRef={inputRef} />
}

/** The box takes some frames to appear and to take the focus: keys pressed meanwhile are for it, not for the screen beneath. */
function useEarlyKeys(inputRef: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!box.getState().opened || inputRef.current === document.activeElement) return
      if (inputRef.current?.isConnected) return inputRef.current.focus()
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Escape') close()
      else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) setTyped(useTyped.getState().text + event.key)
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [inputRef])
}
