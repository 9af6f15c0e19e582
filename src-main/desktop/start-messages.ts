import { app, dialog } from 'electron'
import type { Language } from '#shared/domain/locales'
import { negotiateLanguage, translate } from '#shared/i18n/translations'
import { SettingsError } from '#main/config/settings'
import { StartFault } from '#main/snapshots/start-fault'

/** The computer's language if Outlay has it: the default until a person chooses one. */
export function systemLanguage(): Language {
  return negotiateLanguage(app.getLocale()) ?? 'en'
}

/** Shows why the program cannot start, and what to do. */
export function sayCannotStart(error: unknown, data_folder: string): void {
  const language = systemLanguage()
  if (error instanceof StartFault) return dialog.showErrorBox(error.titleIn(language), error.textIn(language))
  const message = error instanceof Error ? error.message : String(error)
  const isForeseen = error instanceof SettingsError
  const text = isForeseen ? message : translate(language, 'desktop:dialog.unexpected', { message, folder: data_folder })
  dialog.showErrorBox(translate(language, 'desktop:dialog.cannotStart'), text)
}

/** Shows that the disk is full, and what still works. */
export function sayNoRoom(folder: string, language: Language): void {
  const say = (key: string) => translate(language, `start:no_room.${key}`, { folder })
  void dialog.showMessageBox({ type: 'warning', message: say('title'), detail: say('text') })
}

/** Reports that the shell's damaged settings were kept under another name. */
export function saySetAside(path: string, language: Language): void {
  const say = (key: string) => translate(language, `desktop:dialog.${key}`, { path })
  void dialog.showMessageBox({ type: 'info', message: say('settingsSetAside'), detail: say('settingsSetAsideText') })
}
