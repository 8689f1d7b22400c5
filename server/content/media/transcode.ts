/** What ffprobe says of a file that is to be made into what phones play. */
export interface SourceMedia {
  seconds: number
  /** Of its picture as it is shown, px; null: there is none. */
  picture: { width: number; height: number; fps: number } | null
  sound: boolean
}
/** What loudnorm measured of a file. */
export interface Loudness {
  input_i: string
  input_tp: string
  input_lra: string
  input_thresh: string
  target_offset: string
}

/** Lines of a picture by its shorter side, and kbit/s at most. */
const RENDITIONS = [
  { lines: 360, kbits: 700 },
  { lines: 540, kbits: 1_400 },
  { lines: 720, kbits: 2_500 },
] as const
/** What phones decode without warming up. */
const FPS_MAX = 30
const SOUND = 'loudnorm=I=-16:TP=-1.5:LRA=20'
const TO_SOUND = ['-c:a', 'aac', '-b:a', '96k', '-ac', '2']
/** Titles, chapters and places where it was filmed are nobody's business. */
const BARE = ['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1']
const AT_FRONT = ['-movflags', '+faststart', '-f', 'mp4']

export interface Output {
  /** Of the file, below the folder that is made. */
  name: string
  /** The shorter side, px; 0: sound alone. */
  lines: number
  kbits: number
}

/** None is larger than the source; a source that is smaller than all stays as large as it is. */
export function outputsOf({ picture }: SourceMedia): Output[] {
  if (!picture) return [{ name: 'sound.m4a', lines: 0, kbits: 0 }]
  const shorter = Math.min(picture.width, picture.height)
  const fitting = RENDITIONS.filter(({ lines }) => lines <= shorter)
  const chosen = fitting.length > 0 ? fitting : [{ ...RENDITIONS[0], lines: even(shorter) }]
  return chosen.map(({ lines, kbits }) => ({ name: `${lines}p.mp4`, lines, kbits }))
}
const even = (size: number): number => Math.max(2, 2 * Math.floor(size / 2))

/** Listens to the whole sound; what it measured is the last thing that is said. */
export const measureArgs = (file: string): string[] => [
  '-i',
  file,
  ...`-map 0:a:0 -af ${SOUND}:print_format=json -f null -`.split(' '),
]

/** Null: nothing is heard, so there is nothing to be made louder. */
export function loudnessIn(said: string): Loudness | null {
  const json = said.slice(said.lastIndexOf('{'), said.lastIndexOf('}') + 1)
  const read: Partial<Loudness> = JSON.parse(json || '{}')
  const { input_i = '', input_tp = '', input_lra = '', input_thresh = '', target_offset = '' } = read
  const all = { input_i, input_tp, input_lra, input_thresh, target_offset }
  return Object.values(all).every((value) => value !== '' && Number.isFinite(Number(value))) ? all : null
}

const soundFilter = (loudness: Loudness | null): string[] =>
  loudness
    ? [
        '-af',
        `${SOUND}:measured_I=${loudness.input_i}:measured_TP=${loudness.input_tp}:measured_LRA=${loudness.input_lra}` +
          `:measured_thresh=${loudness.input_thresh}:offset=${loudness.target_offset}:linear=true,aresample=48000`,
      ]
    : ['-ar', '48000']

/** The shorter side becomes so many lines; `-2`: the other one follows, and is even. */
const scaled = (lines: string): string =>
  `scale='if(gte(iw,ih),-2,${lines})':'if(gte(iw,ih),${lines},-2)':flags=lanczos`

const pictureArgs = (lines: string, kbits: number, fps: number): string[] => [
  '-vf',
  [
    'yadif=deint=interlaced',
    ...(fps > FPS_MAX + 0.5 ? [`fps=${FPS_MAX}`] : []),
    "scale='trunc(iw*sar/2)*2':ih,setsar=1",
    scaled(lines),
    'format=yuv420p',
  ].join(','),
  ...`-c:v libx264 -profile:v high -preset medium -crf 23 -maxrate ${kbits}k -bufsize ${2 * kbits}k`.split(' '),
  // Jumps are exact to two seconds, wherever a student taps.
  '-force_key_frames',
  'expr:gte(t,n_forced*2)',
]

export function renderArgs(
  file: string,
  { lines, kbits }: Output,
  { picture, sound }: SourceMedia,
  loudness: Loudness | null,
): string[] {
  const heard = sound ? ['-map', '0:a:0', ...soundFilter(loudness), ...TO_SOUND] : []
  const seen = picture ? ['-map', '0:v:0', ...pictureArgs(`${lines}`, kbits, picture.fps)] : []
  return ['-i', file, ...seen, ...heard, ...BARE, ...AT_FRONT]
}

/** A frame that stands for the hundred after a second, as a picture of 16:9 that is no larger than the source. */
export function coverArgs(file: string, at: number, { width, height }: { width: number; height: number }): string[] {
  const lines = even(Math.min(720, width, height))
  const box = `${even((lines * 16) / 9)}:${lines}`
  const filter = `thumbnail=n=100,scale=${box}:force_original_aspect_ratio=decrease,pad=${box}:(ow-iw)/2:(oh-ih)/2,setsar=1`
  return [
    '-ss',
    at.toFixed(2),
    '-i',
    file,
    '-map',
    '0:v:0',
    '-vf',
    filter,
    '-frames:v',
    '1',
    '-q:v',
    '3',
    '-f',
    'mjpeg',
  ]
}

const quoted = (word: string): string =>
  /^[\w./:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
export const commandLine = (words: readonly string[]): string => words.map(quoted).join(' ')

/** One command that makes of a file what phones play, for where there is nothing to look into it. */
export function mendCommand(file: string, kind: 'video' | 'audio'): string {
  const to = file.replace(/\.[^./]*$/, '')
  const sound = ['-map', '0:a:0?', '-af', `${SOUND},aresample=48000`, ...TO_SOUND]
  const picture = ['-map', '0:v:0', ...pictureArgs('min(720,min(iw,ih))', RENDITIONS[2].kbits, 0)]
  const words = kind === 'video' ? [...picture, ...sound] : sound
  return commandLine([
    'ffmpeg',
    '-i',
    file,
    ...words,
    ...BARE,
    ...AT_FRONT,
    kind === 'video' ? `${to}-720p.mp4` : `${to}-new.m4a`,
  ])
}
