import { Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { desktop } from './api/desktop'
import { Bell } from './features/inbox/bell'
import { placesFor, type Screen } from './places'
import { SessionGate } from './session-gate'
import { useMovedViews, useSavedViews, viewKeys } from './records/saved-views'
import { useFrame } from './state/frame'
import { useRole } from './state/membership'
import { type Command, CommandBox, openKeys, openCommandBox } from './ui/shell/command-box'
import { ErrorState } from './ui/feedback/error-state'
import { FailureBoundary } from './ui/feedback/failure-boundary'
import { Frame } from './ui/shell/frame'
import classes from './ui/shell/frame.module.css'
import { later, onDemand } from './ui/panes/later'
import { SkeletonRows } from './ui/feedback/skeleton-rows'
import { StatusLine } from './ui/feedback/status-line'
import { useShortcutListener, useShortcuts } from './ui/keys/shortcuts'
import { type UserChoice, useUserChoices } from './ui/shell/user-choices'
import { useDesktop } from './use-desktop'

const Banners = onDemand(async () => (await import('./banners')).Banners)
const Commands = later(async () => (await import('./command-results')).Commands)
const InboxSheet = later(async () => (await import('./features/inbox/inbox-sheet')).InboxSheet)
const ShortcutSheet = later(async () => (await import('./ui/keys/shortcut-sheet')).ShortcutSheet)

/** The frame with what holds everywhere: navigation keys, Ctrl+K, the `?` sheet, and a screen's failure or delay. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell')
  const [path, navigate] = useLocation()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const [isInboxOpen, setInboxOpen] = useState(false)
  const frame = useFrame()
  const { views } = useSavedViews()
  useMovedViews()
  const places = placesFor(useRole(), { hasRemote: frame.sync !== null, isDesktop: desktop !== undefined })
  const screens = places.flatMap((place) => place.screens)
  const commands = useCommands(screens)
  useShortcutListener()
  useDesktop()
  useShortcuts({ scope: 'everywhere', title: t('shortcuts.everywhere') }, [
    ...screens.flatMap(({ id, keys, textKey, path: to }) =>
      keys === undefined
        ? []
        : [{ id, keys, label: t('shortcuts.goTo', { screen: t(textKey) }), words: t(`words.${id}`), run: () => navigate(to) }],
    ),
    ...views.flatMap(({ name, query }, index) => {
      const keys = viewKeys[index]
      return keys === undefined ? [] : [{ id: keys, keys, label: t('shortcuts.view', { name }), run: () => navigate(`/review?${query}`) }]
    }),
    ...(frame.user ? [{ id: 'inbox', keys: 'shift+n', label: t('notifications:inbox.open'), run: () => setInboxOpen(true) }] : []),
    { id: 'commands', keys: openKeys, label: t('search'), run: () => openCommandBox() },
    { id: 'shortcuts', keys: '?', label: t('shortcuts.title'), run: () => setSheetOpen(true), inFull: true },
  ])
  return (
    <Frame
      {...frame}
      places={places}
      path={path}
      onSearch={() => openCommandBox()}
      onShortcuts={() => setSheetOpen(true)}
      bell={<Bell isOpen={isInboxOpen} onOpen={() => setInboxOpen(true)} />}
      banner={
        <FailureBoundary resetKey={path} view={({ error, retry }) => <ScreenFailure error={error} onRetry={retry} />}>
          <Suspense>
            <Banners />
          </Suspense>
        </FailureBoundary>
      }
    >
      <FailureBoundary resetKey={path} view={({ error, retry }) => <ScreenFailure error={error} onRetry={retry} />}>
        <SessionGate>
          <Suspense fallback={<SkeletonRows count={12} />}>{children}</Suspense>
        </SessionGate>
        {frame.user && isInboxOpen && <InboxSheet onClose={() => setInboxOpen(false)} />}
      </FailureBoundary>
      <CommandBox onSearch={(text) => navigate(`/review?search=${encodeURIComponent(text)}`)} commands={commands} Panel={Commands} />
      {isSheetOpen && <ShortcutSheet onClose={() => setSheetOpen(false)} />}
    </Frame>
  )
}

/** What Ctrl+K does for a person anywhere: screens and saved views without a key, language, appearance, signing out. */
function useCommands(screens: readonly Screen[]): Command[] {
  const { t } = useTranslation('shell')
  const { languages, appearances } = useUserChoices()
  const signOut = useFrame((state) => state.signOut)
  const views = useSavedViews().views.slice(viewKeys.length)
  const [, navigate] = useLocation()
  const toCommands = (kind: 'language' | 'appearance', choices: readonly UserChoice[]) =>
    choices.flatMap(({ id, label, isChosen, choose }) =>
      isChosen ? [] : [{ id: `${kind} ${id}`, label: `${t(`user.${kind}`)}: ${label}`, run: choose }],
    )
  return [
    ...screens
      .filter(({ keys }) => keys === undefined)
      .map(({ id, textKey, path, group }) => ({
        id,
        label: t('shortcuts.goTo', { screen: group === undefined ? t(textKey) : `${t('screen.settings')}: ${t(textKey)}` }),
        words: t(`words.${id}`),
        run: () => navigate(path),
      })),
    ...views.map(({ id, name, query }) => ({
      id: `view ${id}`,
      label: t('shortcuts.view', { name }),
      run: () => navigate(`/review?${query}`),
    })),
    ...toCommands('language', languages),
    ...toCommands('appearance', appearances),
    ...(signOut ? [{ id: 'sign-out', label: t('user.signOut'), run: signOut }] : []),
  ]
}

/** A page without the frame, in a separate small window: keys, signing in, a failure or a delay work as everywhere. */
export function BareShell({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  useShortcutListener()
  return (
    <div className={classes.bare}>
      <FailureBoundary resetKey={path} view={({ error, retry }) => <ScreenFailure error={error} onRetry={retry} />}>
        <SessionGate>
          <Suspense fallback={<SkeletonRows count={6} />}>{children}</Suspense>
        </SessionGate>
      </FailureBoundary>
      <StatusLine />
    </div>
  )
}

function ScreenFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('ui')
  return <ErrorState happened={t('error.screen')} kept={t('error.kept')} onRetry={onRetry} error={error} />
}
