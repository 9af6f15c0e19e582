import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { FindBox } from '../../ui/grid/find-box'
import { KeyHint } from '../../ui/keys/key-hint'
import classes from './list-screen.module.css'

/** The bar above a list. `name`: its texts. `onNew` is absent without permission; `count` until it is known. */
export type ListBarProps = {
  name: string
  searchRef: RefObject<HTMLInputElement | null>
  search: string
  onSearch: (text: string) => void
  count: number | undefined
  onNew?: () => void
}

/** Finds a record, and creates one. */
export function ListBar({ name, searchRef, search, onSearch, count, onNew }: ListBarProps) {
  const { t } = useTranslation(name)
  return (
    <div className={classes.bar}>
      <FindBox inputRef={searchRef} label={t('find')} text={search} onText={onSearch} />
      <span className={`${classes.quiet} tabular`} role="status">
        {count !== undefined && t('count', { count })}
      </span>
      <span className={classes.spring} />
      {onNew && (
        <Button leftSection={<Plus size={14} aria-hidden />} rightSection={<KeyHint keys="n" />} onClick={onNew}>
          {t('new')}
        </Button>
      )}
    </div>
  )
}
