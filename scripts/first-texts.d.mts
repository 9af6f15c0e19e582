import type { Plugin } from 'vite'

/** Divides the page's texts in two: `?first` are those that the modules of its first load, from `entry`, name; `?later` the others. */
export function firstTexts(root: string, entry: string): Plugin
