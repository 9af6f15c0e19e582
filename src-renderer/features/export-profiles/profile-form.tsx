import { Button, Checkbox, FileButton, Select, Textarea, TextInput } from '@mantine/core'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ExportProfileRepresentation } from '#shared/contract/organization-records/export-profiles'
import { failureText } from '../../api/failure-text'
import { useExportProfileWrite, useLayoutPreview } from '../../records/export-profiles'
import { RecordForm, refusalOf, useStored } from '../../records/list-screen/record-form'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { ColumnsField } from './columns-field'
import {
  type ProfileForm as Form,
  type ProfileProblems,
  choices,
  readProfileFile,
  readProfileForm,
  toProfileForm,
  usualColumns,
} from './profile-values'
import { useAttributeName } from './use-attribute-name'
import classes from './export-profiles.module.css'

/** What the form is given. `profile` is absent for a new one. */
export type ProfileFormProps = {
  organizationId: number
  profile?: ExportProfileRepresentation
  onStored: (profile: ExportProfileRepresentation) => void
  onDelete?: () => void
}

/** A file format of the organization's own, with what it makes of real expenses below. */
export function ProfileForm({ organizationId, profile, onStored, onDelete }: ProfileFormProps) {
  const { t } = useTranslation('export-profiles')
  const nameOf = useAttributeName()
  const draft = useFormDraft<Form>({
    form: profile ? 'export-profile-edit' : 'export-profile-new',
    record: profile?.id ?? organizationId,
    stored: toProfileForm(profile, usualColumns(nameOf)),
  })
  const { value, change } = draft
  const [isAsked, setAsked] = useState(false)
  const read = readProfileForm(value)
  const problems: ProfileProblems = isAsked && read.kind === 'wrong' ? read.problems : {}
  const write = useExportProfileWrite(organizationId)
  const stored = useStored({ name: 'export-profiles', draft, record: profile, onStored })
  const submit = () => {
    setAsked(true)
    if (read.kind === 'ok')
      write.mutate(profile ? { kind: 'change', record: profile, fields: read.fields } : { kind: 'create', fields: read.fields }, stored)
  }
  const errorOf = (field: keyof Form, attribute: string = field) => {
    const problem = problems[field]
    return problem === undefined ? refusalOf(write.error, attribute) : t(problem)
  }
  const isDatev = value.kind === 'datev'
  const choice = (field: keyof typeof choices) => (
    <Select
      label={t(`field.${field}`)}
      data={choices[field].map((one) => ({ value: one, label: t(`choice.${field}.${one}`, { defaultValue: one }) }))}
      value={value[field]}
      allowDeselect={false}
      onChange={(chosen) => change({ [field]: chosen ?? value[field] })}
    />
  )
  const codes = (field: 'tagCodes' | 'claimantCodes' | 'againstCodes') => (
    <Textarea
      key={field}
      label={t(isDatev ? `datev.${field}` : `field.${field}`)}
      description={t(isDatev ? `datev.hint.${field}` : `hint.${field}`)}
      value={value[field]}
      autosize
      minRows={2}
      maxRows={12}
      error={errorOf(field)}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
    />
  )
  const text = (field: 'otherwise' | 'adviser' | 'client' | 'tagAccount' | 'claimantAccount') => (
    <TextInput
      label={t(`field.${field}`)}
      description={t(`hint.${field}`)}
      value={value[field]}
      maxLength={200}
      error={errorOf(field)}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
    />
  )
  return (
    <RecordForm
      name="export-profiles"
      draft={draft}
      attributes={['name', 'layout']}
      words={{ name: (field) => t(`field.${field}`), value: (_field, shown) => String(shown) }}
      {...{ error: write.error, isPending: write.isPending, isNew: !profile, onSubmit: submit, onDelete }}
      after={<Preview organizationId={organizationId} form={value} />}
    >
      {!profile && <ProfileFile onRead={change} />}
      <TextInput
        label={t('field.name')}
        description={t('hint.name')}
        value={value.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        maxLength={200}
        required
        withAsterisk={false}
        autoFocus={!profile}
        error={errorOf('name')}
      />
      {choice('kind')}
      {isDatev ? (
        <div className={classes.pair}>
          {text('adviser')}
          {text('client')}
          {choice('firstMonth')}
          {choice('accountDigits')}
          {text('tagAccount')}
          {text('claimantAccount')}
        </div>
      ) : (
        <>
          <ColumnsField columns={value.columns} error={errorOf('columns', 'layout')} onChange={(columns) => change({ columns })} />
          <div className={classes.pair}>
            {choice('separator')}
            {choice('decimal')}
            {choice('days')}
            {choice('encoding')}
          </div>
          <Checkbox
            label={t('field.hasHeader')}
            checked={value.hasHeader}
            onChange={(event) => change({ hasHeader: event.currentTarget.checked })}
          />
          <Checkbox
            label={t('field.isQuoted')}
            checked={value.isQuoted}
            onChange={(event) => change({ isQuoted: event.currentTarget.checked })}
          />
        </>
      )}
      {(['tagCodes', 'claimantCodes', 'againstCodes'] as const).map(codes)}
      {!isDatev && text('otherwise')}
    </RecordForm>
  )
}

/** Fills the form with a format that was downloaded, here or elsewhere. */
function ProfileFile({ onRead }: { onRead: (form: Form) => void }) {
  const { t } = useTranslation('export-profiles')
  const [isWrong, setWrong] = useState(false)
  const take = (file: File | null) =>
    void file?.text().then((text) => {
      const read = readProfileFile(text)
      setWrong(!read)
      if (read) onRead(toProfileForm(read, []))
    })
  return (
    <div>
      <FileButton onChange={take} accept=".json,application/json">
        {(props) => (
          <Button variant="default" {...props}>
            {t('file.take')}
          </Button>
        )}
      </FileButton>
      {isWrong && (
        <p className={classes.wrong} role="alert">
          {t('file.wrong')}
        </p>
      )}
    </div>
  )
}

function Preview({ organizationId, form }: { organizationId: number; form: Form }) {
  const { t } = useTranslation('export-profiles')
  const read = readProfileForm(useDeferredValue({ ...form, name: '-' }))
  const { data, error } = useLayoutPreview(organizationId, read.kind === 'ok' ? read.fields.layout : undefined)
  return (
    <section aria-label={t('preview.title')}>
      <h3 className={classes.heading}>{t('preview.title')}</h3>
      {error && <p role="alert">{failureText(error)}</p>}
      {/* Wide lines scroll, also by key. */}
      {data && (
        <pre className={classes.preview} tabIndex={0}>
          {data.lines.length > 0 ? data.lines.join('\n') : t(form.kind === 'datev' ? 'preview.noEuros' : 'preview.empty')}
        </pre>
      )}
    </section>
  )
}
