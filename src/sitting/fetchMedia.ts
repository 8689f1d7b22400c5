import { keepRecording } from '#src/ui/text/recordings.ts'
import { isRecordingSource, MEDIA_ADDRESSES } from '#src/domain/text/html.ts'

/** Pictures and recordings of a paper come before their questions are reached: the worker keeps them, and the network may go. */
export function fetchMedia(paper: object): void {
  for (const address of new Set(JSON.stringify(paper).match(MEDIA_ADDRESSES))) {
    if (isRecordingSource(address)) keepRecording(address)
    else new Image().src = address
  }
}
