import { Button } from '@mantine/core'
import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { KeyHint } from '../../ui/keys/key-hint'

/** A button that has files chosen; `f` presses it where a shortcut does (`[data-pick]`). `accept` as of an input. */
export function PickFiles({ accept, onFiles }: { accept?: string; onFiles: (files: readonly File[]) => void }) {
  const { t } = useTranslation('capture')
  const inputRef = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        variant="default"
        leftSection={<FileUp size={14} aria-hidden />}
        rightSection={<KeyHint keys="f" />}
        onClick={() => inputRef.current?.click()}
        data-pick
      >
        {t('choose')}
      </Button>
      <input
        ref={inputRef}
        type="file"
        multiple
        accept={accept}
        className="visually-hidden"
        tabIndex={-1}
        aria-label={t('choose')}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </>
  )
}

/** Presses the button that has files chosen. */
export function pickFiles(): void {
  document.querySelector<HTMLElement>('[data-pick]')?.click()
}
