import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { toCsvCell } from '#shared/domain/csv-cell'
import type { Import } from '#shared/contract/imports'
import { readReport } from '../../api/imports'
import classes from './import.module.css'
import { useAct } from './use-act'

/** Saves the reports about single rows as a table, to be corrected in a spreadsheet. */
export function DownloadReport({ shown }: { shown: Import }) {
  const { t } = useTranslation('imports')
  const { act, isBusy, failure } = useAct(async () => {
    const { problems, changes } = await readReport(shown)
    const names = ['row', 'what', 'column', 'reason', 'from', 'to'].map((name) => t(`csv.${name}`))
    const rows = [
      ...problems.map(({ row, column, reason }) => [row, t('csv.refused'), column, reason, null, null]),
      ...changes.flatMap(({ row, changes: own }) =>
        own.map(({ attribute, from, to }) => [
          row,
          t('csv.changed'),
          t([`field.${attribute}`, `expense:fields.${attribute}`]),
          null,
          from,
          to,
        ]),
      ),
    ]
    const lines = [names, ...rows].map((cells) => `${cells.map((cell) => toCsvCell(cell)).join(',')}\r\n`)
    save(new Blob(['\uFEFF', ...lines], { type: 'text/csv' }), `${shown.file_name.replace(/\.\w+$/, '')}-report.csv`)
  })
  return (
    <>
      <Button variant="default" onClick={act} loading={isBusy}>
        {t('download')}
      </Button>
      {failure && <div className={classes.section}>{failure}</div>}
    </>
  )
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
