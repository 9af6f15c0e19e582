import { Tabs } from '@mantine/core'
import { useContext, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../state/preferences'
import { ConversationContext, type ConversationRecord, type ConversationViewer } from './conversation'
import { formatCount } from '../../ui/values/format'
import classes from './record-tabs.module.css'
import type { Shortcut } from '../../ui/keys/shortcut-registry'

const tabs = ['details', 'comments', 'activity'] as const

/** A tab of a record's detail. */
export type RecordTab = (typeof tabs)[number]

/** Which tab is shown, and whether the comments want the focus. */
export type RecordTabState = {
  readonly tab: RecordTab
  readonly setTab: (tab: RecordTab) => void
  readonly isWriting: boolean
  readonly setWriting: (isWriting: boolean) => void
  readonly comment: () => void
  /** The keys of the tabs, for the scope of the detail. */
  readonly shortcuts: readonly Shortcut[]
}

/** Keeps which tab of a detail is shown: `first` until one is chosen. */
export function useRecordTabs(first: RecordTab = 'details'): RecordTabState {
  const { t } = useTranslation('conversation')
  const [chosen, setTab] = useState<RecordTab | null>(null)
  const [isWriting, setWriting] = useState(false)
  const comment = () => {
    setTab('comments')
    setWriting(true)
  }
  const shortcuts: Shortcut[] = [
    { id: 'comment', keys: 'c', label: t('comments.write'), run: comment },
    { id: 'view-details', keys: 'v d', label: t('tabs.goDetails'), run: () => setTab('details') },
    { id: 'view-activity', keys: 'v a', label: t('tabs.goActivity'), run: () => setTab('activity') },
  ]
  return { tab: chosen ?? first, setTab, isWriting, setWriting, comment, shortcuts }
}

/** What the tabs are given: `record` is what they are about, `children` its details. */
export type RecordTabsProps = {
  state: RecordTabState
  record: ConversationRecord & { readonly comments_count: number; readonly activities_count: number }
  viewer: ConversationViewer
  onLeft: () => void
  children: ReactNode
}

/** Details, comments and activity of a record, with how many there are. */
export function RecordTabs({ state, record, viewer, onLeft, children }: RecordTabsProps) {
  const { t } = useTranslation('conversation')
  const language = usePreferences((preferences) => preferences.language)
  const conversation = useContext(ConversationContext)
  const { kind, id, currency } = record
  const followable = { kind, id, currency }
  const counts = { details: 0, comments: record.comments_count, activity: record.activities_count }
  return (
    <Tabs
      value={state.tab}
      onChange={(value) => state.setTab(tabs.find((known) => known === value) ?? 'details')}
      keepMounted={false}
      classNames={{ root: classes.tabs, list: classes.tabList, tab: classes.tab }}
    >
      <Tabs.List aria-label={t('tabs.label')}>
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t(`tabs.${name}`)}
            {counts[name] > 0 && <span className={`${classes.tabCount} tabular`}>{formatCount(counts[name], language)}</span>}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="details" className={classes.tabPanel}>
        {children}
      </Tabs.Panel>
      <Tabs.Panel value="comments" className={classes.tabPanel}>
        {conversation && (
          <conversation.Comments
            key={`${kind} ${id}`}
            followable={followable}
            viewer={viewer}
            isWriting={state.isWriting}
            onWritingStarted={() => state.setWriting(false)}
            onLeft={onLeft}
          />
        )}
      </Tabs.Panel>
      <Tabs.Panel value="activity" className={classes.tabPanel}>
        {conversation && <conversation.Activity followable={followable} />}
      </Tabs.Panel>
    </Tabs>
  )
}
