import { Button, TextInput } from '@mantine/core'
import { Plus, Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchedAmount } from '../../ui/form/amount-text'
import { FilterChip } from '../../ui/grid/filter-chip'
import { later } from '../../ui/panes/later'
import { Menu, Popover } from '../../ui/panes/menu'
import type { FilterNames } from './filter-choices'
import { FilterMenu } from './filter-menu'
import { currencyOf, formatTerm, putTerm, type FilterAttribute, type FilterTerm } from './filter-terms'
import classes from './filters.module.css'
import type { ReviewView } from './review-view'
import { useTermWords } from './term-words'

const FilterEditor = later(async () => (await import('./filter-editor')).FilterEditor)

type Editing =
  | { readonly kind: 'none' }
  | { readonly kind: 'menu' }
  | { readonly kind: 'attribute'; readonly attribute: FilterAttribute; readonly term?: FilterTerm }

/** The props of the bar. `names`: to choose from; `searchRef` is focused by `/`; `children` are at its end. */
export type FilterBarProps = {
  view: ReviewView
  names: FilterNames
  isMenuOpen: boolean
  onMenu: (isOpen: boolean) => void
  onShow: (change: Partial<ReviewView>, options?: { isReplacing: boolean }) => void
  onLeave: () => void
  searchRef: RefObject<HTMLInputElement | null>
  children: ReactNode
}

/** The filters as chips, the menu for another, and the search. */
export function FilterBar({ view, names, isMenuOpen, onMenu, onShow, onLeave, searchRef, children }: FilterBarProps) {
  const { t } = useTranslation('review')
  const words = useTermWords(names.people, view.terms)
  const [editing, setEditing] = useState<Editing>({ kind: 'none' })
  const edited = editing.kind === 'attribute' ? editing : undefined
  const close = () => {
    setEditing({ kind: 'none' })
    onLeave()
  }
  const set = (term: FilterTerm) => {
    close()
    onShow({ terms: putTerm(view.terms, term, edited?.term) })
  }
  return (
    <div data-filters className={classes.bar} role="toolbar" aria-label={t('filter.label')}>
      {view.terms.map((term) => (
        <FilterChip
          key={formatTerm(term)}
          {...words(term)}
          onEdit={() => setEditing({ kind: 'attribute', attribute: editedAs(term.attribute), term })}
          onRemove={() => {
            onShow({ terms: view.terms.filter((other) => other !== term) })
            onLeave()
          }}
        />
      ))}
      <Popover
        opened={edited !== undefined}
        onChange={(isOpen) => {
          if (!isOpen) close()
        }}
        position="bottom-start"
        trapFocus
        returnFocus={false}
        closeOnEscape
        label={edited ? t([`attribute.${edited.attribute}`, `expense:fields.${edited.attribute}`]) : undefined}
        target={
          <Menu
            opened={isMenuOpen}
            onChange={onMenu}
            position="bottom-start"
            trapFocus
            returnFocus={false}
            target={
              <Button
                variant="subtle"
                color="gray"
                leftSection={<Plus size={14} aria-hidden />}
                title={t('key', { label: t('filter.add'), key: 'F' })}
              >
                {t('filter.add')}
              </Button>
            }
          >
            {(Parts) => <FilterMenu Menu={Parts} onChoose={(attribute) => setEditing({ kind: 'attribute', attribute })} />}
          </Menu>
        }
      >
        {edited && (
          <FilterEditor
            key={edited.attribute}
            attribute={edited.attribute}
            term={edited.term}
            currency={currencyOf(view.terms)}
            names={names}
            onDone={set}
          />
        )}
      </Popover>
      {view.terms.length > 0 && (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            onShow({ terms: [] })
            onLeave()
          }}
        >
          {t('filter.clear')}
        </Button>
      )}
      <span className={classes.spring} />
      <SearchBox
        search={view.search}
        inputRef={searchRef}
        onSearch={(search) => onShow({ search }, { isReplacing: view.search !== '' })}
        onLeave={onLeave}
      />
      {children}
    </div>
  )
}

/** Whether there is any tag is chosen with the tags. */
function editedAs(attribute: FilterAttribute): FilterAttribute {
  return attribute === 'has_tag' ? 'tag' : attribute
}

type SearchBoxProps = {
  search: string
  inputRef: RefObject<HTMLInputElement | null>
  onSearch: (text: string) => void
  onLeave: () => void
}

/** How long typing rests before it is searched for. */
const restMs = 200

/** Free text, searched for as one types; Enter searches at once and goes to the list, Escape goes back to it. */
function SearchBox({ search, inputRef, onSearch, onLeave }: SearchBoxProps) {
  const { t } = useTranslation('review')
  // Typed text that is not yet searched for; without it the box shows the current search.
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? search
  const searchNow = () => {
    if (text.trim() !== search) onSearch(text.trim())
  }
  const searchSoon = useEffectEvent(searchNow)
  useEffect(() => {
    if (typed === null) return undefined
    const timeout = setTimeout(searchSoon, restMs)
    return () => clearTimeout(timeout)
  }, [typed])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') searchNow()
    else if (event.key === 'Escape') setTyped(null)
    else return
    event.preventDefault()
    onLeave()
  }
  return (
    <span className={classes.searchBox}>
      <TextInput
        ref={inputRef}
        type="search"
        value={text}
        placeholder={t('search.label')}
        aria-label={t('search.label')}
        title={t('key', { label: t('search.label'), key: '/' })}
        leftSection={<Search size={14} aria-hidden />}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => {
          searchNow()
          setTyped(null)
        }}
        onKeyDown={onKeyDown}
      />
      {typed !== null && (
        <span className={classes.searchHint}>
          <SearchedAmount text={text} />
        </span>
      )}
    </span>
  )
}
