import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import { KeptEditNotice } from '../../ui/form/draft-notice'
import { FactList } from '../../ui/values/fact-list'
import { Instant } from '../../ui/values/instant'
import { KeyHint } from '../../ui/keys/key-hint'
import { PaneHead } from '../../ui/panes/pane-head'
import { Flag, MaskedNumber, ValidUntil } from './card-parts'
import { CardStatement } from './card-statement'
import classes from './cards.module.css'

/** What can be done with a card; each is a key of the screen too. */
export type CardActions = Readonly<Record<'edit' | 'toggle' | 'remove', () => void>>

/** One card. `actions` absent: the user may only look. */
export function CardDetail({ card, actions, onClose }: { card: CorporativeCard; actions: CardActions | undefined; onClose: () => void }) {
  const { t } = useTranslation('cards')
  return (
    <>
      <PaneHead title={card.name} onClose={onClose} />
      <div className={classes.body}>
        {actions && (
          <div className={classes.moves}>
            <KeptEditNotice form="card-edit" record={card.id} onResume={actions.edit} />
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
        <FactList
          facts={[
            { label: t('field.number'), value: <MaskedNumber number={card.number} isWhole /> },
            { label: t('field.flag'), value: <Flag name={card.flag.name} /> },
            { label: t('field.expiration'), value: <ValidUntil card={card} /> },
            { label: t('field.active'), value: t(card.active ? 'active' : 'inactive') },
            { label: t('field.user'), value: card.user.name },
            { label: t('field.organization'), value: card.organization.name },
            { label: t('field.created'), value: <Instant value={card.created_at} /> },
          ]}
        />
        <CardStatement card={card} />
      </div>
    </>
  )
}
