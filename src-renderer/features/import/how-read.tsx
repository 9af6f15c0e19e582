import { Button, Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Import, type ImportField, type ImportOptions, importFields, neededImportFields } from '#shared/contract/imports'
import { currencyChoices } from '#shared/domain/currencies'
import { keepImport, readImport } from '../../api/imports'
import classes from './import.module.css'
import { useAct } from './use-act'

const dateOrders = ['dmy', 'mdy', 'ymd'] as const
const decimals = [',', '.'] as const

/** Which column is what, and how dates and amounts are written; where the file cannot be read, open. */
export function HowRead({ shown }: { shown: Import }) {
  const { t } = useTranslation('imports')
  const isUnreadable = shown.state === 'unreadable'
  return (
    <details open={isUnreadable || undefined}>
      <summary className={classes.summary}>{t('read.title')}</summary>
      <ReadForm key={JSON.stringify(shown.options)} shown={shown} />
    </details>
  )
}

function ReadForm({ shown }: { shown: Import }) {
  const { t } = useTranslation('imports')
  const client = useQueryClient()
  const { table } = shown
  const [options, setOptions] = useState<ImportOptions>(shown.options)
  const { act, isBusy, failure } = useAct(async () => keepImport(client, await readImport(shown, options)))
  const change = (changed: ImportOptions) => setOptions((known) => ({ ...known, ...changed }))
  const chooseColumn = (field: ImportField, column: string | null | undefined) => {
    const { [field]: _, ...others } = options.columns ?? {}
    change({ columns: column === undefined ? others : { ...others, [field]: column } })
  }
  return (
    <form
      className={classes.section}
      onSubmit={(event) => {
        event.preventDefault()
        act()
      }}
    >
      <p className={`${classes.text} ${classes.quiet}`}>{t('read.text')}</p>
      <div className={classes.fields}>
        {importFields.map((field) => (
          <ColumnSelect
            key={field}
            field={field}
            headers={shown.headers}
            recognised={table?.columns[field]}
            chosen={options.columns?.[field]}
            onChoose={(column) => chooseColumn(field, column)}
          />
        ))}
        <Select
          label={t('read.defaultCurrency')}
          placeholder={table?.first_rows[0]?.currency ?? t('read.recognised')}
          data={currencyChoices(options.currency)}
          value={options.currency ?? null}
          clearable
          searchable
          onChange={(currency) => change({ currency: currency ?? undefined })}
        />
        <Select
          label={t('read.dateOrder')}
          placeholder={t(table ? `read.${table.date_order}` : 'read.recognised')}
          data={dateOrders.map((value) => ({ value, label: t(`read.${value}`) }))}
          value={options.date_order ?? null}
          clearable
          onChange={(order) => change({ date_order: dateOrders.find((known) => known === order) })}
        />
        <Select
          label={t('read.decimal')}
          placeholder={table ? t(table.decimal === ',' ? 'read.comma' : 'read.point') : t('read.recognised')}
          data={decimals.map((value) => ({ value, label: t(value === ',' ? 'read.comma' : 'read.point') }))}
          value={options.decimal ?? null}
          clearable
          onChange={(sign) => change({ decimal: decimals.find((known) => known === sign) })}
        />
      </div>
      <div className={classes.actions}>
        <Button type="submit" variant="default" loading={isBusy}>
          {t('read.again')}
        </Button>
      </div>
      {failure}
    </form>
  )
}

/** Options of a select that are no column: a header is never empty, and these begin with a character that none has. */
const noColumn = '\u0000none'

type ColumnSelectProps = {
  field: ImportField
  headers: readonly string[]
  recognised: string | undefined
  /** A column, null for none, undefined for the detected one. */
  chosen: string | null | undefined
  onChoose: (column: string | null | undefined) => void
}

/** The column that an attribute is read from. What was recognised is a choice that can be taken back, unless every row needs it. */
function ColumnSelect({ field, headers, recognised, chosen, onChoose }: ColumnSelectProps) {
  const { t } = useTranslation('imports')
  const isNeeded = neededImportFields.has(field)
  const none = isNeeded ? [] : [{ value: noColumn, label: t('read.none') }]
  return (
    <Select
      label={t([`field.${field}`, `expense:fields.${field}`])}
      placeholder={chosen === null ? undefined : (recognised ?? t(isNeeded ? 'read.needed' : 'read.absent'))}
      data={[...none, ...[...new Set(headers)].map((header) => ({ value: header, label: header }))]}
      value={chosen === null ? noColumn : (chosen ?? null)}
      clearable
      searchable
      onChange={(value) => onChoose(value === noColumn ? null : (value ?? undefined))}
    />
  )
}
