import path from 'node:path'

/** What an HLS playlist names and how long it is. */
export interface Playlist {
  /** Names relative to itself, each once; nested playlists end in .m3u8. */
  names: string[]
  /** The playlists that this one lets a device choose from, in its order, each once; lines of the picture where it states them. */
  variants: { name: string; lines: number | null }[]
  /** 0 of a playlist of playlists. */
  seconds: number
  /** Chinese: what is wrong, each once. */
  faults: string[]
}

/** Lists what our player does not do, by the tags that ask for it. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^#EXT-X-(?:SESSION-)?KEY:(?!.*METHOD=NONE)/, '播放列表是加密的，请用没有加密的文件：谁能看由课程的购买决定'],
  [
    /^#EXT-X-MEDIA(?=:.*TYPE=AUDIO)(?=.*[:,]URI=)/,
    '声音与画面分开存放，播放时会没有声音，请把声音合进每种清晰度里再导出',
  ],
  [/^#EXT-X-MEDIA(?=:.*TYPE=VIDEO)(?=.*[:,]URI=)/, '有另外存放的机位或画面，不会被播放，请只留一路画面再导出'],
  [/^#EXT-X-CONTENT-STEERING:/, '带有线路调度（EXT-X-CONTENT-STEERING），会让学生的手机去访问别的网站，请去掉后再导入'],
  [
    /^#EXT-X-DATERANGE:.*(?:com\.apple\.hls\.interstitial|X-ASSET-)/,
    '插有广告或片段（interstitial），不会被播放，请去掉后再导入',
  ],
]

export function readPlaylist(text: string): Playlist {
  const lines = text.split(/\r\n|\n/).map((line) => line.trim())
  const faults = new Set<string>()
  if (lines[0] !== '#EXTM3U')
    return { names: [], variants: [], seconds: 0, faults: ['不是播放列表，第一行应为 #EXTM3U'] }
  const names = new Set<string>()
  const variants = new Map<string, number | null>()
  let seconds = 0
  // The name of a variant stands in the line after its own.
  let offered: string | null = null
  for (const line of lines.slice(1)) {
    if (line === '') continue
    seconds += Number(/^#EXTINF:([\d.]+)/.exec(line)?.[1] ?? 0)
    for (const [asked, reason] of REFUSED) if (asked.test(line)) faults.add(reason)
    const name = line.startsWith('#EXT') ? /[:,]URI="([^"]*)"/.exec(line)?.[1] : line.startsWith('#') ? undefined : line
    if (name !== undefined) names.add(name)
    if (offered !== null && name !== undefined && !line.startsWith('#'))
      if (!variants.has(name)) variants.set(name, linesOf(offered))
    if (line.startsWith('#EXT-X-STREAM-INF:')) offered = line
    else if (!line.startsWith('#')) offered = null
  }
  const ofLists = lines.some((line) => line.startsWith('#EXT-X-STREAM-INF'))
  if (names.size === 0) faults.add('播放列表里没有文件')
  if (!ofLists && !lines.includes('#EXT-X-ENDLIST')) faults.add('播放列表没有结尾 #EXT-X-ENDLIST：不支持直播')
  return {
    names: [...names],
    variants: [...variants].map(([name, lines]) => ({ name, lines })),
    seconds,
    faults: [...faults],
  }
}

/** The shorter side of the picture that a variant says it has; null: it does not say. What is quoted only looks like it. */
function linesOf(offered: string): number | null {
  const [, width = 0, height = 0] =
    /[:,]RESOLUTION=(\d{1,5})x(\d{1,5})(?:,|$)/.exec(offered.replace(/"[^"]*"/g, '')) ?? []
  return Math.min(Number(width), Number(height)) || null
}

/** The name, from the first playlist's folder, of what a playlist of that folder names; null when it leads out of it. */
export function within(playlist: string, name: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:|^\/|\\/i.test(name)) return null
  const joined = path.posix.join(path.posix.dirname(playlist), name)
  return joined.startsWith('..') ? null : joined
}
