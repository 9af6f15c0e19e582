import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { Search } from 'lucide-react'
import { useEffect, useRef, type ComponentType, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import { containsEveryWord } from '../values/contains-every-word'
import { useFocusBack } from '../form/use-focus-back'
import { KeyHint } from '../keys/key-hint'
import { isActive, isHeld, titled, useShortcutScopes } from '../keys/shortcut-registry'

/** The keys that open the box; it does not list itself. */
export const openKeys = 'mod+k'

const [box, { open, close }] = createSpotlight()
const useTyped = create(() => ({ text: '' }))
const setTyped = (text: string) => useTyped.setState({ text })

/** Opens the box, empty. Text typed from this moment on is for it. */
export function openCommandBox(): void {
  if (!box.getState().opened) setTyped('')
  open()
}

/** Something that is done from here alone: it has no key. `words`: what it is found by as well. */
export type Command = { readonly id: string; readonly label: string; readonly words?: string; readonly run: () => void }

type CommandBoxProps = {
  onSearch: (text: string) => void
  /** What the person can do anywhere; offered once something is typed. */
  commands: readonly Command[]
  /** Finds records by typed text. */
  Results: ComponentType<{ query: string }>
}

/** Ctrl+K: finds every registered action by its name, and people and expenses; hands any other text to `onSearch`. */
export function CommandBox({ onSearch, commands, Results }: CommandBoxProps) {
  const { t } = useTranslation('shell')
  const query = useTyped(({ text }) => text)
  const inputRef = useRef<HTMLInputElement>(null)
  useEarlyKeys(inputRef)
  // A box that is open as the person leaves is not open for the next.
  useEffect(() => close, [])
  return (
    <Spotlight.Root
      store={box}
      query={query}
      onQueryChange={setTyped}
      clearQueryOnClose={false}
      shortcut={null}
      maxHeight={420}
      scrollable
      transitionProps={{ duration: 100 }}
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      attributes={{ content: { 'aria-label': t('search') } }}
    >
      <Spotlight.Search ref={inputRef} placeholder={t('search')} aria-label={t('search')} leftSection={<Search size={16} aria-hidden />} />
      <FoundActions query={query} onSearch={onSearch} commands={commands} Results={Results} />
    </Spotlight.Root>
  )
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

/** Drawn only while the box is open, so that what can be done is asked at that time. */
function FoundActions({ query, onSearch, commands, Results }: CommandBoxProps & { query: string }) {
  const { t } = useTranslation('shell')
  useFocusBack()
  const scopes = useShortcutScopes((state) => state.scopes)
  const wanted = query.trim()
  const isWanted = ({ label, words = '' }: Pick<Command, 'label' | 'words'>) => containsEveryWord(`${label} ${words}`, wanted)
  const groups = titled(scopes, (known) => isActive(known) && !isHeld(known) && known.keys !== openKeys && isWanted(known))
  const own = wanted === '' ? [] : commands.filter(isWanted)
  return (
    <Spotlight.ActionsList>
      {wanted !== '' && <Spotlight.Action label={t('searchFor', { text: wanted })} onClick={() => onSearch(wanted)} />}
      {groups.map(({ title, shortcuts }) => (
        <Spotlight.ActionsGroup key={title} label={title}>
          {shortcuts.map(({ key, label, run, keys }) => (
            <Spotlight.Action key={key} label={label} onClick={run} rightSection={<KeyHint keys={keys} />} />
          ))}
        </Spotlight.ActionsGroup>
      ))}
      {own.length > 0 && (
        <Spotlight.ActionsGroup label={t('user.commands')}>
          {own.map(({ id, label, run }) => (
            <Spotlight.Action key={id} label={label} onClick={run} />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {wanted !== '' && <Results query={wanted} />}
    </Spotlight.ActionsList>
  )
}
