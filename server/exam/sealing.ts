import { createCipheriv, randomBytes } from 'node:crypto'
import type { SealedPaper } from '#src/contract/exam.ts'
import { sealOf } from '#src/domain/paper/exam.ts'

/** AES-256-GCM, its tag at the end as browsers have it. The number and rev are authenticated with it: no paper passes for another. */
export function sealPaper(ref: { no: string; rev: string }, json: string, key: Buffer): SealedPaper {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(sealOf(ref)))
  const box = Buffer.concat([cipher.update(json, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { ...ref, iv: iv.toString('base64'), box: box.toString('base64') }
}
