import { Button } from '@mantine/core'
import { Ellipsis } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { actOnSaved } from '#renderer/state/open-forms'
import { KeyHint } from '#renderer/ui/keys/key-hint'
import type { ReviewAction } from './review-actions'
import { Menu } from '#renderer/ui/panes/menu'

type ActButtonsProps = {
  actions: readonly ReviewAction[]
  /** How many are buttons; the rest are in a menu. */
  most: number
  onAction: (action: ReviewAction) => void
  /** After an action the same button is about something else, which a double click must not reach. */
  isOnceADoubleClick?: boolean
}

/** What can be done with expenses, as buttons with their keys. */
export function ActButtons({ actions, most, onAction, isOnceADoubleClick = false }: ActButtonsProps) {
  const { t } = useTranslation('review')
  const rest = actions.slice(most)
  const act = (action: ReviewAction) => actOnSaved(t(`action.${action.id}`), () => onAction(action))
  return (
    <>
      {actions.slice(0, most).map((action, index) => (
        <Button
          key={action.id}
          variant={index === 0 ? 'filled' : 'default'}
          rightSection={<KeyHint keys={action.keys} />}
          onClick={(event) => {
            if (!isOnceADoubleClick || event.detail < 2) act(action)
          }}
        >
          {t(`action.${action.id}`)}
        </Button>
      ))}
      {rest.length > 0 && (
        <Menu
          position="top-end"
          target={
            <Button variant="default" aria-label={t('selection.more')} title={t('selection.more')}>
              <Ellipsis size={16} aria-hidden />
            </Button>
          }
        >
          {(Parts) => (
            <Parts.Dropdown>
              {rest.map((action) => (
                <Parts.Item key={action.id} rightSection={<KeyHint keys={action.keys} />} onClick={() => act(action)}>
                  {t(`action.${action.id}`)}
                </Parts.Item>
              ))}
            </Parts.Dropdown>
          )}
        </Menu>
      )}
    </>
  )
}
