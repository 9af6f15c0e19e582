import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { FindBox } from '../../ui/grid/find-box'
import { KeyHint } from '../../ui/keys/key-hint'
import classes from './tags.module.css'

/** The bar above the tags. `onNew` is absent without permission; `count` until it is known. */
export type TagBarProps = {
  searchRef: RefObject<HTMLInputElement | null>
  search: string
  onSearch: (text: string) => void
  count: number | undefined
  onNew?: () => void
}

/** Finding a tag, and making one. */
export function TagBar({ searchRef, search, onSearch, count, onNew }: TagBarProps) {
  const { t } = useTranslation('tags')
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
