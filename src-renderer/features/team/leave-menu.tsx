import { ActionIcon, Menu } from '@mantine/core'
import { Ellipsis } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** What is done with the team as a whole: leaving it. */
export function LeaveMenu({ organizationName, onLeave }: { organizationName: string; onLeave: () => void }) {
  const { t } = useTranslation('team')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('leave.more')} title={t('leave.more')}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onLeave}>{t('leave.open', { organization: organizationName })}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
