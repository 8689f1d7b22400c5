import path from 'node:path'

/** What an HLS playlist names and how long it is. */
export interface Playlist {
  /** Names relative to itself, each once; nested playlists end in .m3u8. */
  names: string[]
  /** 0 of a playlist of playlists. */
  seconds: number
  /** Chinese: what is wrong. */
  faults: string[]
}

export function readPlaylist(text: string): Playlist {
  const lines = text.split(/\r\n|\n/).map((line) => line.trim())
  const faults: string[] = []
  if (lines[0] !== '#EXTM3U') return { names: [], seconds: 0, faults: ['不是播放列表，第一行应为 #EXTM3U'] }
  const names = new Set<string>()
  let seconds = 0
  for (const line of lines.slice(1)) {
    if (line === '') continue
    seconds += Number(/^#EXTINF:([\d.]+)/.exec(line)?.[1] ?? 0)
    if (/^#EXT-X-(?:SESSION-)?KEY:/.test(line) && !line.includes('METHOD=NONE'))
      faults.push('播放列表是加密的，请用没有加密的文件：谁能看由课程的购买决定')
    const name = line.startsWith('#EXT') ? /[:,]URI="([^"]*)"/.exec(line)?.[1] : line.startsWith('#') ? undefined : line
    if (name !== undefined) names.add(name)
  }
  const ofLists = lines.some((line) => line.startsWith('#EXT-X-STREAM-INF'))
  if (names.size === 0) faults.push('播放列表里没有文件')
  if (!ofLists && !lines.includes('#EXT-X-ENDLIST')) faults.push('播放列表没有结尾 #EXT-X-ENDLIST：不支持直播')
  return { names: [...names], seconds, faults }
}

/** The name, from the first playlist's folder, of what a playlist of that folder names; null when it leads out of it. */
export function within(playlist: string, name: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:|^\/|\\/i.test(name)) return null
  const joined = path.posix.join(path.posix.dirname(playlist), name)
  return joined.startsWith('..') ? null : joined
}
