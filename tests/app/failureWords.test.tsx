import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import * as v from 'valibot'
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
import { RouteError } from '#src/app/shell/RouteError.tsx'
import { SyncSheet } from '#src/app/sync/SyncSheet.tsx'
import { AddressForm } from '#src/contract/address.ts'
import type { ExamReport } from '#src/contract/exam.ts'
import { CodeForm, PasswordForm } from '#src/contract/login.ts'
import { ClosingWord, Nickname } from '#src/contract/user.ts'
import { wordsOf } from '#src/domain/app/failureWords.ts'
import { PortraitEditor } from '#src/features/account/portraitEditor/PortraitEditor.tsx'
import { Standing } from '#src/features/exam/parts/Standing.tsx'
import { faultsOf } from '#src/features/login/faults.ts'
import { Told } from '#src/features/login/Told.tsx'
import type { Ended } from '#src/offline/sync/sync.ts'
import { NoExamError } from '#src/features/structural/startup.ts'
import { StorageError } from '#src/offline/device/idb.ts'
import { RescueError } from '#src/offline/record/rescue.ts'
import { createStatus } from '#src/offline/status.ts'
import { DamagedError, GoneError, troubleOf, UnplayableError } from '#src/offline/downloads/downloadErrors.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { Listed } from '#src/ui/list/Listed.tsx'
import { notSent } from '#src/upload/sending.ts'
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
  ['a rescue file', new RescueError('备份文件已损坏，请重新导出')],
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
  [
    'a quota that quotes a note',
    new DOMException("Setting the value of '草稿' exceeded the quota.", 'QuotaExceededError'),
  ],
  ['a browser’s error that quotes a name', new DOMException("Failed to open '错题本'.", 'DataError')],
  ['a contract that quotes a name', named('ValiError', 'Invalid type: Expected "a" but received "张三"')],
  ['a library that quotes a file', named('InvalidPDFException', 'Invalid PDF structure in 讲义.pdf')],
  ['a library’s plain error that quotes a line', new Error('Failed to parse line 3: 第3行')],
  ['a fetch in Firefox', new TypeError('NetworkError when attempting to fetch resource.')],
  ['a fetch in Safari', new TypeError('Load failed')],
  ['a file of the app in Firefox', new TypeError('error loading dynamically imported module: https://a.test/x.js')],
  ['a file of the app in Safari', new TypeError('Importing a module script failed.')],
  ['styles of the app', new Error('Unable to preload CSS for /assets/x.css')],
  ['a wait that was too long', new DOMException('signal timed out', 'TimeoutError')],
  ['what a browser cannot do', new DOMException('The operation is not supported.', 'NotSupportedError')],
  ['a server without directions', new NoExamError()],
  ['a file that went', new DOMException('The requested file could not be read', 'NotReadableError')],
  ['a string', 'boom'],
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['an object', { code: 'E_FAIL', message: 'no such thing' }],
]
const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : named('Error', String(thrown)))

