import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Tag } from '#shared/contract/tags'
import { may } from '#shared/domain/permissions'
import type { Role } from '#shared/domain/roles'
import { expensesAddress } from './tag-list'
import { TagForm, type TagFormProps } from './tag-form'
import classes from './tags.module.css'
import { useUsableText } from './usable-text'

/** One tag: to be changed by who may, to be read by the others. */
export function TagDetail({ tag, role, ...form }: TagFormProps & { tag: Tag; role: Role }) {
  const { t } = useTranslation('tags')
  const usableText = useUsableText(form.people)
  return (
    <>
      {may('tags.write', { role }) ? (
        <TagForm key={tag.id} tag={tag} {...form} />
      ) : (
        <>
          <dl className={classes.facts}>
            <dt>{t('detail.name')}</dt>
            <dd>{tag.name}</dd>
            <dt>{t('detail.group')}</dt>
            <dd>{tag.group ?? t('noGroup')}</dd>
            <dt>{t('detail.usable')}</dt>
            <dd>{usableText(tag)}</dd>
          </dl>
          <p className={classes.quiet}>{t('detail.readOnly')}</p>
        </>
      )}
      {may('expenses.read', { role }) && (
        <Link href={expensesAddress(tag)} className={classes.link}>
          {t('detail.expenses')}
        </Link>
      )}
    </>
  )
}
