import { ActionIcon } from '@mantine/core'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { later } from '../../ui/panes/later'
import type { ExportableList } from './exportable-list'

const ExportSheet = later(async () => (await import('./export-sheet')).ExportSheet)

/** Opens the sheet that exports a list: a button in its bar, and a key. */
export function ExportAct({ list, onClosed }: { list: ExportableList; onClosed?: () => void }) {
  const { t } = useTranslation('exports')
  const [isOpen, setOpen] = useState(false)
  useShortcuts({ scope: 'export', title: t('title') }, [
    { id: 'export', keys: 'shift+x', label: t('open'), run: () => setOpen(true), when: () => !isOpen },
  ])
  return (
    <>
      <ActionIcon aria-label={t('open')} title={`${t('open')} (⇧X)`} onClick={() => setOpen(true)}>
        <Download size={16} />
      </ActionIcon>
      {isOpen && (
        <ExportSheet
          list={list}
          onClose={() => {
            setOpen(false)
            onClosed?.()
          }}
        />
      )}
    </>
  )
}
