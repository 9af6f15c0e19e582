import { ActionIcon, Button, Menu } from '@mantine/core'
import { ChevronLeft, ChevronRight, Ellipsis } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFullView } from '../../../state/full-view'
import { actOnSaved } from '../../../state/open-forms'
import { AboveFullView } from '../../../ui/panes/above-full-view'
import { KeyHint } from '../../../ui/keys/key-hint'
import type { ReviewAction } from './review-actions'
import { judgeMove } from './batch-plan'
import { useReviewCaller } from '../review-caller'
import classes from '../review.module.css'
import type { ReviewFocus } from '../list/use-review-focus'

const mostButtons = 4

type FullActsProps = {
  focus: ReviewFocus
  rowCount: number
  actions: readonly ReviewAction[]
  onAction: (action: ReviewAction) => void
}

/** Below a receipt that fills the window: the next and the previous expense, and what can be done with this one. For those without keys. */
export function FullActs({ focus, rowCount, actions, onAction }: FullActsProps) {
  const { t } = useTranslation('review')
  const isFull = useFullView(({ place }) => place !== null)
  const caller = useReviewCaller()
  const { target, index } = focus
  if (!isFull || !target) return null
  const relation = caller.relationTo(target)
  const offered = actions.filter((action) => judgeMove(target, { target: action.target, relation }) === 'allowed')
  const rest = offered.slice(mostButtons)
  const act = (action: ReviewAction) => actOnSaved(t(`action.${action.id}`), () => onAction(action))
  return (
    <AboveFullView>
      <div className={classes.fullActs} role="toolbar" aria-label={t('action.decide')}>
        <ActionIcon variant="default" aria-label={t('action.up')} title={t('key', { label: t('action.up'), key: 'K' })} disabled={index <= 0} onClick={() => focus.moveTo(index - 1)}>
          <ChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t('action.down')}
          title={t('key', { label: t('action.down'), key: 'J' })}
          disabled={index >= rowCount - 1}
          onClick={() => focus.moveTo(index + 1)}
        >
          <ChevronRight size={16} aria-hidden />
        </ActionIcon>
        <span data-grow />
        {offered.slice(0, mostButtons).map((action, at) => (
          <Button
            key={action.id}
            variant={at === 0 ? 'filled' : 'default'}
            rightSection={<KeyHint keys={action.keys} />}
            onClick={(event) => {
              // By the second click of a double click the next expense is there.
              if (event.detail < 2) act(action)
            }}
          >
            {t(`action.${action.id}`)}
          </Button>
        ))}
        {rest.length > 0 && (
          <Menu position="top-end">
            <Menu.Target>
              <ActionIcon variant="default" aria-label={t('selection.more')} title={t('selection.more')}>
                <Ellipsis size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {rest.map((action) => (
                <Menu.Item key={action.id} rightSection={<KeyHint keys={action.keys} />} onClick={() => act(action)}>
                  {t(`action.${action.id}`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
    </AboveFullView>
  )
}
