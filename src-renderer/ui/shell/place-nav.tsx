import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Place, Screen } from '../../places'
import type { FrameState } from '../../state/frame'
import { usePreferences } from '../../state/preferences'
import { formatCount } from '../values/format'
import classes from './frame.module.css'

/** Leads among the screens of a place: in a column where the window is wide and they have headings, in a line otherwise. Nothing for a single screen. */
export function PlaceNav({ place, current, counts }: { place: Place; current: Screen } & Pick<FrameState, 'counts'>) {
  const { t } = useTranslation('shell')
  const language = usePreferences((state) => state.language)
  const currentRef = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    // Newer browsers return a promise, which is no clean-up.
    void currentRef.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    // With the role come screens, and move the others.
  }, [current, place.screens.length])
  if (place.screens.length < 2) return null
  return (
    <nav className={classes.places} aria-label={t(place.textKey)}>
      {place.screens.map((screen, index) => {
        const count = counts[screen.id] ?? 0
        const isFirst = screen.group !== undefined && screen.group !== place.screens[index - 1]?.group
        return [
          isFirst && (
            <span key={screen.group} className={classes.group}>
              {t(`place.${screen.group}`)}
            </span>
          ),
          <Link
            key={screen.id}
            ref={screen === current ? currentRef : undefined}
            href={screen.path}
            className={classes.tab}
            aria-current={screen === current ? 'page' : undefined}
          >
            {t(screen.textKey)}
            {count > 0 && <span className={classes.count}>{formatCount(count, language)}</span>}
          </Link>,
        ]
      })}
    </nav>
  )
}
