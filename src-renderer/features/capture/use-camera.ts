import { useEffect, useState } from 'react'
import { desktop } from '../../api/desktop'
import { now } from '../../ui/values/clock'

const size = { width: { ideal: 2560 }, height: { ideal: 1920 } }
const jpegQuality = 0.92
/** Which camera this device was last used with. */
const chosenKey = 'outlay.camera'

/** Why there is no picture of a camera. */
export type CameraFailure = 'denied' | 'none' | 'busy'
export type CameraState =
  { readonly kind: 'starting' } | { readonly kind: 'live' } | { readonly kind: 'failed'; readonly reason: CameraFailure }

/** A live picture in a video element, and the choice of what gives it. */
export interface LiveCamera {
  readonly state: CameraState
  /** The cameras there are; named only once one may be used. */
  readonly cameras: readonly MediaDeviceInfo[]
  /** The one in use. */
  readonly cameraId: string | null
  readonly choose: (cameraId: string) => void
  /** Tries once more, after what was in the way is out of it. */
  readonly retry: () => void
}

/** Shows a camera's picture in the video element while it is on the screen. */
export function useCamera(videoRef: { current: HTMLVideoElement | null }): LiveCamera {
  const [state, setState] = useState<CameraState>({ kind: 'starting' })
  const [cameras, setCameras] = useState<readonly MediaDeviceInfo[]>([])
  const [cameraId, setCameraId] = useState<string | null>(null)
  const [{ wanted, turn }, setWanted] = useState(() => ({ wanted: localStorage.getItem(chosenKey), turn: 0 }))
  useEffect(() => {
    let stream: MediaStream | undefined
    let isGone = false
    const begin = async () => {
      // Only pages of https and of this machine have cameras.
      if (!('mediaDevices' in navigator)) return setState({ kind: 'failed', reason: 'none' })
      stream = await openCamera(wanted)
      const video = videoRef.current
      if (isGone || !video) return stop(stream)
      video.srcObject = stream
      await video.play()
      setState({ kind: 'live' })
      setCameraId(stream.getVideoTracks()[0]?.getSettings().deviceId ?? null)
      setCameras((await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === 'videoinput'))
    }
    begin().catch((error: unknown) => {
      if (!isGone) setState({ kind: 'failed', reason: reasonOf(error) })
    })
    return () => {
      isGone = true
      if (stream) stop(stream)
    }
  }, [videoRef, wanted, turn])
  const start = (id: string | null) => {
    setState({ kind: 'starting' })
    setWanted((known) => ({ wanted: id, turn: known.turn + 1 }))
  }
  return {
    state,
    cameras,
    cameraId,
    choose: (id) => {
      localStorage.setItem(chosenKey, id)
      start(id)
    },
    retry: () => start(wanted),
  }
}

/** The camera that was chosen, or the one that looks away from the person. */
async function openCamera(wanted: string | null): Promise<MediaStream> {
  const any: MediaStreamConstraints = { audio: false, video: { facingMode: 'environment', ...size } }
  if (wanted === null) return navigator.mediaDevices.getUserMedia(any)
  const chosen: MediaStreamConstraints = { audio: false, video: { deviceId: { exact: wanted }, ...size } }
  return navigator.mediaDevices.getUserMedia(chosen).catch((error: unknown) => {
    // It was unplugged: another will do.
    if (reasonOf(error) === 'none') return navigator.mediaDevices.getUserMedia(any)
    throw error
  })
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

function reasonOf(error: unknown): CameraFailure {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'none' : 'busy'
}

/** The text that says what to do about a camera that gives no picture. */
export function cameraFailureKey(reason: CameraFailure): string {
  return reason === 'denied' && desktop ? 'camera.deniedHere' : `camera.${reason}`
}

/** What the video shows now, as a file; undefined while it shows nothing. */
export async function photograph(video: HTMLVideoElement | null): Promise<File | undefined> {
  if (!video || video.videoWidth === 0) return undefined
  const canvas = drawFrame(video)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', jpegQuality))
  return blob ? new File([blob], `photo-${stamp()}.jpg`, { type: 'image/jpeg' }) : undefined
}

/** A canvas with what the video shows now. */
export function drawFrame(video: HTMLVideoElement): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  return canvas
}

let lastPicture = { second: '', count: 0 }

/** The moment as part of a picture's file name, with a number from the second one of the same second on. */
export function stamp(): string {
  const second = now().toISOString().slice(0, 19).replace(/[T:]/g, '-')
  lastPicture = { second, count: second === lastPicture.second ? lastPicture.count + 1 : 1 }
  return lastPicture.count === 1 ? second : `${second}-${lastPicture.count}`
}
