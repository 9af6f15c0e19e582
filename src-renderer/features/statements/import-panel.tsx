import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nameCard, useCards } from '../../api/corporative-cards'
import type { StatementReport } from '../../api/statements/statements'
import { usePreferences } from '../../state/preferences'
import { formatMoney } from '../../ui/values/format'
import { CardImport, type ChosenStatement } from './card-import'
import classes from './statements.module.css'

type Account = StatementReport['accounts'][number]

/** The key of the chosen card's preview; the others' are their accounts. */
const own = ''

/**
 * A statement and what it would add to its card. Other accounts in the file are added to the cards that they are known to belong to, or that the
 * person chooses, each with its own preview; the rest is left out.
 */
export function ImportPanel({ organizationId, chosen, onClose }: { organizationId: number; chosen: ChosenStatement; onClose: () => void }) {
  const { file, card } = chosen
  const cards = useCards(organizationId).filter(({ id }) => id !== card.id)
  const [accounts, setAccounts] = useState<readonly Account[]>([])
  const [choices, setChoices] = useState<ReadonlyMap<string, number | undefined>>(new Map())
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const isTaken = accounts.some(({ is_taken }) => is_taken)
  const others = accounts
    .filter((one) => !one.is_taken && (isTaken || one.corporative_card_id !== null))
    .map((one) => {
      const id = choices.has(one.account) ? choices.get(one.account) : one.corporative_card_id
      return { ...one, card: cards.find((other) => other.id === id) }
    })
  const close = (key: string) => {
    const all = new Set([...closed, key])
    setClosed(all)
    if (all.has(own) && others.every((one) => one.card === undefined || all.has(one.account))) onClose()
  }
  return (
    <>
      {!closed.has(own) && (
        <CardImport organizationId={organizationId} chosen={chosen} onAccounts={setAccounts} onClose={() => close(own)} />
      )}
      <OtherAccounts
        accounts={others.filter(({ account }) => !closed.has(account))}
        cards={cards}
        onChange={(account, id) => setChoices(new Map([...choices, [account, id]]))}
      />
      {others.map(
        ({ account, card: other }) =>
          other &&
          !closed.has(account) && (
            <CardImport
              key={`${account} ${other.id}`}
              organizationId={organizationId}
              chosen={{ file, card: { id: other.id, name: nameCard(other) } }}
              account={account}
              onClose={() => close(account)}
            />
          ),
      )}
    </>
  )
}

/** The file's other accounts, and the card to which each one is added. */
function OtherAccounts({
  accounts,
  cards,
  onChange,
}: {
  accounts: ReadonlyArray<Account & { readonly card: { readonly id: number } | undefined }>
  cards: ReturnType<typeof useCards>
  onChange: (account: string, card_id: number | undefined) => void
}) {
  const { t } = useTranslation('statements')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  if (accounts.length === 0 || cards.length === 0) return null
  return (
    <fieldset className={classes.panel} aria-label={t('account.others')}>
      {accounts.map(({ account, lines, sum, currency, card }) => (
        <NativeSelect
          key={account}
          size="xs"
          label={`${t('account.option', { account, count: lines })}${
            sum === null || currency === null ? '' : ` · ${formatMoney({ amount: sum, currency }, { language, display })}`
          }`}
          value={card ? String(card.id) : ''}
          data={[
            { value: '', label: t('account.leftOut') },
            ...cards.map((one) => ({ value: String(one.id), label: `${nameCard(one)} · ${one.user.name}` })),
          ]}
          onChange={({ currentTarget: { value } }) => onChange(account, value === '' ? undefined : Number(value))}
        />
      ))}
    </fieldset>
  )
}
