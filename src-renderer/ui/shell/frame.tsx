import { useDocumentTitle } from '@mantine/hooks'
import { Fragment, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { findPlace, type Place } from '../../places'
import type { FrameState } from '../../state/frame'
import { usePreferences } from '../../state/preferences'
import { formatCount } from '../values/format'
import { FrameHeader, type FrameHeaderProps } from './frame-header'
import classes from './frame.module.css'
import { PlaceNav } from './place-nav'
import { StatusLine } from '../feedback/status-line'

/** The id of the element that a receipt in full size is drawn in: over everything but the status line. */
export const fullViewId = 'full-view'

/** The headings of the sidebar, in order. */
const groups = ['money', 'books'] as const

/** The frame around every screen. `path` is the address; `banner` is above every screen, `bell` at the foot of the sidebar. */
export type FrameProps = FrameHeaderProps &
  Pick<FrameState, 'counts'> & { places: readonly Place[]; path: string; banner?: ReactNode; bell?: ReactNode; children: ReactNode }

/** Header, sidebar with live counts, the screen, and the status line at its foot. Painted at once, whatever the screen still loads. */
export function Frame({ places, path, counts, banner, bell, children, ...header }: FrameProps) {
  const { t } = useTranslation('shell')
  const current = findPlace(places, path)
  const title = current ? t(current.screen.textKey) : 'Outlay'
  const [openAt, setOpenAt] = useState<string | null>(null)
  // Going somewhere closes the menu.
  const isOpen = openAt === path
  const close = () => setOpenAt(null)
  useDocumentTitle(current ? `${title} · Outlay` : title)
  const entry = (place: Place) => <SidebarEntry key={place.id} place={place} counts={counts} isCurrent={place === current?.place} />
  return (
    <div className={classes.frame}>
      <a href="#main" className={classes.skip}>
        {t('skip')}
      </a>
      <FrameHeader {...header} isMenuOpen={isOpen} onMenu={() => setOpenAt(isOpen ? null : path)} />
      {isOpen && <button type="button" className={classes.scrim} aria-label={t('close')} tabIndex={-1} onClick={close} />}
      <nav
        id="sidebar"
        className={classes.sidebar}
        aria-label={t('sidebar')}
        data-open={isOpen || undefined}
        onClick={close}
        onKeyDown={({ key }) => key === 'Escape' && close()}
      >
        {places.filter(({ isAtFoot, group }) => isAtFoot !== true && group === undefined).map(entry)}
        {groups.map((group) => (
          <Fragment key={group}>
            <span className={classes.group}>{t(`place.${group}`)}</span>
            {places.filter((place) => place.group === group).map(entry)}
          </Fragment>
        ))}
        <span className={classes.spring} />
        {bell}
        {places.filter(({ isAtFoot }) => isAtFoot).map(entry)}
      </nav>
      <main id="main" className={classes.main} tabIndex={-1}>
        <h1 className="visually-hidden">{title}</h1>
        {banner}
        <div className={classes.place} data-column={current?.screen.group !== undefined || undefined}>
          {current && <PlaceNav place={current.place} current={current.screen} counts={counts} />}
          <div className={classes.screen}>{children}</div>
        </div>
      </main>
      <div id={fullViewId} className={classes.full} />
      <StatusLine />
    </div>
  )
}

function SidebarEntry({ place, counts, isCurrent }: { place: Place; isCurrent: boolean } & Pick<FrameState, 'counts'>) {
  const { t } = useTranslation('shell')
  const language = usePreferences((state) => state.language)
  const Icon = place.icon
  const count = place.screens.reduce((sum, { id }) => sum + (counts[id] ?? 0), 0)
  return (
    <Link href={place.screens[0]?.path ?? '/'} className={classes.entry} aria-current={isCurrent ? 'page' : undefined}>
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <span className={classes.entryText}>{t(place.textKey)}</span>
      {count > 0 && <span className={classes.count}>{formatCount(count, language)}</span>}
    </Link>
  )
}
