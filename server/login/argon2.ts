import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '#server/http/handlers.ts'
import { turns } from '#server/http/turns.ts'

/** argon2id at OWASP's current minimum: 19 MiB, 2 passes, 1 lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Node reads files and compresses on the same four threads: a student who does not log in must not wait for those who do. */
const AT_ONCE = 2
/** The last of so many waits for a few seconds. */
const WAITING = 100
const turn = turns(AT_ONCE, { most: WAITING, full: () => new Refusal('现在登录的人太多，请过几秒再试') })

/** @throws Refusal when too many wait */
export const hashPassword = (password: string): Promise<string> => turn(() => hash(password, ARGON2))
/** @param stored as hashPassword made it @throws Refusal when too many wait */
export const isPassword = (stored: string, password: string): Promise<boolean> => turn(() => verify(stored, password))
