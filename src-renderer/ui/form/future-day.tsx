import { Button } from '@mantine/core'
import { useId, useRef, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { aheadOf, dayOf, parseDateInput } from '../../state/date-input'
import { usePreferences } from '../../state/preferences'
import { now } from '../values/clock'
import classes from './fields.module.css'
import { formatAbsolute } from '../values/format'

/** A day far ahead that nobody has confirmed yet. `date`: `YYYY-MM-DD`; null where there is nothing to ask. */
export interface FutureDayQuestion {
  readonly date: string | null
  readonly buttonRef: RefObject<HTMLButtonElement | null>
  /** Whether the form was to be saved before the day was confirmed. */
  readonly isAsked: boolean
  /** Puts the question before the form is saved; false where there is none. */
  ask(): boolean
  keep(): void
}

/** Watches the text of a day. `stored`: the text that it was opened with, which nobody is asked about again. */
export function useFutureDay(text: string, stored = ''): FutureDayQuestion {
  const timezone = usePreferences((state) => state.timezone)
  const today = dayOf(now(), timezone)
  const dateOf = (written: string) => {
    const parsed = parseDateInput(written, today)
    return parsed.kind === 'ok' && aheadOf(parsed.date, today) === 'far' ? parsed.date : null
  }
  const [kept, setKept] = useState(() => dateOf(stored))
  const [asked, setAsked] = useState<string | null>(null)
  const buttonRef = useRef<HTMLButtonElement>(null)
  const far = dateOf(text)
  const date = far === kept ? null : far
  return {
    date,
    buttonRef,
    isAsked: date !== null && asked === date,
    ask: () => {
      if (date === null) return false
      setAsked(date)
      buttonRef.current?.focus()
      return true
    },
    keep: () => setKept(date),
  }
}

/** Asks whether a day far ahead is right. A key that is held down does not confirm. */
export function FutureDay({ question: { date, buttonRef }, onKeep }: { question: FutureDayQuestion; onKeep: () => void }) {
  const { t } = useTranslation('ui')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const textId = useId()
  if (date === null) return null
  return (
    <div className={classes.futureDay} role="status">
      <span id={textId}>{t('futureDay.far', { date: formatAbsolute(`${date}T00:00:00Z`, { language, timezone, now: now() }) })}</span>
      <Button
        ref={buttonRef}
        variant="default"
        aria-describedby={textId}
        onKeyDown={(event) => {
          if (event.repeat) event.preventDefault()
        }}
        onClick={onKeep}
      >
        {t('futureDay.keep')}
      </Button>
    </div>
  )
}
