import { ActionIcon, Menu } from '@mantine/core'
import { ImageDown } from 'lucide-react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyFailure } from '../../state/notices'
import { download, drawPicture, toPng } from './picture'
import classes from './reports.module.css'

/** Saves the chart of a figure as a picture. */
export function PictureMenu({ figureRef, title, sum }: { figureRef: RefObject<HTMLElement | null>; title: string; sum?: string }) {
  const { t } = useTranslation('reports')
  const save = async (format: 'png' | 'svg') => {
    const chart = figureRef.current?.querySelector<SVGSVGElement>('[data-chart] .recharts-wrapper > svg')
    if (!chart) throw new Error(t('picture.notDrawn'))
    const entries = [...(figureRef.current?.querySelectorAll('.recharts-legend-item') ?? [])]
    const legend = entries.map((entry) => {
      const mark = entry.querySelector('path')
      return { name: entry.textContent, color: mark ? getComputedStyle(mark).fill : '' }
    })
    const notes = [...(figureRef.current?.querySelectorAll(`.${classes.note ?? ''}`) ?? [])].map(({ textContent }) => textContent)
    const picture = drawPicture(chart, { title, sum, legend, notes })
    const blob = format === 'png' ? await toPng(picture) : new Blob([picture.svg], { type: 'image/svg+xml' })
    download(blob, `${t('picture.file')}.${format}`)
  }
  const act = (format: 'png' | 'svg') =>
    void save(format).catch((error: unknown) =>
      notifyFailure({ title: t('picture.failed'), message: error instanceof Error ? error.message : String(error) }),
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon className={classes.screenOnly} aria-label={t('picture.save')} title={t('picture.save')}>
          <ImageDown size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => act('png')}>{t('picture.png')}</Menu.Item>
        <Menu.Item onClick={() => act('svg')}>{t('picture.svg')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
