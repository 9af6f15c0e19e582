import { SegmentedControl } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { languages, localeOf } from '#shared/domain/locales'
import { usePreferences } from '../../state/preferences'
import { chooseLanguage } from '../../ui/shell/choose-language'
import classes from './door.module.css'

/** A page before anyone is signed in: product, language, one card. */
export function Door({ title, isWide = false, children }: { title: string; isWide?: boolean; children: ReactNode }) {
  const { t } = useTranslation('shell')
  const language = usePreferences((state) => state.language)
  useDocumentTitle(`${title} · Outlay`)
  return (
    <main className={classes.door}>
      <div className={classes.bar}>
        <span className={classes.brand}>Outlay</span>
        <SegmentedControl
          size="xs"
          value={language}
          onChange={chooseLanguage}
          aria-label={t('user.language')}
          data={languages.map((known) => ({ value: known, label: <span lang={known}>{localeOf(known).name}</span> }))}
        />
      </div>
      <section className={`${classes.card} ${isWide ? classes.wide : ''}`} aria-labelledby="door-title">
        <h1 id="door-title" className={classes.title}>
          {title}
        </h1>
        {children}
      </section>
    </main>
  )
}
