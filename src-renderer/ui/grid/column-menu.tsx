import { ActionIcon, Menu } from '@mantine/core'
import { Columns3 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { untouchedColumns, usePreferences } from '../../state/preferences'
import { isShown, orderColumns, toggleColumn } from './grid-layout'
import type { GridColumn } from './grid-types'

/** Chooses the columns of a grid, in the screen's toolbar. `gridId` and `columns` as given to the grid. */
export function ColumnMenu<T>({ gridId, columns }: { gridId: string; columns: readonly GridColumn<T>[] }) {
  const { t } = useTranslation('ui')
  const layout = usePreferences((state) => state.columns[gridId]) ?? untouchedColumns
  const setColumns = usePreferences((state) => state.setColumns)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('grid.columns')} title={t('grid.columns')}>
          <Columns3 size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('grid.columns')}</Menu.Label>
        {orderColumns(columns, layout).map((column) => (
          <Menu.CheckboxItem
            key={column.id}
            checked={isShown(column, layout)}
            disabled={column.fixed}
            onChange={() => setColumns(gridId, toggleColumn(layout, column.id))}
          >
            {column.header}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => setColumns(gridId, untouchedColumns)}>{t('grid.resetColumns')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
