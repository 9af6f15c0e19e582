import { Button, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Membership } from '#shared/contract/memberships'
import type { Role } from '#shared/domain/roles'
import { Instant } from '../../ui/values/instant'
import { KeyHint } from '../../ui/keys/key-hint'
import { PersonAvatar } from '../../ui/values/person-avatar'
import { canErase, canRemove, emailOf, nameOf, pictureOf, rolesFor } from './team-people'
import classes from './team.module.css'

/** What can be done with the member who is shown. */
export type MemberActs = {
  onRole: (member: Membership, role: Role) => void
  onRemove: (member: Membership) => void
  onErase: (member: Membership) => void
}

/** One member: who they are, what they may do, and what the user may change of it. */
export function MemberPanel({
  member,
  own,
  onRole,
  onRemove,
  onErase,
}: MemberActs & { member: Membership; own: { role: Role | undefined; userId: number } }) {
  const { t } = useTranslation('team')
  const grantable = rolesFor(own.role, member)
  const isSelf = member.user.id === own.userId
  return (
    <>
      <div className={classes.head}>
        <PersonAvatar name={nameOf(member)} src={pictureOf(member)} sizePx={40} />
        <h3 className={classes.headName}>
          {nameOf(member)} {isSelf && <span className={classes.quiet}>({t('you')})</span>}
        </h3>
      </div>
      <dl className={classes.facts}>
        <dt>{t('member.email')}</dt>
        <dd>{emailOf(member) === '' ? '–' : <a href={`mailto:${emailOf(member)}`}>{emailOf(member)}</a>}</dd>
        <dt>{t('member.since')}</dt>
        <dd>
          <Instant value={member.created_at} />
        </dd>
        {grantable.length === 0 && (
          <>
            <dt>{t('member.role')}</dt>
            <dd>{t(`role.${member.role}`)}</dd>
          </>
        )}
      </dl>
      {grantable.length > 0 && (
        <Select
          label={t('member.role')}
          value={member.role}
          allowDeselect={false}
          data={grantable.map((role) => ({ value: role, label: t(`role.${role}`) }))}
          onChange={(value) => {
            const role = grantable.find((known) => known === value)
            if (role !== undefined && role !== member.role) onRole(member, role)
          }}
        />
      )}
      <p className={classes.quiet}>{t(`does.${member.role}`)}</p>
      {canRemove(own.role, member, own.userId) && (
        <div className={classes.actions}>
          <Button variant="default" onClick={() => onRemove(member)} rightSection={<KeyHint keys="delete" />}>
            {t('member.remove')}
          </Button>
          {canErase(own.role, member, own.userId) && (
            <Button variant="default" onClick={() => onErase(member)}>
              {t('erase.open')}
            </Button>
          )}
        </div>
      )}
    </>
  )
}
