import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { parseInstant } from '#shared/domain/dates'
import { localUrl } from '../../../api/attachments'
import { Amount } from '../../../ui/amount'
import { Instant } from '../../../ui/instant'
import { isPlainDate } from '../../../ui/format'
import { fetchXml } from './read-xml'
import type { ReceiptProps } from './receipt-image'
import classes from './receipt-viewer.module.css'
import { formatAccessKey, formatTaxId, summarize, type FiscalSummary } from './xml-summary'
import { toLines, type XmlLine } from './xml-tree'

const mostLines = 2000

/** An XML receipt as text that can be read and searched; what a Brazilian fiscal document says stands on top in short. */
export function ReceiptXml({ attachment, label, viewport, onBroken }: Omit<ReceiptProps, 'onStep'>) {
  const { t } = useTranslation('expense')
  const { data: root, isError } = useQuery({
    queryKey: ['xml', attachment.uid, attachment.version],
    queryFn: ({ signal }) => fetchXml(localUrl(attachment.url), signal),
    retry: false,
  })
  useEffect(() => {
    if (isError) onBroken()
  }, [isError, onBroken])
  const summary = useMemo(() => root && summarize(root), [root])
  const lines = useMemo(() => (root ? toLines(root, mostLines) : []), [root])
  return (
    <div className={classes.xml} role="document" tabIndex={0} aria-label={label}>
      {summary && <XmlSummary summary={summary} />}
      <div className={classes.xmlText} style={{ fontSize: `${12 * viewport.zoom}px` }}>
        {lines.map((line, index) => (
          <XmlTextLine key={index} line={line} />
        ))}
      </div>
      {lines.length === mostLines && <p className={classes.xmlCut}>{t('receipt.xmlCut', { count: mostLines })}</p>}
    </div>
  )
}

function XmlTextLine({ line: { depth, name, attributes, text } }: { line: XmlLine }) {
  return (
    <div className={classes.xmlLine} style={{ paddingInlineStart: `${depth * 1.2}em` }}>
      <span className={classes.xmlName}>{name}</span>
      {attributes !== '' && <span className={classes.xmlAttributes}> {attributes}</span>}
      {text !== '' && <span> {text}</span>}
    </div>
  )
}

function XmlSummary({ summary }: { summary: FiscalSummary }) {
  const { t } = useTranslation('expense')
  const issued = summary.issued_at === undefined ? undefined : parseInstant(summary.issued_at)
  const rows = [
    ['supplier', summary.supplier],
    ['taxId', summary.tax_id && formatTaxId(summary.tax_id)],
    ['number', summary.number],
    ['issuedAt', issued && <Instant value={issued} show={isPlainDate(issued) ? 'day' : 'moment'} />],
    ['total', summary.total !== undefined && <Amount amount={summary.total} currency="BRL" />],
    ['accessKey', summary.access_key && <span className={classes.accessKey}>{formatAccessKey(summary.access_key)}</span>],
  ] as const
  return (
    <section className={classes.summary} aria-label={t(`xml.${summary.kind}`)}>
      <h2 className={classes.summaryTitle}>{t(`xml.${summary.kind}`)}</h2>
      <dl className={classes.summaryRows}>
        {rows
          .filter(([, value]) => value !== undefined && value !== false && value !== '')
          .map(([name, value]) => (
            <div key={name} className={classes.summaryRow}>
              <dt>{t(`xml.${name}`)}</dt>
              <dd className="tabular">{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}
