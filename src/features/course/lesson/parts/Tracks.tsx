import type { Track } from '../tracks.ts'

export const Tracks = ({ tracks }: { tracks: readonly Track[] }) =>
  tracks.map(({ lang, label, src }) => <track key={src} kind="subtitles" srcLang={lang} label={label} src={src} />)
