import { ActionIcon, Button, Select, TextInput } from '@mantine/core'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type LayoutColumn, codedBy } from '#shared/domain/exports/layout'
import { profileAttributes } from '#shared/records/exported-attributes'
import { readColumn } from './profile-values'
import { useAttributeName } from './use-attribute-name'
import classes from './export-profiles.module.css'

type ColumnsFieldProps = { columns: readonly string[]; error: string | undefined; onChange: (columns: readonly string[]) => void }

/** The columns of a profile, in their order: what each is called, and what it has. */
export function ColumnsField({ columns, error, onChange }: ColumnsFieldProps) {
  const { t } = useTranslation('export-profiles')
  const replace = (index: number, column: LayoutColumn) => onChange(columns.with(index, JSON.stringify(column)))
  const move = (index: number, by: number) => {
    const [moved, other] = [columns[index], columns[index + by]]
    if (moved !== undefined && other !== undefined) onChange(columns.with(index, other).with(index + by, moved))
  }
  return (
    <fieldset className={classes.columns}>
      <legend>{t('detail.columns')}</legend>
      {columns.map((text, index) => {
        const column = readColumn(text)
        return (
          column && (
            // Columns have no identity but their place.
            <div key={index} className={classes.column} role="group" aria-label={t('detail.column', { number: index + 1 })}>
              <ColumnFields column={column} onChange={(changed) => replace(index, changed)} />
              <div className={classes.columnActs}>
                <ActionIcon variant="subtle" aria-label={t('detail.up')} disabled={index === 0} onClick={() => move(index, -1)}>
                  <ArrowUp size={14} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  aria-label={t('detail.down')}
                  disabled={index === columns.length - 1}
                  onClick={() => move(index, 1)}
                >
                  <ArrowDown size={14} />
                </ActionIcon>
                <ActionIcon variant="subtle" aria-label={t('detail.remove')} onClick={() => onChange(columns.toSpliced(index, 1))}>
                  <X size={14} />
                </ActionIcon>
              </div>
            </div>
          )
        )
      })}
      {error !== undefined && (
        <p className={classes.wrong} role="alert">
          {error}
        </p>
      )}
      <Button
        variant="default"
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => onChange([...columns, JSON.stringify({ kind: 'constant', name: '', text: '' })])}
      >
        {t('detail.addColumn')}
      </Button>
    </fieldset>
  )
}

/** What a file of bookings says as well by another attribute: it has one amount. Kept for formats that name it. */
function isTwin(attribute: string): boolean {
  return ['amount', 'currency', 'approved_amount', 'approved_amount_currency'].includes(attribute)
}

function ColumnFields({ column, onChange }: { column: LayoutColumn; onChange: (column: LayoutColumn) => void }) {
  const { t } = useTranslation('export-profiles')
  const nameOf = useAttributeName()
  const { name } = column
  const value = column.kind === 'attribute' ? column.attribute : column.kind === 'code' ? `code:${column.of}` : 'constant'
  const choose = (chosen: string | null) => {
    if (chosen === null) return
    if (chosen === 'constant') return onChange({ kind: 'constant', name, text: '' })
    const of = codedBy.find((by) => chosen === `code:${by}`)
    if (of) return onChange({ kind: 'code', name, of })
    onChange({ kind: 'attribute', attribute: chosen, name: name === '' ? nameOf(chosen) : name })
  }
  return (
    <>
      <TextInput
        aria-label={t('detail.columnName')}
        placeholder={t('detail.columnName')}
        value={name}
        maxLength={200}
        onChange={(event) => onChange({ ...column, name: event.currentTarget.value })}
      />
      <Select
        aria-label={t('detail.columnValue')}
        searchable
        allowDeselect={false}
        value={value}
        onChange={choose}
        data={[
          { value: 'constant', label: t('value.constant') },
          ...codedBy.map((by) => ({ value: `code:${by}`, label: t(`value.${by}Code`) })),
          ...profileAttributes
            .filter((attribute) => attribute === value || !isTwin(attribute))
            .map((attribute) => ({ value: attribute, label: nameOf(attribute) })),
        ]}
      />
      {column.kind === 'constant' && (
        <TextInput
          aria-label={t('detail.text')}
          placeholder={t('detail.text')}
          value={column.text}
          maxLength={1000}
          onChange={(event) => onChange({ ...column, text: event.currentTarget.value })}
        />
      )}
    </>
  )
}
