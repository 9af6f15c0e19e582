import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Accountability } from '#shared/contract/accountabilities'
import { may } from '#shared/domain/permissions'
import type { Role } from '#shared/domain/roles'
import { useMembers } from '../../api/organization-lists'
import { PersonSelect } from '../../ui/form/fields'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import classes from './accountabilities.module.css'
import { type Chosen, ChosenCount, ExpensePicker } from './expense-picker'
import { sumMoney } from '../../ui/values/sums'
import { Totals } from './totals'

/** Expenses to add to an accountability: its receiver's, or, for those who may name others, anyone's. */
export function AddPanel({
  accountability: { payer, receiver },
  role,
  onAdd,
  onClose,
}: {
  accountability: Accountability
  role: Role | undefined
  onAdd: (expense_ids: readonly number[]) => void
  onClose: () => void
}) {
  const { t } = useTranslation('accountabilities')
  const [receiverId, setReceiverId] = useState(receiver.id)
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const canName = may('accountabilities.create_for_others', { role })
  const members = useMembers(canName ? payer.id : null)
  useShortcuts({ scope: 'accountability-add', title: t('add') }, [{ id: 'close', keys: 'escape', label: t('ui:cancel'), run: onClose }])
  return (
    <div className={classes.screen}>
      <div className={classes.bar}>
        <h2 className={classes.heading}>{t('add')}</h2>
        <span className={classes.spring} />
        <Button variant="default" onClick={onClose} rightSection={<KeyHint keys="escape" />}>
          {t('ui:cancel')}
        </Button>
      </div>
      {canName && (
        <div className={classes.fields}>
          <PersonSelect
            label={t('field.expensesOf')}
            people={members.length > 0 ? members : [receiver]}
            value={receiverId}
            onChange={setReceiverId}
          />
        </div>
      )}
      <div className={classes.picker}>
        <ExpensePicker
          key={receiverId}
          parties={{ payer_id: payer.id, receiver_id: receiverId }}
          chosen={chosen}
          onChosen={setChosen}
          view="narrow"
        />
      </div>
      <div className={classes.foot}>
        <ChosenCount count={chosen.size} />
        <Totals totals={sumMoney(chosen.values())} />
        <span className={classes.spring} />
        <Button disabled={chosen.size === 0} onClick={() => onAdd([...chosen.keys()])}>
          {t('addChosen')}
        </Button>
      </div>
    </div>
  )
}
