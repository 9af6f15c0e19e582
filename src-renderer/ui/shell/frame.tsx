import { useDocumentTitle } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ScreenEntry } from '../../screens'
import type { FrameState } from '../../state/frame'
import { usePreferences } from '../../state/preferences'
import { formatCount } from '../values/format'
import { FrameHeader, type FrameHeaderProps } from './frame-header'
import classes from './frame.module.css'
import { StatusLine } from '../feedback/status-line'

/** The id of the element that a receipt in full size is drawn in: over everything but the status line. */
export const fullViewId = 'full-view'

/** The frame around every screen. `path` is the address; `banner` is above every screen. */
export type FrameProps = FrameHeaderProps &
  Pick<FrameState, 'counts'> & { screens: readonly ScreenEntry[]; path: string; banner?: ReactNode; children: ReactNode }

/** Header, sidebar with live counts, the screen, and the status line at its foot. Painted at once, whatever the screen still loads. */
export function Frame({ screens, path, counts, banner, children, ...header }: FrameProps) {
  const { t } = useTranslation('shell')
  const current = screens.find((screen) => isAt(screen, path))
  const title = current ? t(current.textKey) : 'Outlay'
  const [openAt, setOpenAt] = useState<string | null>(null)
  // Going somewhere closes the menu.
  const isOpen = openAt === path
  const close = () => setOpenAt(null)
  useDocumentTitle(current ? `${title} · Outlay` : title)
  const entry = (screen: ScreenEntry) => (
    <SidebarEntry key={screen.id} screen={screen} count={counts[screen.id]} isCurrent={screen === current} />
  )
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
        {screens.filter((screen) => !screen.isAtFoot).map(entry)}
        <span className={classes.spring} />
        {screens.filter((screen) => screen.isAtFoot).map(entry)}
      </nav>
      <main id="main" className={classes.main} tabIndex={-1}>
        <h1 className="visually-hidden">{title}</h1>
        {banner}
        {children}
      </main>
      <div id={fullViewId} className={classes.full} />
      <StatusLine />
    </div>
  )
}

function isAt(screen: ScreenEntry, path: string): boolean {
  return path === screen.path || path.startsWith(`${screen.path}/`)
}

function SidebarEntry({ screen, count, isCurrent }: { screen: ScreenEntry; count: number | undefined; isCurrent: boolean }) {
  const { t } = useTranslation('shell')
  const language = usePreferences((state) => state.language)
  const Icon = screen.icon
  return (
    <Link href={screen.path} className={classes.entry} aria-current={isCurrent ? 'page' : undefined}>
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <span className={classes.entryText}>{t(screen.textKey)}</span>
      {count !== undefined && count > 0 && <span className={classes.count}>{formatCount(count, language)}</span>}
    </Link>
  )
}
