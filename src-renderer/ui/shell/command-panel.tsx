import { Spotlight } from '@mantine/spotlight'
import { Search } from 'lucide-react'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { containsEveryWord } from '../values/contains-every-word'
import { useFocusBack } from '../form/use-focus-back'
import { KeyHint } from '../keys/key-hint'
import { isActive, isHeld, titled, useShortcutScopes } from '../keys/shortcut-registry'
import { box, type Command, type CommandPanelProps, openKeys, setTyped, useTyped } from './command-box'

type PanelProps = CommandPanelProps & {
  /** Finds records by typed text. */
  Results: ComponentType<{ query: string }>
}

/** Finds every registered action by its name, and people and expenses; hands any other text to `onSearch`. */
export function CommandPanel({ inputRef, ...props }: PanelProps) {
  const { t } = useTranslation('shell')
  const query = useTyped(({ text }) => text)
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
      <FoundActions query={query} {...props} />
    </Spotlight.Root>
  )
}

/** Drawn only while the box is open, so that what can be done is asked at that time. */
function FoundActions({ query, onSearch, commands, Results }: Omit<PanelProps, 'inputRef'> & { query: string }) {
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
