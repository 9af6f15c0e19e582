import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { readInvoice } from '#shared/invoices/read-invoice'
import { type XmlLine, type XmlNode, toLines } from '#shared/invoices/xml-tree'
import { InvoiceCard } from '#renderer/records/expense/invoice-card'
import { useCheckedInvoice } from '#renderer/records/expense/signature'
import { xmlQuery } from '#renderer/records/expense/stored-invoices'
import type { ReceiptProps } from './receipt-image'
import classes from './receipt-viewer.module.css'

const mostLines = 2000

/** An XML receipt: a Brazilian electronic invoice as what it says, anything else as text that can be read and searched. */
export function ReceiptXml({ attachment, label, viewport, onBroken }: Omit<ReceiptProps, 'onStep'>) {
  const { t } = useTranslation('invoices')
  const { data: root, isError } = useQuery(xmlQuery(attachment))
  useEffect(() => {
    if (isError) onBroken()
  }, [isError, onBroken])
  const read = useMemo(() => root && readInvoice(root), [root])
  const invoice = useCheckedInvoice(read, attachment)
  const text = root && <XmlText root={root} fontSizePx={12 * viewport.zoom} />
  return (
    <div className={classes.xml} role="document" tabIndex={0} aria-label={label}>
      {invoice ? (
        <>
          <InvoiceCard invoice={invoice} />
          <details className={classes.xmlBehind}>
            <summary>{t('showXml')}</summary>
            {text}
          </details>
        </>
      ) : (
        text
      )}
    </div>
  )
}

function XmlText({ root, fontSizePx }: { root: XmlNode; fontSizePx: number }) {
  const { t } = useTranslation('expense')
  const lines = useMemo(() => toLines(root, mostLines), [root])
  return (
    <>
      <div className={classes.xmlText} style={{ fontSize: `${fontSizePx}px` }}>
        {lines.map((line, index) => (
          <XmlTextLine key={index} line={line} />
        ))}
      </div>
      {lines.length === mostLines && <p className={classes.xmlCut}>{t('receipt.xmlCut', { count: mostLines })}</p>}
    </>
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
