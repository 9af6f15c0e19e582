import { Spotlight } from '@mantine/spotlight'
import { Search } from 'lucide-react'
import { useState, type ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { hasWords } from './has-words'
import { KeyHint } from './key-hint'
import { isActive, isHeld, useShortcutScopes } from './shortcut-registry'

/** The keys that open the box; it does not list itself. */
export const openKeys = 'mod+k'

/** Something that is done from here alone: it has no key. */
export type Command = { readonly id: string; readonly label: string; readonly run: () => void }

type CommandBoxProps = {
  onSearch: (text: string) => void
  /** What the person can do anywhere; offered once something is typed. */
  commands: readonly Command[]
  /** Finds records by what is typed. */
  Results: ComponentType<{ query: string }>
}

/** Ctrl+K: finds every registered action by its name, and people and expenses; hands any other text to `onSearch`. */
export function CommandBox({ onSearch, commands, Results }: CommandBoxProps) {
  const { t } = useTranslation('shell')
  const [query, setQuery] = useState('')
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      // When it opens, not when it has faded out: it may be open again by then.
      onSpotlightOpen={() => setQuery('')}
      clearQueryOnClose={false}
      shortcut={null}
      maxHeight={420}
      scrollable
      transitionProps={{ duration: 100 }}
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      attributes={{ content: { 'aria-label': t('search') } }}
    >
      <Spotlight.Search placeholder={t('search')} aria-label={t('search')} leftSection={<Search size={16} aria-hidden />} />
      <FoundActions query={query} onSearch={onSearch} commands={commands} Results={Results} />
    </Spotlight.Root>
  )
}

/** Drawn only while the box is open, so that what can be done is asked at that time. */
function FoundActions({ query, onSearch, commands, Results }: CommandBoxProps & { query: string }) {
  const { t } = useTranslation('shell')
  const scopes = useShortcutScopes((state) => state.scopes)
  const wanted = query.trim().toLocaleLowerCase()
  const groups = scopes
    .map((scope) => ({
      ...scope,
      found: scope.shortcuts.filter(
        (known) =>
          isActive(known) && !isHeld(known) && known.keys !== openKeys && known.label.toLocaleLowerCase().includes(wanted),
      ),
    }))
    .filter((scope) => scope.found.length > 0)
  const own = wanted === '' ? [] : commands.filter(({ label }) => hasWords(label, wanted))
  return (
    <Spotlight.ActionsList>
      {wanted !== '' && (
        <Spotlight.Action label={t('searchFor', { text: query.trim() })} onClick={() => onSearch(query.trim())} />
      )}
      {groups.map((scope) => (
        <Spotlight.ActionsGroup key={scope.scope} label={scope.title}>
          {scope.found.map((known) => (
            <Spotlight.Action
              key={known.id}
              label={known.label}
              onClick={known.run}
              rightSection={<KeyHint keys={known.keys} />}
            />
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
      {wanted !== '' && <Results query={query.trim()} />}
    </Spotlight.ActionsList>
  )
}