const lastError = async (drained: Ended): Promise<string> => {
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
const SOURCE = { data: undefined, isPending: false, refetch: () => {} }
const PAGES = { hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: true, fetchNextPage: () => {} }
/** A part that needs the page around it: its router and its queries. */
async function shownInPage(part: React.ReactElement): Promise<HTMLElement> {
  const root = createRootRoute({ component: () => part })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  await router.load()
  const { container } = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return container
}
/** The exam's ranking, which the server does not give. */
function Unranked({ thrown }: { thrown: unknown }) {
  const told = useQuery<ExamReport>({ queryKey: ['report'], queryFn: () => Promise.reject(asError(thrown)) })
  return told.isPending ? null : <Standing told={told} exam={{ no: '1', name: '模拟考试', applyCount: '0' }} />
}
async function ranking(thrown: unknown): Promise<string> {
  const page = await shownInPage(<Unranked thrown={thrown} />)
  await screen.findByRole('heading', { name: '排名' })
  return page.querySelector('p')?.textContent ?? ''
}
async function broken(thrown: unknown): Promise<string> {
  await shownInPage(<RouteError error={asError(thrown)} reset={() => {}} />)
  return (await screen.findByRole('alert')).textContent
}
/** What the dialog says once this is done in the sheet of the sync. */
async function warned(act: () => void): Promise<string> {
  const warn = vi.spyOn(feedback, 'warn').mockResolvedValue()
  await shownInPage(<SyncSheet onClose={() => {}} />)
  act()
  await vi.waitFor(() => expect(warn).toHaveBeenCalled())
  return String(warn.mock.lastCall?.[0])
}
const rescued = (thrown: unknown): Promise<string> =>
  warned(() => {
    const file = Object.assign(new File(['{}'], 'rescue.json'), { text: () => Promise.reject(thrown) })
    fireEvent.change(screen.getByLabelText('从备份文件恢复'), { target: { files: [file] } })
  })
async function portrait(thrown: unknown): Promise<string> {
  const createObjectURL = () => {
    throw thrown
  }
  Object.assign(URL, { createObjectURL, revokeObjectURL: () => {} })
  await shownInPage(<PortraitEditor file={new File(['x'], '我.png', { type: 'image/png' })} onClose={() => {}} />)
  return (await screen.findByRole('alert')).textContent
}
/** Every place that shows a failure, by what it shows. */
const PLACES: [string, (thrown: unknown) => string | Promise<string>][] = [
  ['wordsOf', wordsOf],
  ['failureWords', failureWords],
  ['the dialog of an act that failed', told],
  ['a form of the login', (thrown) => shown(<Told error={asError(thrown)} />)],
  ['the card of a screen', (thrown) => shown(<ErrorCard error={thrown} onRetry={() => {}} />)],
  ['a screen that could not be opened', broken],
  [
    'a list',
    (thrown) =>
      shown(
        <Listed rows={[]} keyOf={String} from={{ ...SOURCE, error: thrown }}>
          {String}
        </Listed>,
      ),
  ],
  [
    'the rest of a list',
    (thrown) =>
      shown(
        <Listed rows={['1']} keyOf={String} pages={{ ...PAGES, error: thrown }}>
          {String}
        </Listed>,
      ),
  ],
  ['the ranking of an exam', ranking],
  ['a rescue file that is taken in', rescued],
  ['a portrait', portrait],
  ['an upload that was not begun', (thrown) => faultWords(notSent(thrown))],
  ['the sync, later', (thrown) => lastError({ to: 'later', why: 'offline', afterMs: null, error: asError(thrown) })],
  ['the sync, refused', (thrown) => lastError({ to: 'refused', error: asError(thrown) })],
  ['a download', (thrown) => troubleOf(thrown).message ?? '存储空间不足，请清理后继续'],
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
const WHAT_TO_DO = /请|重试|再|联网|自动/
const LATIN = /[A-Za-z]{2,}/
const ABBREVIATIONS = /\b(?:PDF|VIP|JPG|PNG|WebP|HEIC|MB)\b/g

describe.each(PLACES)('%s', (_, show) => {
  test.each(THROWN)('of %s says in Chinese what happened and what to do', async (__, thrown) => {
    const words = await show(thrown)
    expect(words).toMatch(/\p{Script=Han}{4,}/u)
    expect(words.replaceAll(ABBREVIATIONS, '')).not.toMatch(LATIN)
    expect(words).toMatch(WHAT_TO_DO)
  })
})

test('a dialog beside a form speaks of what the server said, and of nothing else', () => {
  expect(refusalWords(new RefusedError('Bad Request'))).toBe('操作没有成功，请刷新页面后重试')
  expect(refusalWords(new TypeError('x'))).toBeNull()
})

test('nobody who answers is told as a missing network, also where a browser says so', () => {
  for (const text of ['Failed to fetch', 'Load failed', 'NetworkError when attempting to fetch resource.']) {
    expect(wordsOf(new TypeError(text))).toContain('当前没有网络')
    expect(failureWords(new TypeError(text))).toContain('当前没有网络')
  }
  expect(wordsOf(new TypeError('Failed to fetch dynamically imported module: x'))).toContain('没有加载出来')
})

test('a device that is at fault is not told as a fault of the server', () => {
  expect(shown(<ErrorCard error={new StorageError('quota')} onRetry={() => {}} />)).toContain('存储空间不足')
})

test('a field whose schema says something in English is told in Chinese', () => {
  const forms = [PasswordForm, CodeForm, AddressForm, v.object({ word: ClosingWord, nickname: Nickname })]
  for (const form of forms) {
    const faults = Object.values(faultsOf(form, {}) ?? {})
    expect(faults.length).toBeGreaterThan(0)
    for (const fault of faults) expect(fault).toMatch(/^请\p{Script=Han}+$/u)
  }
})

/** Errors whose message no student reads: another text is shown for them, or nothing. */
const SILENT = ['OfflineError', 'GoneError', 'CostlyError', 'AddressEndedError', 'NoWifiError', 'DocumentError']
test('of every class of errors it is decided whether its message is for students', () => {
  const words = readFileSync(path.join(ROOT, 'src/domain/app/failureWords.ts'), 'utf8')
  const speaking = /SPEAKING[^[]*\[([^\]]*)\]/.exec(words)?.[1] ?? ''
  const known = [...speaking.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)
  const classes = sources().flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/class (\w+) extends Error\b/g)].map(([, name = '']) => name),
  )
  expect(classes.sort()).toEqual([...known, ...SILENT].sort())
})

