import { DEVICE_KEYS, type DeviceKey } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { type Wish, wishOf, wishText } from '#src/domain/course/quality.ts'

const set = (key: DeviceKey, value: boolean): void => deviceMemory.set(key, value ? '1' : '0')

export const packSettings = {
  /** On until the student says otherwise. */
  wifiOnly: (): boolean => deviceMemory.get(DEVICE_KEYS.wifiOnly) !== '0',
  setWifiOnly: (on: boolean): void => set(DEVICE_KEYS.wifiOnly, on),
  /** 省流模式: pictures only on a tap. */
  saver: (): boolean => deviceMemory.get(DEVICE_KEYS.saver) === '1',
  setSaver: (on: boolean): void => set(DEVICE_KEYS.saver, on),
  /** The quality that lessons are downloaded in; null: nobody has chosen yet. */
  wish: (): Wish | null => wishOf(deviceMemory.get(DEVICE_KEYS.downloadQuality)),
  setWish: (wish: Wish): void => deviceMemory.set(DEVICE_KEYS.downloadQuality, wishText(wish)),
}
