import { Button, Textarea } from '@mantine/core'
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useMentionables } from '../../api/comments'
import type { Followable } from '../../api/followables'
import { CancelButton, DraftForm } from '../../ui/form/draft-form'
import { KeyHint } from '../../ui/keys/key-hint'
import type { FormDraft } from '../../ui/form/use-form-draft'
import classes from './conversation.module.css'
import { MentionList, mentionOptionId } from './mention-list'
import { mentionAt, suggestMentions, writeMention, type MentionDraft } from './mentions'

/** What a comment is written as. */
export type CommentWriting = { readonly text: string }

/** The props of the editor. Without `onLeave` Escape leaves the text unchanged and returns the keys to the screen. */
export type CommentEditorProps = {
  draft: FormDraft<CommentWriting>
  followable: Followable
  label: string
  error: string | undefined
  isSending: boolean
  sendLabel: string
  onSend: () => void
  onLeave?: () => void
  /** Takes the focus when true, and says so. */
  wantsFocus: boolean
  onFocused?: () => void
}

/** Writes a comment: `@` offers who can be mentioned, arrows and Enter choose, Ctrl+Enter sends. */
export function CommentEditor({
  draft: kept,
  followable,
  label,
  error,
  isSending,
  sendLabel,
  onSend,
  onLeave,
  wantsFocus,
  onFocused,
}: CommentEditorProps) {
  const { t } = useTranslation('conversation')
  const { text } = kept.value
  const onText = (written: string) => kept.change({ text: written })
  const areaRef = useRef<HTMLTextAreaElement>(null)
  const caretRef = useRef<number | null>(null)
  const listId = useId()
  const [draft, setDraft] = useState<MentionDraft | undefined>()
  const [active, setActive] = useState(0)
  const { data: people = [] } = useMentionables(followable, draft !== undefined)
  const suggested = draft ? suggestMentions(people, draft.query) : []
  const isOpen = suggested.length > 0
  const look = () => {
    const area = areaRef.current
    setDraft(area ? mentionAt(area.value, area.selectionStart) : undefined)
    setActive(0)
  }
  useEffect(() => {
    if (caretRef.current === null) return
    areaRef.current?.setSelectionRange(caretRef.current, caretRef.current)
    caretRef.current = null
  }, [text])
  const takeFocus = useEffectEvent(() => {
    areaRef.current?.focus()
    onFocused?.()
  })
  useEffect(() => {
    if (wantsFocus) takeFocus()
  }, [wantsFocus])
  const choose = (index: number) => {
    const person = suggested[index]
    if (!person || !draft) return
    const written = writeMention(text, draft, person.mention_name)
    caretRef.current = written.caret
    onText(written.text)
    setDraft(undefined)
    areaRef.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend()
    else if (isOpen && (key === 'ArrowDown' || key === 'ArrowUp'))
      setActive((active + (key === 'ArrowDown' ? 1 : suggested.length - 1)) % suggested.length)
    else if (isOpen && (key === 'Enter' || key === 'Tab')) choose(active)
    else if (key === 'Escape' && isOpen) setDraft(undefined)
    else if (key === 'Escape') {
      onLeave?.()
      areaRef.current?.blur()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <DraftForm draft={kept} words={{ name: () => label }} className={classes.editor} onSubmit={onSend} onLeave={onLeave}>
      <Textarea
        ref={areaRef}
        aria-label={label}
        placeholder={t('comments.placeholder')}
        value={text}
        autosize
        minRows={2}
        maxRows={10}
        error={error}
        role={isOpen ? 'combobox' : undefined}
        aria-expanded={isOpen || undefined}
        aria-autocomplete="list"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? mentionOptionId(listId, active) : undefined}
        onChange={(event) => {
          onText(event.currentTarget.value)
          look()
        }}
        onClick={look}
        onKeyDown={onKeyDown}
        onBlur={() => setDraft(undefined)}
      />
      {isOpen && <MentionList id={listId} people={suggested} active={active} onChoose={choose} />}
      <div className={classes.formActions}>
        {onLeave && <CancelButton draft={kept} onLeave={onLeave} />}
        <Button onClick={onSend} disabled={isSending || text.trim() === ''} rightSection={<KeyHint keys="mod+enter" />}>
          {sendLabel}
        </Button>
      </div>
    </DraftForm>
  )
}
