import { Button, FileButton, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { preferenceRoutes, type Preferences } from '#shared/contract/preferences'
import { currencyChoices } from '#shared/domain/currencies'
import { languages, localeOf } from '#shared/domain/locales'
import { ApiError, call, etagOf } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { uploadFile } from '../../api/uploads'
import { useFrame } from '../../state/frame'
import { usePreferences } from '../../state/preferences'
import { chooseLanguage } from '../../ui/shell/choose-language'
import { DraftForm } from '../../ui/form/draft-form'
import { ErrorState } from '../../ui/feedback/error-state'
import { PersonAvatar } from '../../ui/values/person-avatar'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { notifyDone } from '../../state/notices'
import { SearchSelect } from '../../ui/form/search-select'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { Section } from './section'
import classes from './settings.module.css'
import { keyRoots } from '../../api/keys'

const avatarTypes = 'image/jpeg,image/png,image/gif'

type Change = Partial<Pick<Preferences, 'language' | 'timezone' | 'mention_name' | 'default_currency'>> & {
  avatar?: { file: string } | { _destroy: boolean }
}

/** Who the user is to others, and how times and amounts are shown to them. */
export function ProfileSection() {
  const { t } = useTranslation('settings')
  const { data, error, refetch } = useQuery({
    queryKey: keyRoots.preferences,
    queryFn: ({ signal }) => call(preferenceRoutes.show, { signal }),
  })
  return (
    <Section id="profile" title={t('profile.title')}>
      {data && <ProfileForm stored={data} />}
      {!data && !error && <SkeletonRows count={4} />}
      {error && !data && (
        <ErrorState happened={t('profile.error')} kept={t('nothingChanged')} onRetry={() => void refetch()} error={error} />
      )}
    </Section>
  )
}

function useSave(stored: Preferences) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: Change) => call(preferenceRoutes.update, { body: change, ifMatch: etagOf(stored) }),
    onSuccess: (saved) => {
      chooseLanguage(saved.language)
      usePreferences.getState().set({ timezone: saved.timezone })
      client.setQueryData(keyRoots.preferences, saved)
      notifyDone(t('saved'))
    },
  })
}

type ProfileWriting = Pick<Preferences, 'language' | 'timezone' | 'mention_name' | 'default_currency'>

const profileWords: Readonly<Record<string, string>> = {
  language: 'profile.language',
  timezone: 'profile.timezone',
  default_currency: 'profile.currency',
}

function ProfileForm({ stored }: { stored: Preferences }) {
  const { t } = useTranslation('settings')
  const user_id = useFrame((state) => state.user?.id ?? '')
  const draft = useFormDraft<ProfileWriting>({
    form: 'profile-edit',
    record: user_id,
    stored: {
      language: stored.language,
      timezone: stored.timezone,
      mention_name: stored.mention_name,
      default_currency: stored.default_currency,
    },
  })
  const form = draft.value
  const { data: timezones = [] } = useQuery({
    queryKey: ['timezones'],
    queryFn: ({ signal }) => call(preferenceRoutes.listTimezones, { signal }),
  })
  const save = useSave(stored)
  const errors = save.error instanceof ApiError ? save.error.fields : {}
  const zones = timezones.some(({ name }) => name === form.timezone)
    ? timezones
    : [{ name: form.timezone, description: form.timezone }, ...timezones]
  return (
    <DraftForm
      draft={draft}
      words={{ name: (field) => t(profileWords[field] ?? 'profile.mention') }}
      className={classes.section}
      onSubmit={() => {
        if (draft.isDirty) save.mutate(form, { onSuccess: () => draft.done() })
      }}
    >
      <Avatar stored={stored} />
      <div className={classes.pair}>
        <Select
          label={t('profile.language')}
          value={form.language}
          allowDeselect={false}
          error={errors.language?.join(' ')}
          data={languages.map((known) => ({ value: known, label: localeOf(known).name }))}
          onChange={(value) => {
            const language = languages.find((known) => known === value)
            if (language) draft.change({ language })
          }}
        />
        <SearchSelect
          label={t('profile.timezone')}
          value={form.timezone}
          error={errors.timezone?.join(' ')}
          limit={200}
          data={zones.map(({ name, description }) => ({ value: name, label: description }))}
          onChange={(timezone) => draft.change({ timezone })}
        />
        <SearchSelect
          label={t('profile.currency')}
          value={form.default_currency}
          error={errors.default_currency?.join(' ')}
          data={currencyChoices(form.default_currency)}
          onChange={(default_currency) => draft.change({ default_currency })}
        />
        <TextInput
          label={t('profile.mention')}
          value={form.mention_name}
          leftSection="@"
          error={errors.mention_name?.join(' ')}
          autoComplete="off"
          onChange={(event) => draft.change({ mention_name: event.currentTarget.value })}
        />
      </div>
      {save.error && Object.keys(errors).every((name) => !(name in form)) && (
        <p className={classes.failure} role="alert">
          {failureText(save.error)}
        </p>
      )}
      <div className={classes.row}>
        <Button type="submit" disabled={!draft.isDirty} loading={save.isPending}>
          {t('save')}
        </Button>
      </div>
    </DraftForm>
  )
}

function Avatar({ stored }: { stored: Preferences }) {
  const { t } = useTranslation('settings')
  const user = useFrame((state) => state.user)
  const save = useSave(stored)
  const send = useMutation({ mutationFn: async (file: File) => save.mutateAsync({ avatar: { file: await uploadFile(file) } }) })
  const picture = stored.avatar.find(({ style }) => style === 'thumb')?.url ?? stored.avatar[0]?.url
  const error = send.error ?? save.error
  return (
    <>
      <div className={classes.row}>
        <PersonAvatar name={user?.name ?? ''} src={picture} sizePx={48} />
        <div className={classes.grow}>
          <div>{user?.name}</div>
          <div className={classes.quiet}>{user?.email}</div>
        </div>
        <FileButton
          accept={avatarTypes}
          onChange={(file) => {
            if (file) send.mutate(file)
          }}
          inputProps={{ 'aria-label': t('profile.avatar') }}
        >
          {(props) => (
            <Button {...props} variant="default" loading={send.isPending}>
              {t('profile.avatar')}
            </Button>
          )}
        </FileButton>
        {picture && (
          <Button variant="subtle" color="gray" loading={save.isPending} onClick={() => save.mutate({ avatar: { _destroy: true } })}>
            {t('profile.avatarRemove')}
          </Button>
        )}
      </div>
      {error && (
        <p className={classes.failure} role="alert">
          {t('profile.avatarFailed', { reason: failureText(error) })}
        </p>
      )}
    </>
  )
}
