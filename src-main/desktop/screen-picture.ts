import { type Session, desktopCapturer, screen } from 'electron'
import { isOurPage } from './security'

/**
 * Gives our own pages a picture of the main screen to capture a part of it, right after a person asked. No sound, no frames inside pages, and only
 * after a click or key.
 */
export function giveScreenPictures(session: Session): void {
  session.setDisplayMediaRequestHandler(({ frame, videoRequested, audioRequested, userGesture }, answer) => {
    const isOurs = frame !== null && frame.parent === null && isOurPage(frame.url)
    if (!isOurs || !userGesture || !videoRequested || audioRequested) return answer(null)
    const main = String(screen.getPrimaryDisplay().id)
    desktopCapturer.getSources({ types: ['screen'], thumbnailSize: { width: 0, height: 0 } }).then(
      (sources) => {
        const video = sources.find(({ display_id }) => display_id === main) ?? sources[0]
        answer(video ? { video } : null)
      },
      () => answer(null),
    )
  })
}
