import path from 'node:path'
import { findFfmpeg } from '#server/content/media/ffmpeg.ts'
import { makeMedia } from '#server/content/media/makeMedia.ts'
import { mendCommand } from '#server/content/media/transcode.ts'
import { FileFault } from '#server/content/draft.ts'
import type { Progress } from '#server/content/progress.ts'

const SOUND = /\.(?:mp3|m4a|aac|wav|flac|ogg|opus|wma|amr)$/i
const kindOf = (file: string) => (SOUND.test(file) ? 'audio' : 'video')

/** Says how to do elsewhere what cannot be done here. */
const elsewhere = (files: readonly string[]): string[] => [
  '这台电脑上没有 ffmpeg 和 ffprobe（装好后重试，或用 --ffmpeg 写出 ffmpeg 的路径）。也可以在装了它的电脑上执行：',
  ...files.map((file) => mendCommand(file, kindOf(file))),
]

interface MediaSettings {
  /** Where ffmpeg is; '': as the system finds it. */
  ffmpeg: string
  progress: Progress
  /** Before anything else is written. */
  clear: () => void
  tell: (line: string) => void
  asJson: boolean
}

/** Makes of each file what phones play. Returns the exit code; one file that is no good does not stop the others. */
export async function runMedia(files: readonly string[], settings: MediaSettings): Promise<number> {
  const { ffmpeg, progress, clear, tell, asJson } = settings
  const tools = await findFfmpeg(ffmpeg)
  if (!tools) {
    const lines = elsewhere(files)
    tell(asJson ? JSON.stringify({ error: lines[0], commands: lines.slice(1) }) : lines.join('\n'))
    return 1
  }
  let code = 0
  for (const file of files) {
    try {
      const { media, cover, kept } = await makeMedia(tools, file, progress)
      clear()
      tell(asJson ? JSON.stringify({ file, media, cover, kept }) : made(file, { media, cover, kept }))
    } catch (error) {
      if (!(error instanceof FileFault)) throw error
      clear()
      code = 1
      tell(asJson ? JSON.stringify({ file, error: error.message }) : `${file}：${error.message}`)
    }
  }
  return code
}

/** A course's file names it so, beside the source. */
function made(file: string, { media, cover, kept }: { media: string[]; cover: string | null; kept: number }): string {
  const named = (each: string) => JSON.stringify(path.relative(path.dirname(file), each))
  const before = kept > 0 ? `（${kept} 个上次已经转好）` : ''
  return [
    `${file}：已转好${before}`,
    `  "media": [${media.map(named).join(', ')}]`,
    ...(cover ? [`  "cover": ${named(cover)}`] : []),
  ].join('\n')
}

/** Files that were refused are mended by this command, or by ffmpeg's own where that is not installed. */
export async function mendLines(
  files: readonly { file: string; kind: 'video' | 'audio' }[],
  ffmpeg: string,
): Promise<string[]> {
  if (files.length === 0) return []
  if (await findFfmpeg(ffmpeg))
    return ['这些文件可以这样转好：', ...files.map(({ file }) => `  npm run content -- media ${JSON.stringify(file)}`)]
  return [
    '这些文件可以在装了 ffmpeg 的电脑上这样转好（这台电脑上没有）：',
    ...files.map(({ file, kind }) => `  ${mendCommand(file, kind)}`),
  ]
}
