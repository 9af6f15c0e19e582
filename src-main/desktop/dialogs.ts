import { dialog } from 'electron'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'

/** Asks the person for files to capture; empty if cancelled. */
export async function chooseFiles(language: Language): Promise<string[]> {
  const { filePaths } = await dialog.showOpenDialog({
    title: translate(language, 'desktop:dialog.chooseFiles'),
    buttonLabel: translate(language, 'desktop:dialog.capture'),
    properties: ['openFile', 'multiSelections'],
  })
  return filePaths
}

/** Asks the person for a folder to watch. */
export async function chooseFolder(language: Language): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog({
    title: translate(language, 'desktop:dialog.chooseFolder'),
    buttonLabel: translate(language, 'desktop:dialog.watch'),
    properties: ['openDirectory', 'createDirectory'],
  })
  return filePaths[0]
}
