import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Building2, Link2, Telescope } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { instanceRoutes, type Session } from '#shared/contract/instance/instance'
import { call } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { usePreferences } from '../../state/preferences'
import classes from './door.module.css'
import { isDesktopWindow } from './entry-code'
import { CodeField } from './code-field'
import { Connect } from './connect'
import { introduce } from './introduce'

/** What the set-up is asked with; `code` is null where the address had none. */
export type SetUpProps = { code: string | null; onDone: (session: Session) => void }

/** The three ways to begin. */
export function Choices({ code, onMake, onDone }: SetUpProps & { onMake: () => void }) {
  const { t } = useTranslation('first-run')
  const [chosen, setChosen] = useState<'demo' | 'remote'>()
  return (
    <>
      <ul className={classes.choices}>
        <li>
          <button type="button" className={classes.choice} onClick={onMake} autoFocus>
            <Building2 size={20} aria-hidden />
            <span className={classes.choiceTitle}>{t('choice.organization')}</span>
            <span className={classes.choiceText}>{t('choice.organizationText')}</span>
          </button>
        </li>
        <li>
          <button type="button" className={classes.choice} onClick={() => setChosen('demo')} aria-expanded={chosen === 'demo'}>
            <Telescope size={20} aria-hidden />
            <span className={classes.choiceTitle}>{t('choice.demo')}</span>
            <span className={classes.choiceText}>{t('choice.demoText')}</span>
          </button>
        </li>
        <li>
          <button type="button" className={classes.choice} onClick={() => setChosen('remote')} aria-expanded={chosen === 'remote'}>
            <Link2 size={20} aria-hidden />
            <span className={classes.choiceTitle}>{t('choice.remote')}</span>
            <span className={classes.choiceText}>{t('choice.remoteText')}</span>
          </button>
        </li>
      </ul>
      {chosen === 'demo' && <Demo code={code} onDone={onDone} />}
      {chosen === 'remote' && <Connect code={code} />}
    </>
  )
}

function Demo({ code, onDone }: SetUpProps) {
  const { t } = useTranslation('first-run')
  const locale = usePreferences((state) => state.language)
  const [typedCode, setTypedCode] = useState('')
  const needsCode = code === null && !isDesktopWindow()
  const fill = useMutation({
    mutationFn: async () =>
      introduce(
        await call(instanceRoutes.setUp, { body: { kind: 'demo', locale, code: code ?? (typedCode.trim() || undefined) } }),
        locale,
      ),
    onSuccess: onDone,
  })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        fill.mutate()
      }}
    >
      {needsCode && <CodeField value={typedCode} onChange={setTypedCode} />}
      <div className={classes.actions}>
        <Button size="sm" type="submit" loading={fill.isPending} disabled={needsCode && typedCode.trim() === ''} autoFocus={!needsCode}>
          {t('demo.go')}
        </Button>
        {fill.isPending && (
          <span className={classes.quiet} role="status">
            {t('demo.working')}
          </span>
        )}
      </div>
      {fill.error && (
        <p className={classes.failure} role="alert">
          {t('demo.failed', { reason: failureText(fill.error) })}
        </p>
      )}
    </form>
  )
}
