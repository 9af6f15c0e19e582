import { BadgeCheck, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatAccessKey } from '#shared/domain/access-keys'
import { fromMinor } from '#shared/domain/money'
import { formatTaxId } from '#shared/domain/tax-ids'
import { type Invoice, forgeryDoubts, valueDoubts } from '#shared/invoices/invoice'
import { Amount } from '../../ui/values/amount'
import { FactList } from '../../ui/values/fact-list'
import { Instant } from '../../ui/values/instant'
import classes from './invoices.module.css'

/** What an electronic invoice says, and whether it contradicts itself. */
export function InvoiceCard({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices')
  const { kind, supplier, trade_name, tax_id, number, series, issued_on, total_minor, currency, access_key, verification_code } = invoice
  const facts = [
    ['supplier', supplier ?? trade_name],
    ['taxId', tax_id && formatTaxId(tax_id)],
    ['number', number && series ? t('numberSeries', { number, series }) : number],
    ['issuedOn', issued_on && <Instant value={issued_on} show="day" />],
    ['total', total_minor !== undefined && <Amount amount={fromMinor(total_minor, currency)} currency={currency} />],
    ['accessKey', access_key && <span className={classes.key}>{formatAccessKey(access_key)}</span>],
    ['verificationCode', verification_code],
  ] as const
  return (
    <div role="group" className={classes.card} aria-label={t(`kind.${kind}`)}>
      <h2 className={classes.title}>{t(`kind.${kind}`)}</h2>
      <FactList
        facts={facts.flatMap(([name, value]) =>
          value === undefined || value === false || value === '' ? [] : [{ label: t(`field.${name}`), value }],
        )}
      />
      <InvoiceChecks invoice={invoice} />
    </div>
  )
}

/** The checks and their errors, and what the signature is worth. */
function InvoiceChecks({ invoice: { doubts, access_key, kind, signature } }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices')
  const groups = [
    { title: t('changed'), names: forgeryDoubts.filter((doubt) => doubts.includes(doubt)) },
    { title: t('mind'), names: valueDoubts.filter((doubt) => doubts.includes(doubt)) },
  ].filter(({ names }) => names.length > 0)
  return (
    <div className={classes.checks}>
      {groups.map(({ title, names }) => (
        <div key={title} className={classes.check} role="note">
          <TriangleAlert size={16} aria-hidden className={classes.alert} />
          <div>
            {title}
            <ul className={classes.doubts}>
              {names.map((name) => (
                <li key={name}>{t(`doubt.${name}`)}</li>
              ))}
            </ul>
          </div>
        </div>
      ))}
      {groups.length === 0 && access_key !== undefined && (
        <p className={classes.check}>
          <BadgeCheck size={16} aria-hidden />
          {t('checked')}
        </p>
      )}
      <p className={classes.quiet}>
        {access_key === undefined && !doubts.includes('no_key') && kind !== 'en16931' && `${t('noKey')} `}
        {signature?.state === 'valid' && t('signature.valid', { signer: signature.signer })}
        {signature?.state === 'unchecked' && t(`signature.${signature.reason}`)}
        {signature === undefined && t('unsigned')}
      </p>
    </div>
  )
}
