import { Button } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { latinKey } from '../../ui/keys/key-combo'
import { isMac } from '../../ui/keys/shortcuts'
import classes from './settings.module.css'

/** The key that opens quick capture from anywhere. It is chosen by pressing it. */
export function CaptureShortcut({
  keys,
  isTaken,
  onChange,
}: {
  keys: string | null
  isTaken: boolean
  onChange: (keys: string | null) => void
}) {
  const { t } = useTranslation('computer')
  const [isListening, setListening] = useState(false)
  const text = isListening ? t('shortcut.press') : keys === null ? t('shortcut.none') : shown(keys)
  const hear = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return setListening(false)
    const pressed = acceleratorOf(event)
    if (pressed === undefined) return
    setListening(false)
    onChange(pressed)
  }
  return (
    <div role="group" aria-labelledby="capture-shortcut">
      <p id="capture-shortcut" className={classes.plain}>
        {t('shortcut.label')}
      </p>
      <div className={classes.row}>
        <Button
          variant="default"
          aria-label={`${t('shortcut.change')}: ${text}`}
          onClick={() => setListening(true)}
          onKeyDown={isListening ? hear : undefined}
          onBlur={() => setListening(false)}
        >
          {text}
        </Button>
        {keys !== null && (
          <Button variant="subtle" onClick={() => onChange(null)}>
            {t('shortcut.clear')}
          </Button>
        )}
        {isTaken && <span role="alert">{t('shortcut.taken')}</span>}
      </div>
    </div>
  )
}

/** The pressed keys in Electron's notation; undefined for keys that cannot be global: those without Ctrl or Alt. */
function acceleratorOf(event: KeyboardEvent): string | undefined {
  const { ctrlKey, metaKey, altKey, shiftKey } = event
  const key = latinKey(event)
  const name = key.length === 1 ? key.toUpperCase() : key
  if (!/^(?:[A-Z0-9]|F\d{1,2})$/.test(name) || !(ctrlKey || metaKey || altKey)) return undefined
  const modifiers = [ctrlKey || metaKey ? 'CommandOrControl' : '', altKey ? 'Alt' : '', shiftKey ? 'Shift' : '']
  return [...modifiers.filter(Boolean), name].join('+')
}

function shown(keys: string): string {
  return keys.replace('CommandOrControl', isMac ? '⌘' : 'Ctrl').replaceAll('+', ' + ')
}