/**
 * Words of an exception go to a student through `wordsOf` alone. Whatever is called a message is looked at, by which name it goes:
 * what is no exception stands in the list.
 */
const RAW = /(?<!classes)\.message\b|\{ message \}|\bString\((?:e|err|error|cause|caught|reason|thrown|fault)\)/g
const NO_FAILURES = [
  // Messages of schemas, of which the Chinese ones alone are taken.
  'features/account/AccountPage.tsx: { message }',
  // The player's library writes it into its own log.
  'features/course/lesson/hls/hls.ts: .message',
  // Of a download, in the words that downloadErrors.ts has found for it.
  'features/question/downloads/allView.ts: .message',
  // The name of the file that is missing is read from it.
  'app/missingChunk.ts: .message',
  // Whether a disk is full is read from it.
  'offline/device/idb.ts: .message',
  // The sync's own state, whose words are told.
  'offline/sync/sync.ts: String(caught)',
  // The text of a question to the student, and of a download.
  'ui/feedback/FeedbackHost.tsx: .message',
  'ui/feedback/feedback.ts: .message',
  'ui/feedback/feedback.ts: .message',
  'ui/feedback/longWork.tsx: .message',
]
const ROOT = path.resolve(import.meta.dirname, '../..')
const sources = (): string[] =>
  readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.join(ROOT, 'src', file))
const rawIn = (name: string, source: string): string[] =>
  [...source.matchAll(RAW)].map(([found]) => `${name}: ${found}`)
test('no file of the app shows what an exception says', () => {
  const files = sources()
  expect(files.length).toBeGreaterThan(300)
  const raw = files.flatMap((file) => rawIn(path.relative(path.join(ROOT, 'src'), file), readFileSync(file, 'utf8')))
  expect(raw.sort()).toEqual(NO_FAILURES.toSorted())
})
test.each([
  '<p>{error.message}</p>',
  'setFault(issues[0].message)',
  'warn(String(caught))',
  'catch(({ message }) => warn(message))',
])('a planted %s is found', (planted) => expect(rawIn('planted.tsx', planted)).toHaveLength(1))
