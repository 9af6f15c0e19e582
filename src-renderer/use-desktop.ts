import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import type { CallArgument, CommandScope } from '#shared/desktop/bridge'
import { desktop } from './api/desktop'
import { type FrameState, useFrame } from './state/frame'
import { usePreferences } from './state/preferences'
import { type ShortcutScope, isActive, useShortcutScopes } from './ui/keys/shortcut-registry'
import { type StatusPart, statusParts } from './ui/shell/sync-status'

/** How long to gather changes of the commands before rebuilding the menus, in milliseconds. */
const gatherMs = 150

/** Ties the page to the desktop around it: its menus, tray and badge, and what the system asks for. Nothing in a browser. */
export function useDesktop(): void {
  useMenus()
  useStanding()
  useRequests()
}

/** The native menus show what the keyboard can do on this screen. */
function useMenus(): void {
  const scopes = useShortcutScopes((state) => state.scopes)
  const language = usePreferences((state) => state.language)
  useEffect(() => {
    const timer = setTimeout(
      () => void desktop?.call('commands.publish', { language, scopes: scopes.map(toScope) }).catch(() => undefined),
      gatherMs,
    )
    return () => clearTimeout(timer)
  }, [scopes, language])
}

function toScope({ scope, title, shortcuts }: ShortcutScope): CommandScope {
  return { scope, title, commands: shortcuts.map(({ id, label, keys }) => ({ id, label, keys })) }
}

/** Tray, badge and taskbar show what the frame shows; the same is not said twice. */
function useStanding(): void {
  const frame = useFrame()
  const told = useRef('')
  useEffect(() => {
    const standing = toStanding(frame)
    const text = JSON.stringify(standing)
    if (told.current === text) return
    told.current = text
    void desktop?.call('state.publish', standing).catch(() => undefined)
  }, [frame])
}

function toStanding({ counts, sync, connection }: FrameState): CallArgument<'state.publish'> {
  const progress = sync?.progress
  return {
    unread: Object.values(counts).reduce((sum, count) => sum + count, 0),
    to_review: counts.review ?? 0,
    waiting: connection.waiting + (sync?.counts.waiting ?? 0),
    sync: sync ? standingOf(statusParts(sync, connection, true)) : 'none',
    progress: progress?.total ? Math.min(1, progress.rows / progress.total) : null,
  }
}

function standingOf(parts: readonly StatusPart[]): CallArgument<'state.publish'>['sync'] {
  const is = (...kinds: StatusPart['kind'][]) => parts.some(({ kind }) => kinds.includes(kind))
  if (is('stopped', 'decide', 'cameBack')) return 'stopped'
  if (is('offline')) return 'offline'
  return is('syncing') ? 'syncing' : 'up_to_date'
}

/** What menus, links, notifications and the system ask of the page. */
function useRequests(): void {
  const [, navigate] = useLocation()
  const client = useQueryClient()
  useEffect(() => {
    const stops = [
      desktop?.on('command', ({ scope, id }) => runCommand(scope, id)),
      desktop?.on('open', ({ path }) => navigate(path)),
      desktop?.on('woke', () => void client.invalidateQueries()),
    ]
    const onBack = () => void desktop?.call('network.back', {}).catch(() => undefined)
    window.addEventListener('online', onBack)
    return () => {
      window.removeEventListener('online', onBack)
      stops.forEach((stop) => stop?.())
    }
  }, [client, navigate])
}

function runCommand(scope: string, id: string): void {
  const found = useShortcutScopes
    .getState()
    .scopes.find((known) => known.scope === scope)
    ?.shortcuts.find((known) => known.id === id)
  if (found && isActive(found)) found.run()
}
