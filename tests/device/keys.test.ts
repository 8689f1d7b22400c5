import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { DEVICE_KEYS, courseSpeedKey, orderKey, OWNER_KEYS, smsUntilKey, TAB_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { forgetOwner } from '#src/offline/record/forget.ts'

/** These names lie in students' browsers. */
const ON_DEVICES = `
  user jk-view jk-boot jk-ended jk-chosen jk-banner jk-news-seen jk-news-ahead jk-notice-dismissed jk-installed jk-install-later
  jk-scheme jk-night jk-font jk-lines jk-face jk-eyes jk-split jk-auto-next jk-buzz jk-listening jk-hint-player jk-shuffle jk-setup jk-set-mode
  jk-speed jk-next-lesson jk-subtitles jk-lesson-keys jk-lesson-questions jk-quality jk-note-pauses jk-pdf-paper
  jk-wifi-only jk-saver jk-download-quality jk-packs jk-all-offered jk-skew jk-seen jk-torn worker-writes-v1`
const ownersKeys = (owner: string) => [
  ...Object.values(OWNER_KEYS).map((key) => key(owner)),
  orderKey('book-b1-', owner),
]

test('what a browser keeps is found under the names of earlier releases', () => {
  expect(Object.values(DEVICE_KEYS)).toEqual(ON_DEVICES.trim().split(/\s+/))
  expect(Object.values(TAB_KEYS)).toEqual([
    'jk-entries',
    'jk-courses',
    'jk-unkept-read',
    'jk-chunk-reload',
    'jk-sms-until',
  ])
  expect([courseSpeedKey('c1'), smsUntilKey('new')]).toEqual(['jk-speed:c1', 'jk-sms-untilnew'])
  expect(ownersKeys('u:1').map((key) => key.slice('jk-'.length))).toEqual(
    ['last', 'subject', 'lesson', 'watched', 'waiting', 'lost', 'visitor-left', 'order:book-b1-'].map(
      (name) => `${name}:u:1`,
    ),
  )
})

test('a closed account leaves nothing that is kept by owner, and what is of the device or of others stays', async () => {
  const others = [...ownersKeys('u:11'), ...ownersKeys('anon'), ...Object.values(DEVICE_KEYS)]
  for (const key of [...ownersKeys('u:1'), ...others]) deviceMemory.set(key, '1')
  await forgetOwner('u:1')
  expect(deviceMemory.keys().toSorted()).toEqual(others.toSorted())
})
