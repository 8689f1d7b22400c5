import { deviceMemory } from '#src/device/stores.ts'
import { type Wish, wishOf, wishText } from '#src/domain/course/quality.ts'

/** Of the device, not of a student: whoever uses this phone pays for its data. */
const WIFI_ONLY = 'jk-wifi-only'
/** Also read by ui/text/RichText.tsx. */
const SAVER = 'jk-saver'

/** Of lessons that come in several: 'standard:540'. */
const QUALITY = 'jk-download-quality'

const set = (key: string, value: boolean): void => deviceMemory.set(key, value ? '1' : '0')

export const packSettings = {
  /** On until the student says otherwise. */
  wifiOnly: (): boolean => deviceMemory.get(WIFI_ONLY) !== '0',
  setWifiOnly: (on: boolean): void => set(WIFI_ONLY, on),
  /** 省流模式: pictures only on a tap. */
  saver: (): boolean => deviceMemory.get(SAVER) === '1',
  setSaver: (on: boolean): void => set(SAVER, on),
  /** The quality that lessons are downloaded in; null: nobody has chosen yet. */
  wish: (): Wish | null => wishOf(deviceMemory.get(QUALITY)),
  setWish: (wish: Wish): void => deviceMemory.set(QUALITY, wishText(wish)),
}
