/** Profiles of H.264 that no phone's decoder has: deeper or finer colours than films have. */
const FOREIGN_PROFILES: Record<string, string> = {
  '6E': '10 位色深',
  '7A': '4:2:2 采样',
  F4: '4:4:4 采样',
  '2C': '4:4:4 采样',
}
const PLAIN_PROFILES = new Set(['42', '4D', '58', '64'])

/** Why a codec, as `Probe` writes it, is not to be published; null: every device has it, or `warningOf` says what it lacks. */
export function foreignOf(codec: string): string | null {
  if (codec.startsWith('['))
    return `的编码 ${codec.slice(1, -1).trim()} 多数设备不能播放，请转为 H.264 与 AAC，或 VP9 与 Opus`
  const why = FOREIGN_PROFILES[profileOf(codec)]
  return why === undefined ? null : `的画面是 ${why}的 H.264，手机不能播放，请转为 High 规格、8 位、4:2:0`
}

/** Says why some phones do not play a codec; null where all do. */
export function warningOf(codec: string): string | null {
  const profile = profileOf(codec)
  if (profile !== '' && FOREIGN_PROFILES[profile] === undefined && !PLAIN_PROFILES.has(profile))
    return `的 H.264 规格高于 High，部分手机不能播放`
  // Profile 0 of VP9 and of AV1 has eight bits and 4:2:0 (AV1 ten as well).
  if (/^vp09\.0[1-3]/.test(codec) || /^av01\.[12]|^av01\..*\.1[02]$/.test(codec))
    return `的画面色深或采样较高（${codec}），部分手机不能播放`
  return null
}

const profileOf = (codec: string): string => /^avc1\.(..)/.exec(codec)?.[1] ?? ''
