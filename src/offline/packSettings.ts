/** Of the device, not of a student: whoever uses this phone pays for its data. */
const WIFI_ONLY = 'jk-wifi-only'
/** Also read by ui/RichText.tsx. */
const SAVER = 'jk-saver'

const get = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
const set = (key: string, value: boolean): void => {
  try {
    localStorage.setItem(key, value ? '1' : '0')
  } catch {
    // Not remembered: the default stands.
  }
}

export const packSettings = {
  /** On until the student says otherwise. */
  wifiOnly: (): boolean => get(WIFI_ONLY) !== '0',
  setWifiOnly: (on: boolean): void => set(WIFI_ONLY, on),
  /** 省流模式: pictures only on a tap. */
  saver: (): boolean => get(SAVER) === '1',
  setSaver: (on: boolean): void => set(SAVER, on),
}
