import { Spotlight } from '@mantine/spotlight'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { KeyHint } from './key-hint'
import { isActive, isHeld, useShortcutScopes } from './shortcut-registry'

/** The keys that open the box; it does not list itself. */
export const openKeys = 'mod+k'

/** Ctrl+K: finds every registered action by its name, and hands any other text to `onSearch`. */
export function CommandBox({ onSearch }: { onSearch: (text: string) => void }) {
  const { t } = useTranslation('shell')
  const [query, setQuery] = useState('')
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      maxHeight={420}
      scrollable
      transitionProps={{ duration: 100 }}
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      attributes={{ content: { 'aria-label': t('search') } }}
    >
      <Spotlight.Search placeholder={t('search')} aria-label={t('search')} leftSection={<Search size={16} aria-hidden />} />
      <FoundActions query={query} onSearch={onSearch} />
    </Spotlight.Root>
  )
}

/** Drawn only while the box is open, so that what can be done is asked at that time. */
function FoundActions({ query, onSearch }: { query: string; onSearch: (text: string) => void }) {
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
    </Spotlight.ActionsList>
  )
}
