import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import { Instant } from '../../ui/instant'
import { KeyHint } from '../../ui/key-hint'
import { CardHead } from './card-pane'
import { Flag, MaskedNumber, ValidUntil } from './card-parts'
import classes from './cards.module.css'

/** What can be done with a card; each is a key of the screen too. Absent: the user may only look. */
export type CardActions = Readonly<Record<'edit' | 'toggle' | 'remove', () => void>>

/** One card. */
export function CardDetail({
  card,
  actions,
  onClose,
}: {
  card: CorporativeCard
  actions: CardActions | undefined
  onClose: () => void
}) {
  const { t } = useTranslation('cards')
  return (
    <div className={classes.pane}>
      <CardHead title={card.name} onClose={onClose} />
      {actions && (
        <div className={classes.moves}>
          <Button variant="default" onClick={actions.edit} rightSection={<KeyHint keys="e" />}>
            {t('action.edit')}
          </Button>
          <Button variant="default" onClick={actions.toggle} rightSection={<KeyHint keys="d" />}>
            {t(card.active ? 'action.deactivate' : 'action.activate')}
          </Button>
          <Button variant="subtle" color="gray" onClick={actions.remove}>
            {t('action.delete')}
          </Button>
        </div>
      )}
      <dl className={classes.facts} aria-label={t('facts')}>
        <Fact name={t('field.number')}>
          <MaskedNumber number={card.number} />
        </Fact>
        <Fact name={t('field.flag')}>
          <Flag name={card.flag.name} />
        </Fact>
        <Fact name={t('field.expiration')}>
          <ValidUntil card={card} />
        </Fact>
        <Fact name={t('field.active')}>{t(card.active ? 'active' : 'inactive')}</Fact>
        <Fact name={t('field.user')}>{card.user.name}</Fact>
        <Fact name={t('field.organization')}>{card.organization.name}</Fact>
        <Fact name={t('field.created')}>
          <Instant value={card.created_at} />
        </Fact>
      </dl>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
