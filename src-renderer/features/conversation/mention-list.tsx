import { useTranslation } from 'react-i18next'
import type { Mentionable } from '#shared/contract/mentionables'
import { localUrl } from '../../api/attachments'
import { PersonAvatar } from '../../ui/values/person-avatar'
import classes from './conversation.module.css'

/** The id of one option of the list, for the text area that points at the active one. */
export function mentionOptionId(listId: string, index: number): string {
  return `${listId}-${index}`
}

/** Who can be mentioned here. `active`: the index of the one that Enter chooses. */
export function MentionList({
  id,
  people,
  active,
  onChoose,
}: {
  id: string
  people: readonly Mentionable[]
  active: number
  onChoose: (index: number) => void
}) {
  const { t } = useTranslation('conversation')
  return (
    <ul id={id} className={classes.mentions} role="listbox" aria-label={t('comments.mention')}>
      {people.map((person, index) => {
        const avatar = person.avatar.find(({ style }) => style === 'tiny')
        return (
          <li
            key={person.uid}
            id={mentionOptionId(id, index)}
            role="option"
            aria-selected={index === active}
            className={classes.mentionOption}
            onPointerDown={(event) => {
              event.preventDefault()
              onChoose(index)
            }}
          >
            <PersonAvatar name={person.name} src={avatar && localUrl(avatar.url)} sizePx={20} />
            <span className={classes.clip}>{person.name}</span>
            <span className={classes.small}>@{person.mention_name}</span>
          </li>
        )
      })}
    </ul>
  )
}
