import { useRef, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { MenuParts } from '../../ui/panes/open-menu'
import { containsEveryWord } from '../../ui/values/contains-every-word'
import { filterAttributeNames, filterAttributes, type FilterAttribute, type TermKind } from './filter-terms'
import classes from './filters.module.css'

const groups = ['expense', 'amounts', 'words', 'review'] as const

/** The part of the menu that a filter is in. */
const groupOf: Readonly<Record<TermKind, (typeof groups)[number]>> = {
  receiver: 'expense',
  tag: 'expense',
  has_tag: 'expense',
  kind: 'expense',
  day: 'expense',
  month: 'expense',
  card: 'expense',
  has_receipt: 'expense',
  amount: 'amounts',
  currency: 'amounts',
  text: 'words',
  name: 'words',
  supplier: 'words',
  status: 'review',
  flag_level: 'review',
  flag: 'review',
  policy: 'review',
  responsible: 'review',
  handed_over: 'review',
}

/** Letters typed within this many milliseconds of each other are one search. */
const typingMs = 800

/** What can be filtered by, in groups; letters typed go to the entry that begins with them, or else has them. */
export function FilterMenu({ Menu, onChoose }: { Menu: MenuParts; onChoose: (attribute: FilterAttribute) => void }) {
  const { t } = useTranslation('review')
  const typed = useRef({ text: '', at: 0 })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return
    const isOn = event.timeStamp - typed.current.at < typingMs
    const text = (isOn ? typed.current.text : '') + event.key
    typed.current = { text, at: event.timeStamp }
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')]
    const name = (item: HTMLElement) => item.textContent ?? ''
    const found =
      items.find((item) => containsEveryWord(name(item).slice(0, text.length), text)) ??
      items.find((item) => containsEveryWord(name(item), text))
    found?.focus()
    event.stopPropagation()
  }
  return (
    <Menu.Dropdown className={classes.filterMenu} onKeyDown={onKeyDown}>
      {groups.map((group) => (
        <div key={group} role="group" aria-label={t(`filter.group.${group}`)}>
          <Menu.Label aria-hidden>{t(`filter.group.${group}`)}</Menu.Label>
          {filterAttributeNames
            .filter((attribute) => groupOf[filterAttributes[attribute].kind] === group)
            .map((attribute) => (
              <Menu.Item key={attribute} onClick={() => onChoose(attribute)}>
                {t([`attribute.${attribute}`, `expense:fields.${attribute}`])}
              </Menu.Item>
            ))}
        </div>
      ))}
    </Menu.Dropdown>
  )
}
