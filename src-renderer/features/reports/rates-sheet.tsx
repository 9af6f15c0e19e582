import { ActionIcon, Button, FileButton, Modal, TextInput } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exchangeRateRoutes } from '#shared/contract/organization-records/exchange-rates'
import { isCurrency } from '#shared/domain/currencies'
import { may } from '#shared/domain/permissions'
import { currencyOfSource, readRates, toSheets } from '#shared/domain/reports/rate-sheets'
import { failureText } from '../../api/failure-text'
import { organizationRecordApi } from '../../api/organization-records'
import { useRole } from '../../state/membership'
import { notifyDone, notifyFailure } from '../../state/notices'
import { now } from '../../ui/values/clock'
import classes from './reports.module.css'

const api = organizationRecordApi('exchange_rates', exchangeRateRoutes)

/** How many months of a published file are imported, the newest first. */
const importedMonths = 60

type SheetProps = { organizationId: number; currency: string; onClose: () => void }

/** The rates of the organization: entered, imported, deleted. `currency`: what reports are converted into. */
export function RatesSheet({ organizationId, currency, onClose }: SheetProps) {
  const { t } = useTranslation('reports')
  const { data: sheets, error } = api.useAll(organizationId)
  const write = api.useWrite(organizationId)
  const canWrite = may('exchange_rates.write', { role: useRole() })
  const fail = (reason: unknown) => notifyFailure({ title: t('rates.sheet.failed'), message: failureText(reason) })
  return (
    <Modal opened onClose={onClose} title={t('rates.sheet.open')} closeButtonProps={{ 'aria-label': t('rates.sheet.close') }}>
      <p className={classes.note}>{t('rates.sheet.about')}</p>
      {canWrite ? (
        <>
          <EnterRate
            currency={currency}
            isPending={write.isPending}
            onEnter={(line) =>
              write
                .mutateAsync({ kind: 'create', fields: { name: line, source: 'hand', currency, rates: line } })
                .then(() => notifyDone(t('rates.sheet.added')), fail)
            }
          />
          <ImportRates organizationId={organizationId} />
        </>
      ) : (
        <p className={classes.note}>{t('rates.sheet.readOnly')}</p>
      )}
      {error ? (
        <p role="alert">{t('rates.sheet.unread')}</p>
      ) : sheets?.length === 0 ? (
        <p className={classes.note}>{t('rates.sheet.none')}</p>
      ) : (
        <ul className={classes.sheets}>
          {(sheets ?? []).map((sheet) => (
            <li key={sheet.id}>
              <span>{sheet.name}</span>
              <span className={classes.quiet}>{t(`rates.of.${sheet.source}`)}</span>
              {canWrite && (
                <ActionIcon
                  aria-label={t('rates.sheet.remove', { name: sheet.name })}
                  onClick={() => void write.mutateAsync({ kind: 'delete', record: sheet }).catch(fail)}
                >
                  <Trash2 size={14} />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      )}
    </Modal>
  )
}

type EnterProps = { currency: string; isPending: boolean; onEnter: (line: string) => Promise<void> }

/** One rate: what a unit of a currency was worth on a day. */
function EnterRate({ currency, isPending, onEnter }: EnterProps) {
  const { t } = useTranslation('reports')
  const [day, setDay] = useState(() => now().toISOString().slice(0, 10))
  const [code, setCode] = useState('')
  const [rate, setRate] = useState('')
  const [isWrong, setWrong] = useState(false)
  const submit = () => {
    const line = `${day} ${code.trim().toUpperCase()} ${rate.trim().replace(',', '.')}`
    const isRead = isCurrency(code.trim().toUpperCase()) && readRates('hand', line).kind === 'ok'
    setWrong(!isRead)
    if (isRead) void onEnter(line).then(() => setRate(''))
  }
  return (
    <form
      className={classes.enter}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextInput type="date" label={t('rates.sheet.day')} value={day} onChange={(event) => setDay(event.currentTarget.value)} />
      <TextInput
        label={t('rates.sheet.currency')}
        placeholder="USD"
        maxLength={3}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <TextInput
        label={t('rates.sheet.rate', { currency })}
        inputMode="decimal"
        value={rate}
        onChange={(event) => setRate(event.currentTarget.value)}
        error={isWrong ? t('rates.sheet.badRate') : undefined}
      />
      <Button type="submit" loading={isPending}>
        {t('rates.sheet.add')}
      </Button>
    </form>
  )
}

/** Reads a published file here, and stores it a month at a time. */
function ImportRates({ organizationId }: { organizationId: number }) {
  const { t } = useTranslation('reports')
  const { data: known = [] } = api.useAll(organizationId)
  const write = api.useWrite(organizationId)
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null)
  const store = async (text: string) => {
    const source = text.startsWith('Date,') ? 'ecb' : 'bcb'
    const read = readRates(source, text)
    if (read.kind === 'wrong') throw new Error(t('rates.sheet.wrong', { line: read.line }))
    const parts = toSheets(source, text, { months: importedMonths })
    for (const [done, part] of parts.entries()) {
      setProgress({ done, total: parts.length })
      const fields = { ...part, source, currency: currencyOfSource[source] } as const
      const record = known.find(({ name }) => name === part.name)
      await write.mutateAsync(record ? { kind: 'change', record, fields } : { kind: 'create', fields })
    }
    notifyDone(t('rates.sheet.imported'))
  }
  const take = (file: File | null) =>
    file &&
    void file
      .text()
      .then((text) => store(text.replace(/^\uFEFF/, '')))
      .catch((error: unknown) => notifyFailure({ title: t('rates.sheet.failed'), message: failureText(error) }))
      .finally(() => setProgress(null))
  return (
    <div>
      <FileButton onChange={take} accept=".csv,text/csv">
        {(props) => (
          <Button {...props} variant="default" loading={progress !== null}>
            {t('rates.sheet.file')}
          </Button>
        )}
      </FileButton>
      <p className={classes.note} role="status">
        {progress ? t('rates.sheet.reading', progress) : t('rates.sheet.fileHint')}
      </p>
    </div>
  )
}
