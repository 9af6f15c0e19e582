import { z } from 'zod'
import { create } from 'zustand'
import { createJSONStorage, persist, type StateStorage } from 'zustand/middleware'
import { type Language, defaultLanguage, languageOfTag, languages } from '#shared/domain/locales'
import { preferencesKey } from '../api/early/early'

const columnLayoutSchema = z.object({
  order: z.array(z.string()),
  hidden: z.array(z.string()),
  widths: z.record(z.string(), z.number().int().min(16).max(4000)),
})

/** The layout of one grid's columns: ids in order, hidden ids, widths in pixels where they differ from the default. */
export type ColumnLayout = z.infer<typeof columnLayoutSchema>

/** The layout of a grid that nobody has touched. */
export const untouchedColumns: ColumnLayout = { order: [], hidden: [], widths: {} }

function systemLanguage(): Language {
  return (typeof navigator === 'undefined' ? undefined : languageOfTag(navigator.language)) ?? defaultLanguage
}

const preferencesSchema = z.object({
  language: z.enum(languages).catch(systemLanguage),
  currencyDisplay: z.enum(['code', 'symbol']).catch('code'),
  timezone: z
    .string()
    .min(1)
    .catch(() => Intl.DateTimeFormat().resolvedOptions().timeZone),
  organizationId: z.number().int().positive().nullable().catch(null),
  columns: z.record(z.string(), columnLayoutSchema).catch({}),
  panes: z.record(z.string(), z.number().int().positive()).catch({}),
  savedViews: z.array(z.object({ name: z.string().min(1), address: z.string(), of: z.string().optional() })).catch([]),
  reasons: z.record(z.string(), z.array(z.string().min(1))).catch({}),
})

/** What the interface remembers on this device. `timezone` is an IANA name; `panes` are widths in pixels by pane id; `savedViews` are views that are not yet on the server; `reasons` those used last, by person, organization and act. */
export type Preferences = z.infer<typeof preferencesSchema>

/** Preferences from whatever was stored: each damaged or missing one falls back alone. */
export function parsePreferences(stored: unknown): Preferences {
  const fields = z.record(z.string(), z.unknown()).safeParse(stored)
  return preferencesSchema.parse(fields.success ? fields.data : {})
}

/** The preferences and the ways to change them. */
export type PreferencesStore = Preferences & {
  set(change: Partial<Omit<Preferences, 'columns' | 'panes'>>): void
  setColumns(gridId: string, layout: ColumnLayout): void
  setPane(paneId: string, widthPx: number): void
}

/**
 * A preferences store over any storage; damaged storage gives defaults. Hydrated again, it takes over what tabs share; each tab keeps its own
 * organization and language while it is open.
 */
export function createPreferences(getStorage: () => StateStorage) {
  let isOpen = false
  return create<PreferencesStore>()(
    persist(
      (set) => ({
        ...parsePreferences({}),
        set: (change) => set(change),
        setColumns: (gridId, layout) => set((state) => ({ columns: { ...state.columns, [gridId]: layout } })),
        setPane: (paneId, widthPx) => set((state) => ({ panes: { ...state.panes, [paneId]: Math.round(widthPx) } })),
      }),
      {
        name: preferencesKey,
        storage: createJSONStorage(getStorage),
        partialize: (state) => parsePreferences(state),
        merge: (stored, current) => {
          const { columns, panes, savedViews, reasons, ...own } = parsePreferences(stored)
          const shared = { columns, panes, savedViews, reasons }
          return { ...current, ...shared, ...(isOpen ? {} : own) }
        },
        onRehydrateStorage: () => () => {
          isOpen = true
        },
      },
    ),
  )
}

/** The preferences of this window, kept in its local storage. */
export const usePreferences = createPreferences(() => window.localStorage)

// A tab writes all preferences at once: without another tab's changes it would remove them.
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => {
    if (key === preferencesKey) void usePreferences.persist.rehydrate()
  })
