import * as v from 'valibot'
import { call } from '#src/api/client.ts'
import { RefusedError } from '#src/api/errors.ts'
import { exam, type ExamPaper, type SealedPaper } from '#src/contract/exam.ts'
import { sealOf } from '#src/domain/paper/exam.ts'
import { type SealedExam, sealedExam } from '#src/offline/drafts/exam.ts'
import { readDraft } from '#src/offline/drafts/kind.ts'
import { offline } from '#src/offline/index.ts'

/** What is on this device. */
export const readSealed = (no: string): Promise<SealedExam | null> => readDraft(offline, sealedExam, sealedExam.key(no))
export const dropSealed = (no: string): Promise<void> => offline.dropDraft(sealedExam.key(no)).catch(() => {})

/**
 * The sealed paper is on this device when it resolves; tells how many bytes it has.
 * @param rev as it is published now: another one is replaced.
 */
export async function haveSealed(no: string, rev: string): Promise<number> {
  const kept = await readSealed(no)
  const sealed = kept?.rev === rev ? kept : await call(exam.sealed, { no })
  if (sealed !== kept) await offline.saveDraft({ key: sealedExam.key(no), value: sealed })
  return Math.floor((sealed.box.length * 3) / 4)
}

/**
 * Opens the sealed paper that is on this device, with the key that the server gives from the start on; given once, it stays.
 * Null: there is none, or it is another paper by now.
 * @throws OfflineError when the key is still to be had.
 */
export async function openSealed(no: string): Promise<ExamPaper | null> {
  const kept = await readSealed(no)
  const key = kept && (kept.key ?? (await askKey(kept)))
  if (!kept || !key) return null
  if (!kept.key) await offline.saveDraft({ key: sealedExam.key(no), value: { ...kept, key } }).catch(() => {})
  const json = await decrypt(kept, key).catch(() => null)
  const paper = v.safeParse(exam.paper.output, json)
  return paper.success ? paper.output : null
}

async function askKey({ no, rev }: SealedPaper): Promise<string | null> {
  try {
    return (await call(exam.open, { no, rev })).key
  } catch (error) {
    // Why not, is told by who is asked for the paper itself.
    if (error instanceof RefusedError) return null
    throw error
  }
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))

async function decrypt(sealed: SealedPaper, key: string): Promise<unknown> {
  const opening = await crypto.subtle.importKey('raw', bytesOf(key), 'AES-GCM', false, ['decrypt'])
  const additionalData = new TextEncoder().encode(sealOf(sealed))
  const of = { name: 'AES-GCM', iv: bytesOf(sealed.iv), additionalData }
  return JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt(of, opening, bytesOf(sealed.box))))
}
