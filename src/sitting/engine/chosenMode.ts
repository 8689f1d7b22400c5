import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { MODES, type StudyMode } from '#src/domain/study/modes.ts'
import { readDraft } from '#src/offline/drafts/kind.ts'
import { modeOfPaper } from '#src/offline/drafts/sitting.ts'
import { offline } from '#src/offline/index.ts'

export const rememberedMode = (): StudyMode =>
  MODES.find((mode) => mode === deviceMemory.get(DEVICE_KEYS.sittingMode)) ?? 'practice'

/** For the paper, as durable as its answers: a browser that dies within seconds has not written what it remembers for all. */
export async function chooseMode(itemNo: string, mode: StudyMode): Promise<void> {
  deviceMemory.set(DEVICE_KEYS.sittingMode, mode)
  await offline.saveDraft({ key: modeOfPaper.key(itemNo), value: mode }).catch(() => {})
}
export const chosenMode = async (itemNo: string): Promise<StudyMode> =>
  (await readDraft(offline, modeOfPaper, modeOfPaper.key(itemNo))) ?? rememberedMode()
