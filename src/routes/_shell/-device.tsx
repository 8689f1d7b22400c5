import { Suspense } from 'react'
import { PackSettings } from '#src/features/question/downloads/PackSettings.tsx'
import { optional } from '#src/ui/optional.ts'
import { Kept } from './course/-kept.tsx'

const DeviceSettings = optional(() => import('#src/player/tools/DeviceSettings.tsx').then((m) => m.DeviceSettings))

/** Shows how this device shows questions, and what it holds: question packs, and lessons. */
export const deviceParts = {
  display: (
    <Suspense>
      <DeviceSettings />
    </Suspense>
  ),
  storage: (
    <>
      <PackSettings />
      <Kept />
    </>
  ),
}
