import { Button, SegmentedControl, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect } from 'wouter'
import { instanceRoutes } from '#shared/contract/instance/instance'
import { may } from '#shared/domain/permissions'
import { call } from '../../api/client'
import { desktop } from '../../api/desktop'
import { useSession } from '../../api/session'
import { useMembership } from '../../state/membership'
import { usePreferences } from '../../state/preferences'
import { displaySamples } from '../../ui/values/format'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcutScopes } from '../../ui/keys/shortcut-registry'
import { EmptyState } from '../../ui/feedback/empty-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { ComputerSection } from './computer-section'
import { MailSection } from './mail-section'
import { NotificationsSection } from './notifications-section'
import { OrganizationSection } from './organization-section'
import { ProfileSection } from './profile-section'
import { Section, SectionColumn } from './section'
import classes from './settings.module.css'
import { PasskeysSection } from './doors/passkeys-section'
import { RecoveryCodesSection } from './doors/recovery-codes-section'
import { SessionsSection } from './doors/sessions-section'
import { TokensSection } from './doors/tokens-section'

const colorSchemes: readonly MantineColorScheme[] = ['light', 'dark', 'auto']

/** The parts of the settings; an address for each. */
const settingsParts = ['profile', 'notifications', 'sign-in', 'organization', 'remote', 'computer'] as const

/** What a part of the settings shows: the user's own, and for admins those of their organization. `remote`: the instance that this one is a replica of. */
export function SettingsScreen({ part, remote }: { part?: string | undefined; remote: ReactNode }) {
  const { t } = useTranslation('settings')
  const { data: session } = useSession()
  const membership = useMembership()
  // Mails of earlier versions, and bookmarks, have the part behind a hash.
  const old = part === undefined ? settingsParts.find((known) => known === location.hash.slice(1)) : undefined
  if (old !== undefined) return <Redirect to={`/settings/${old}`} replace />
  if (!session) return <SkeletonRows count={8} />
  const sections: Record<(typeof settingsParts)[number], ReactNode> = {
    profile: (
      <>
        <ProfileSection />
        <AppearanceSection />
        <KeyboardSection />
        <AboutSection isLocal={session.way === 'local'} />
      </>
    ),
    notifications: (
      <>
        <NotificationsSection />
        <MailSection />
      </>
    ),
    'sign-in': (
      <>
        <TokensSection />
        <PasskeysSection />
        <RecoveryCodesSection />
        <SessionsSection />
      </>
    ),
    organization: membership && may('organizations.update', membership) && (
      <OrganizationSection key={membership.organization.id} organization={membership.organization} />
    ),
    remote: (
      <Section id="remote" title={t('remote.title')}>
        <Suspense fallback={<SkeletonRows count={2} />}>{remote}</Suspense>
      </Section>
    ),
    computer: desktop && <ComputerSection bridge={desktop} />,
  }
  const shown = settingsParts.find((known) => known === part) ?? 'profile'
  return (
    <SectionColumn key={shown}>
      {sections[shown] || <EmptyState sentence={t(shown === 'computer' ? 'notHere' : 'notYours')} />}
    </SectionColumn>
  )
}

function AppearanceSection() {
  const { t } = useTranslation('settings')
  const { t: tShell } = useTranslation('shell')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const language = usePreferences((state) => state.language)
  const currencyDisplay = usePreferences((state) => state.currencyDisplay)
  const setPreferences = usePreferences((state) => state.set)
  return (
    <Section id="appearance" title={t('appearance.title')}>
      <div className={classes.row}>
        <SegmentedControl
          size="xs"
          value={colorScheme}
          aria-label={t('appearance.scheme')}
          data={colorSchemes.map((known) => ({ value: known, label: tShell(`appearance.${known}`) }))}
          onChange={(value) => {
            const chosen = colorSchemes.find((known) => known === value)
            if (chosen) setColorScheme(chosen)
          }}
        />
        <SegmentedControl
          size="xs"
          value={currencyDisplay}
          aria-label={t('appearance.currency')}
          data={displaySamples(language).map(({ display, label }) => ({ value: display, label }))}
          onChange={(value) => setPreferences({ currencyDisplay: value === 'symbol' ? 'symbol' : 'code' })}
        />
      </div>
      <p className={classes.quiet}>{t('appearance.here')}</p>
    </Section>
  )
}

function KeyboardSection() {
  const { t } = useTranslation('settings')
  const open = () =>
    useShortcutScopes
      .getState()
      .scopes.flatMap(({ shortcuts }) => shortcuts)
      .find(({ id }) => id === 'shortcuts')
      ?.run()
  return (
    <Section id="keyboard" title={t('keyboard.title')}>
      <p className={classes.quiet}>{t('keyboard.text')}</p>
      <div className={classes.row}>
        <Button variant="default" onClick={open} rightSection={<KeyHint keys="?" />}>
          {t('keyboard.show')}
        </Button>
      </div>
    </Section>
  )
}

function AboutSection({ isLocal }: { isLocal: boolean }) {
  const { t } = useTranslation('settings')
  const { data } = useQuery({ queryKey: ['health'], queryFn: ({ signal }) => call(instanceRoutes.health, { signal }) })
  return (
    <Section id="about" title={t('about.title')}>
      <dl className={classes.facts}>
        <dt>{t('about.version')}</dt>
        <dd className="tabular">{data?.version ?? '…'}</dd>
        <dt>{t('about.data')}</dt>
        <dd>{isLocal ? t('about.dataHere') : t('about.dataServer', { host: location.host })}</dd>
      </dl>
    </Section>
  )
}
