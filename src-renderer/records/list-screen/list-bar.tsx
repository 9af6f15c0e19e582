import { Button } from '@mantine/core'
import { type LucideIcon, Plus } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { FindBox } from '../../ui/grid/find-box'
import { KeyHint } from '../../ui/keys/key-hint'
import classes from './list-screen.module.css'

/**
 * The bar above a list. `name`: its texts. `onNew` is absent without permission; `count` until it is known. `newWords`: what the button
 * for it shows, if not that of a new record. `children` stand before the button.
 */
export type ListBarProps = {
  name: string
  searchRef: RefObject<HTMLInputElement | null>
  search: string
  onSearch: (text: string) => void
  count: number | undefined
  onNew?: () => void
  newWords?: { readonly label: string; readonly Icon: LucideIcon }
  children?: ReactNode
}

/** Finds a record, and creates one. */
export function ListBar({ name, searchRef, search, onSearch, count, onNew, newWords, children }: ListBarProps) {
  const { t } = useTranslation(name)
  const { label, Icon } = newWords ?? { label: t('new'), Icon: Plus }
  return (
    <div className={classes.bar}>
      <FindBox inputRef={searchRef} label={t('find')} text={search} onText={onSearch} />
      <span className={`${classes.quiet} tabular`} role="status">
        {count !== undefined && t('count', { count })}
      </span>
      <span className={classes.spring} />
      {children}
      {onNew && (
        <Button leftSection={<Icon size={14} aria-hidden />} rightSection={<KeyHint keys="n" />} onClick={onNew}>
          {label}
        </Button>
      )}
    </div>
  )
}
