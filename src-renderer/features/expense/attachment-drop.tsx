import { useEffect, useEffectEvent, useState, type DragEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import classes from './expense.module.css'
import { useAttach } from './use-attach'

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes('Files')
}

/** Takes files that are dropped anywhere on the expense, or pasted while nothing is being typed. */
export function AttachmentDrop({ expense, isAllowed, children }: { expense: Expense; isAllowed: boolean; children: ReactNode }) {
  const { t } = useTranslation('expense')
  const attach = useAttach(expense.id)
  const [isOver, setOver] = useState(false)
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (!isAllowed || event.defaultPrevented || files.length === 0) return
    event.preventDefault()
    attach(files)
  })
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event)
    document.addEventListener('paste', listen)
    return () => document.removeEventListener('paste', listen)
  }, [])
  const onDragOver = (event: DragEvent) => {
    if (!isAllowed || !hasFiles(event)) return
    event.preventDefault()
    setOver(true)
  }
  const onDragLeave = (event: DragEvent) => {
    if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false)
  }
  const onDrop = (event: DragEvent) => {
    if (!isAllowed || !hasFiles(event)) return
    event.preventDefault()
    setOver(false)
    attach([...event.dataTransfer.files])
  }
  return (
    <div className={classes.detail} onDragOver={onDragOver} onDragLeave={onDragLeave} onDrop={onDrop}>
      {children}
      {isOver && <div className={classes.dropHint}>{t('attachments.drop')}</div>}
    </div>
  )
}
