import type { Sitting } from '#src/offline/drafts/sitting.ts'
import { sheetDrafts } from './drafts.ts'
import { markedByDevice } from './markedByDevice.ts'
import type { OpenedSitting, Policy } from './policy.ts'
import type { Sheet } from './sheet.ts'

export type OpenedSheet = OpenedSitting<Sheet, Sitting>
export interface SheetPolicy extends Policy<Sheet, Sitting> {
  of: Sitting['of']
}

/** Sets and testings share this: the key is on the device, and each sitting counts as much as the first. */
export const sheetPolicy = {
  sealed: null,
  again: true,
  ranked: false,
  marked: markedByDevice,
  drafts: sheetDrafts,
  leave: '退出练习',
} satisfies Partial<SheetPolicy>
