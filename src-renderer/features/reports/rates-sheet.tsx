import { ActionIcon, Button, FileButton, Modal, TextInput } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { exchangeRateRoutes } from '#shared/contract/organization-records/exchange-rates'
import { isCurrency } from '#shared/domain/currencies'
import { may } from '#shared/domain/permissions'
import { currencyOfSource, readRates, toSheets } from '#shared/domain/reports/rate-sheets'
import { failureText } from '../../api/failure-text'
import { organizationRecordApi } from '../../api/organization-records'
import { useRole } from '../../state/membership'
import { notifyDone, notifyFailure } from '../../state/notices'
import { usePreferences } from '../../state/preferences'
import type { OfferUndo } from '../../ui/feedback/use-undo'
import { now } from '../../ui/values/clock'
import { useDayWithYear } from './words'
import classes from './reports.module.css'

const api = organizationRecordApi('exchange_rates', exchangeRateRoutes)

/** How many months of a published file are imported, the newest first. */
const importedMonths = 60

type Sheet = z.output<typeof exchangeRateRoutes.create.response>
type SheetProps = { organizationId: number; currency: string; offerUndo: OfferUndo; onClose: () => void }

/** What a sheet is called: one entered rate by what it says, in the user's formats. */
function useSheetWords(): (sheet: Pick<Sheet, 'name' | 'source' | 'currency' | 'rates'>) => string {
  const { t } = useTranslation('reports')
  const language = usePreferences((state) => state.language)
  const day = useDayWithYear()
  return ({ name, source, currency, rates }) => {
    const read = source === 'hand' && name === rates ? readRates(source, rates) : undefined
    const [one] = read?.kind === 'ok' ? read.rates : []
    if (!one) return name
    const amount = new Intl.NumberFormat(language, { maximumFractionDigits: 12 }).format(Number(name.split(' ')[2]))
    return t('rates.sheet.line', { code: one.currency, amount, currency, day: day(one.day) })
  }
}

/** The rates of the organization: entered, imported, deleted. `currency`: what reports are converted into. */
export function RatesSheet({ organizationId, currency, offerUndo, onClose }: SheetProps) {
  const { t } = useTranslation('reports')
  const { data: sheets, error } = api.useAll(organizationId)
  const write = api.useWrite(organizationId)
  const wordsOf = useSheetWords()
  const canWrite = may('exchange_rates.write', { role: useRole() })
  const fail = (reason: unknown) => notifyFailure({ title: t('rates.sheet.failed'), message: failureText(reason) })
  const enter = async (line: string) => {
    const fields = { name: line, source: 'hand', currency, rates: line } as const
    const record = await write.mutateAsync({ kind: 'create', fields })
    if (record) offerUndo(t('rates.sheet.added'), () => write.mutateAsync({ kind: 'delete', record }))
  }
  const remove = async (record: Sheet) => {
    await write.mutateAsync({ kind: 'delete', record })
    const { name, source, currency: into, rates } = record
    const fields = { name, source, currency: into, rates }
    offerUndo(t('rates.sheet.removed', { name: wordsOf(record) }), () => write.mutateAsync({ kind: 'create', fields }))
  }
  return (
    <Modal opened size="lg" onClose={onClose} title={t('rates.sheet.open')} closeButtonProps={{ 'aria-label': t('rates.sheet.close') }}>
      <p className={classes.note}>{t('rates.sheet.about')}</p>
      {canWrite ? (
        <>
          <EnterRate currency={currency} isPending={write.isPending} onEnter={(line) => enter(line).catch(fail)} />
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
              <span>{wordsOf(sheet)}</span>
              <span className={classes.quiet}>{t(`rates.of.${sheet.source}`)}</span>
              {canWrite && (
                <ActionIcon aria-label={t('rates.sheet.remove', { name: wordsOf(sheet) })} onClick={() => void remove(sheet).catch(fail)}>
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
  const from = code.trim().toUpperCase()
  const isSame = from === currency
  const submit = () => {
    const line = `${day} ${from} ${rate.trim().replace(',', '.')}`
    const isRead = !isSame && isCurrency(from) && readRates('hand', line).kind === 'ok'
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
        error={isSame ? t('rates.sheet.same', { currency }) : undefined}
      />
      <TextInput
        label={t('rates.sheet.rate', { currency })}
        inputMode="decimal"
        value={rate}
        onChange={(event) => setRate(event.currentTarget.value)}
        error={isWrong && !isSame ? t('rates.sheet.badRate') : undefined}
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
  const [failure, setFailure] = useState('')
  const store = async (text: string) => {
    const source = text.startsWith('Date,') ? 'ecb' : 'bcb'
    const read = readRates(source, text)
    if (read.kind === 'wrong') return setFailure(t('rates.sheet.wrong', { line: read.line }))
    const parts = toSheets(source, text, { months: importedMonths })
    for (const [done, part] of parts.entries()) {
      setProgress({ done, total: parts.length })
      const fields = { ...part, source, currency: currencyOfSource[source] } as const
      const record = known.find(({ name }) => name === part.name)
      await write.mutateAsync(record ? { kind: 'change', record, fields } : { kind: 'create', fields })
    }
    notifyDone(t('rates.sheet.imported'))
  }
  const take = (file: File | null) => {
    if (!file) return
    setFailure('')
    void file
      .text()
      .then(store)
      .catch((error: unknown) => setFailure(failureText(error)))
      .finally(() => setProgress(null))
  }
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
      {failure !== '' && (
        <p className={classes.alert} role="alert">
          {failure}
        </p>
      )}
    </div>
  )
}
