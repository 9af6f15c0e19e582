import { ActionIcon } from '@mantine/core'
import { Columns3 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { untouchedColumns, usePreferences } from '../../state/preferences'
import { isShown, orderColumns, toggleColumn } from './grid-layout'
import type { GridColumn } from './grid-types'
import { Menu } from '../panes/menu'

/** Chooses the columns of a grid, in the screen's toolbar. `gridId` and `columns` as given to the grid. */
export function ColumnMenu<T>({ gridId, columns }: { gridId: string; columns: readonly GridColumn<T>[] }) {
  const { t } = useTranslation('ui')
  const layout = usePreferences((state) => state.columns[gridId]) ?? untouchedColumns
  const setColumns = usePreferences((state) => state.setColumns)
  return (
    <Menu
      position="bottom-end"
      target={
        <ActionIcon aria-label={t('grid.columns')} title={t('grid.columns')}>
          <Columns3 size={16} />
        </ActionIcon>
      }
    >
      {(Parts) => (
        <Parts.Dropdown>
          <Parts.Label>{t('grid.columns')}</Parts.Label>
          {orderColumns(columns, layout).map((column) => (
            <Parts.CheckboxItem
              key={column.id}
              checked={isShown(column, layout)}
              disabled={column.fixed}
              onChange={() => setColumns(gridId, toggleColumn(layout, column.id))}
            >
              {column.header}
            </Parts.CheckboxItem>
          ))}
          <Parts.Divider />
          <Parts.Item onClick={() => setColumns(gridId, untouchedColumns)}>{t('grid.resetColumns')}</Parts.Item>
        </Parts.Dropdown>
      )}
    </Menu>
  )
}
