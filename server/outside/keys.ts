import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const LEAST_BITS = 2048
/** Alipay's tool hands out keys as one long line without a head. */
const BARE = /^MI[A-Za-z0-9+/=\s]{200,}$/

type Read = (text: string) => KeyObject
/** Each form in which keys are handed out; the first that fits. */
const firstOf =
  (...ways: Read[]): Read =>
  (text) => {
    for (const [at, way] of ways.entries())
      try {
        return way(text)
      } catch (error) {
        if (at === ways.length - 1) throw error
      }
    throw new Error('no way to read a key')
  }
const der = (text: string) => Buffer.from(text, 'base64')
const readPrivate = firstOf(
  createPrivateKey,
  (text) => createPrivateKey({ key: der(text), format: 'der', type: 'pkcs8' }),
  (text) => createPrivateKey({ key: der(text), format: 'der', type: 'pkcs1' }),
)
const readPublic = firstOf(
  (text) => {
    // Node would take the public half of it without a word.
    if (text.includes('PRIVATE KEY')) throw new Error('a private key')
    return createPublicKey(text)
  },
  (text) => createPublicKey({ key: der(text), format: 'der', type: 'spki' }),
)

/** A variable that holds the key itself, or says which file does. Never says in a fault what was in it. */
const keyVariable = (name: string, what: string, read: Read) =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }): KeyObject => {
      const given = dataset.value.replaceAll(String.raw`\n`, '\n').trim()
      const fault = (message: string) => {
        addIssue({ message: `${name} ${message}` })
        return NEVER
      }
      let text = given
      if (!given.includes('-----BEGIN') && !BARE.test(given)) {
        try {
          text = readFileSync(given, 'utf8').trim()
        } catch (error) {
          const code = error instanceof Error && 'code' in error ? String(error.code) : ''
          return fault(`指定的文件无法读取（${code}），应为${what}的文件路径或 PEM 内容`)
        }
      }
      try {
        const key = read(text)
        if (key.asymmetricKeyType !== 'rsa') return fault('应为 RSA 密钥')
        const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
        return bits < LEAST_BITS ? fault(`的密钥只有 ${bits} 位，至少应为 ${LEAST_BITS} 位`) : key
      } catch {
        return fault(`的内容不是${what}（PEM）`)
      }
    }),
  )
export const privateKey = (name: string, what: string) => keyVariable(name, what, readPrivate)
export const publicKey = (name: string, what: string) => keyVariable(name, what, readPublic)

/** Whether the public key is that of the private one: then it is our own, where the provider's belongs. */
export const isPair = (secret: KeyObject, open: KeyObject): boolean => createPublicKey(secret).equals(open)
