import * as v from 'valibot'
import { Earned } from '#src/contract/sitting.ts'
import { LISTED_TYPES } from '#src/contract/question.ts'
import { OpRecord } from '#src/contract/study.ts'
import { ANONYMOUS } from '../device/names.ts'
import { isWhole } from '../sync/outbox.ts'
import { firstPlace, type WaitingOp } from '../device/rows.ts'

/** A file of waiting ops that another device, or a later day, can take in; op ids make that safe any number of times. */
const RescueFile = v.object({
  format: v.literal('lijian-rescue/1'),
  owner: v.string(),
  checksum: v.string(),
  ops: v.string(),
})
/** Payloads are checked by the server, op by op, as ever. */
const Ops = v.array(
  v.object({
    ...OpRecord.entries,
    payload: v.record(v.string(), v.unknown()),
    owner: v.string(),
    place: v.exactOptional(
      v.nullable(
        v.object({
          chapterNo: v.nullable(v.string()),
          libraryNo: v.nullable(v.string()),
          type: v.picklist(LISTED_TYPES),
          points: v.array(v.string()),
        }),
      ),
    ),
    // Files of the first version have no place, but these.
    chapterNo: v.exactOptional(v.nullable(v.string())),
    libraryNo: v.exactOptional(v.nullable(v.string())),
    right: v.exactOptional(v.boolean()),
    earned: v.exactOptional(Earned),
    undone: v.exactOptional(v.object({ at: v.number(), right: v.boolean(), spentMs: v.number() })),
    skewMs: v.exactOptional(v.number()),
    parked: v.boolean(),
    acked: v.picklist([0, 1]),
  }),
)

/** The file is damaged, or another student's. The message is for the student. */
export class RescueError extends Error {
  override readonly name = 'RescueError'
}

export async function writeRescue(owner: string, waiting: readonly WaitingOp[]): Promise<Blob> {
  // One row that nobody can read must not make the file unreadable.
  const ops = JSON.stringify(waiting.filter(isWhole))
  const file = { format: 'lijian-rescue/1', owner, checksum: await sha256(ops), ops }
  return new Blob([JSON.stringify(file)], { type: 'application/json' })
}

/** @throws RescueError */
export async function readRescue(owner: string, text: string): Promise<WaitingOp[]> {
  const file = v.safeParse(RescueFile, parsed(text))
  if (!file.success || file.output.checksum !== (await sha256(file.output.ops)))
    throw new RescueError('备份文件已损坏，请重新导出')
  if (file.output.owner !== owner)
    throw new RescueError(
      file.output.owner === ANONYMOUS
        ? '备份文件是未登录时导出的，请先退出登录，恢复后再登录并合并到账号'
        : '备份文件属于另一个账号，请登录原账号后再恢复',
    )
  const ops = v.safeParse(Ops, parsed(file.output.ops))
  if (!ops.success) throw new RescueError('备份文件内容不完整，请重新导出')
  // Another device's measure of time says nothing here.
  return ops.output.map(({ chapterNo = null, libraryNo = null, place, measured: _measured, ...op }) => ({
    ...op,
    place: place === undefined ? firstPlace(chapterNo, libraryNo) : place,
  }))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function sha256(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
