import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  failureWords,
  isCallError,
  OfflineError,
  refusalWords,
  RefusedError,
  ServerFaultError,
  UnauthorizedError,
} from '#src/api/errors.ts'
import { tellFailure } from '#src/app/failures.ts'
import { wordsOf } from '#src/domain/failureWords.ts'
import { Told } from '#src/features/login/Told.tsx'
import type { Drained } from '#src/offline/drain.ts'
import { StorageError } from '#src/offline/idb.ts'
import { RescueError } from '#src/offline/rescue.ts'
import { createStatus } from '#src/offline/status.ts'
import { DamagedError, GoneError, troubleOf, UnplayableError } from '#src/offline/trouble.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { feedback } from '#src/ui/feedback.ts'
import { PictureFault } from '#src/upload/picture.ts'
import { faultWords } from '#src/upload/words.ts'

const named = (name: string, message: string) => Object.assign(new Error(message), { name })
/** What can be thrown at a screen: ours, the browser's, a library's, and what nobody has thought of. */
const THROWN: [string, unknown][] = [
  ['nobody answers', new OfflineError('nobody answered')],
  ['a reader that is not here', new OfflineError('the reader is not on this device')],
  ['a captive portal', new OfflineError('网络返回了无法识别的内容')],
  ['a part that came damaged', new DamagedError()],
  ['a refusal', new RefusedError('优惠券已被领完，请看看别的')],
  ['a refusal in English', new RefusedError('Payload Too Large')],
  ['a refusal without words', new RefusedError('')],
  ['a fault of the server', new ServerFaultError(500)],
  ['a login that is over', new UnauthorizedError()],
  ['a login that was ended', new UnauthorizedError('ended')],
  ['a login that never was', new UnauthorizedError('visitor')],
  ['a full disk', new StorageError('quota')],
  ['a disk that hangs', new StorageError('timeout')],
  ['data of another release', new StorageError('version')],
  ['no storage', new StorageError('unavailable')],
  ['something that was withdrawn', new GoneError()],
  ['a lesson that does not play', new UnplayableError()],
  ['a rescue file', new RescueError('救援文件已损坏，请重新导出')],
  ['a picture', new PictureFault('这张图片打不开，可能已损坏，请换一张。')],
  ['an old fault of ours', new Error('study/sync answered for none of the ops')],
  ['a programmer’s fault', new TypeError("Cannot read properties of undefined (reading 'no')")],
  ['a browser without a network', new TypeError('Failed to fetch')],
  ['a file of the app', new TypeError('Failed to fetch dynamically imported module: https://a.test/assets/x.js')],
  ['a page instead of JSON', new SyntaxError('Unexpected token 公, "公告" is not valid JSON')],
  ['a contract', named('ValiError', 'Invalid type: Expected string but received undefined')],
  ['an element of the page', new DOMException('The play() request was interrupted', 'AbortError')],
  ['a quota', new DOMException('The quota has been exceeded.', 'QuotaExceededError')],
  ['a permission', new DOMException('Permission denied', 'NotAllowedError')],
  ['a security rule', new DOMException('The operation is insecure.', 'SecurityError')],
  ['a database', new DOMException('The database connection is closing.', 'InvalidStateError')],
  ['another version', new DOMException('The requested version is less', 'VersionError')],
  ['a file that went', new DOMException('The requested file could not be read', 'NotReadableError')],
  ['a string', 'boom'],
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['an object', { code: 'E_FAIL', message: 'no such thing' }],
]
const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : named('Error', String(thrown)))

const lastError = async (drained: Drained): Promise<string> => {
  const status = createStatus('v:1', async () => ({ waiting: 1, dead: 0 }), Date.now)
  await status.ended(drained)
  return status.get().lastError
}
/** The words of the first element of this role. */
const shown = (element: React.ReactElement): string => {
  render(element)
  const [alert] = screen.getAllByRole('alert')
  return alert?.textContent ?? ''
}
/** Every place that shows a failure, by what it shows. */
const PLACES: [string, (thrown: unknown) => string | Promise<string>][] = [
  ['wordsOf', wordsOf],
  ['failureWords', failureWords],
  ['the dialog of an act that failed', told],
  ['a form of the login', (thrown) => shown(<Told error={asError(thrown)} />)],
  ['the card of a screen', (thrown) => shown(<ErrorCard error={thrown} onRetry={() => {}} />)],
  ['the sync, later', (thrown) => lastError({ to: 'later', why: 'offline', afterMs: null, error: asError(thrown) })],
  ['the sync, refused', (thrown) => lastError({ to: 'refused', error: asError(thrown) })],
  ['a download', (thrown) => troubleOf(thrown).message ?? '本机空间不足，请清理后继续'],
  [
    'an upload',
    (thrown) => faultWords({ kind: 'told', error: isCallError(thrown) ? thrown : new ServerFaultError(500) }),
  ],
]
async function told(thrown: unknown): Promise<string> {
  vi.stubGlobal('reportError', () => {})
  const warn = vi.spyOn(feedback, 'warn').mockResolvedValue()
  tellFailure(thrown)
  return String(warn.mock.lastCall?.[0])
}
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** What a student can do, or what happens without them. */
const WHAT_TO_DO = /请|重试|再|联网|自动|登录|无法|不能|返回/
const LATIN = /[A-Za-z]{2,}/

describe.each(PLACES)('%s', (_, show) => {
  test.each(THROWN)('of %s says in Chinese what happened and what to do', async (__, thrown) => {
    const words = await show(thrown)
    expect(words).toMatch(/\p{Script=Han}{4,}/u)
    expect(words).not.toMatch(LATIN)
    expect(words).toMatch(WHAT_TO_DO)
  })
})

test('a dialog beside a form speaks of what the server said, and of nothing else', () => {
  expect(refusalWords(new RefusedError('Bad Request'))).toBe('服务器没有接受这次操作，请刷新页面后重试')
  expect(refusalWords(new TypeError('x'))).toBeNull()
})

/** Words of an exception go to a student through `wordsOf` alone. */
const RAW = /\b(?:error|cause|caught|reason|thrown|fault)\.message\b|\bString\((?:error|cause|caught|reason|thrown)\)/
const ROOT = path.resolve(import.meta.dirname, '../..')
test('no file of the app shows what an exception says', () => {
  const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  )
  expect(files.length).toBeGreaterThan(300)
  const raw = files.filter((file) => RAW.test(readFileSync(path.join(ROOT, 'src', file), 'utf8')))
  // The player's library hears it, and the sync's own state, whose words are told.
  expect(raw.sort()).toEqual(['features/course/lesson/hls.ts', 'offline/sync.ts'])
  expect(RAW.test('<p>{error.message}</p>')).toBe(true)
})
