// Ahead of time: what engines load lazily must not take longer than the world waits.
import { onDisk } from './drafts.ts'
import '#src/offline/afterFirst.ts'
import { v7 as uuidv7 } from 'uuid'
import { vi } from 'vitest'
import { OfflineError, RefusedError, ServerFaultError, UnauthorizedError } from '#src/api/errors.ts'
import type { Earned } from '#src/contract/sitting.ts'
import type { Change, StudyState } from '#src/contract/study.ts'
import type { Send, SyncInput } from '#src/offline/sync/drain.ts'
import { createEngine, type Engine } from '#src/offline/engine.ts'
import type { Database } from '#src/offline/device/idb.ts'
import { ANONYMOUS } from '#src/offline/device/names.ts'
import { earnedBy } from '#src/domain/paper/paper.ts'
import type { Place } from '#src/domain/study/study.ts'
import { createRecord, type StudyRecord } from '#src/offline/record/record.ts'
import { type Act, answerAct, type AnswerFact, openRecord } from '#src/offline/device/rows.ts'
// What the engine fetches later is here before a life begins: else it arrives in the middle of one, where nothing seems to move.
import '#src/offline/afterFirst.ts'
import '#src/offline/record/write/write.ts'
import { writeRescue } from '#src/offline/record/rescue.ts'
import { MODEL_PAPER, type ModelQuestion, modelPaper } from './modelServer.ts'
import { placeIn } from './states.ts'
import { sumsOf } from './sums.ts'

type Answered = Awaited<ReturnType<Send>>
export type Fault = 'ok' | 'drop-before' | 'drop-after' | 'twice' | 'slow' | '500' | '413'
export const ACT_KINDS = [
  'retract',
  'book',
  'cause',
  'collect',
  'note',
  'folder',
  'setting',
  'report',
  'watch',
  'lessonNote',
] as const
type ActKind = (typeof ACT_KINDS)[number]
/** Indices wrap around, so that a list of actions stays meaningful when some are taken out of it. */
export type Action =
  | { do: 'answer'; device: number; tab: number; question: number; right: boolean; draft: boolean }
  /** Everything that is no answer; `how` picks among its ways. */
  | { do: 'act'; device: number; tab: number; question: number; kind: ActKind; how: number }
  /** A sitting with these answers, bit by bit, all at once; again: the same one in another tab. */
  | { do: 'hand-in'; device: number; tab: number; answers: number; right: number; again: boolean }
  | { do: 'self-mark'; device: number; tab: number; how: number }
  | { do: 'sync'; device: number; tab: number }
  /** What becomes of this device's next calls. */
  | { do: 'wire'; device: number; faults: Fault[] }
  /** The device dies at its `after`-th await of disk or network from now on, and is switched on again. */
  | { do: 'crash'; device: number; after: number }
  | { do: 'expire'; student: number }
  /** `student` null: logs out. An old tab may stay open with the page of whoever was there before. */
  | { do: 'login'; device: number; student: number | null; waiting: 'send' | 'keep' | 'discard'; oldTab: boolean }
  | { do: 'open-tab'; device: number }
  | { do: 'merge'; device: number }
  | { do: 'rescue'; from: number; to: number }
  /** Answers that hang on the network arrive, the last one first. */
  | { do: 'deliver' }
  /** The network brings an old request once more. */
  | { do: 'replay'; request: number }
  | { do: 'restart-server' }
  | { do: 'server-release'; old: boolean }
  | { do: 'jump'; device: number; ms: number }
  | { do: 'pass'; ms: number }
  | { do: 'together'; actions: Action[] }

export interface WorldParts {
  devices: number
  /** uids */
  students: readonly string[]
  questions: readonly ModelQuestion[]
  /** Numbers that no server knows. */
  unknown: readonly string[]
  /** Null: the batch is refused as a whole. */
  sync: (uid: string, input: SyncInput, now: number) => Promise<Answered | null>
  release: { old: boolean }
  startsAt: number
  /** A fault planted in the device: called with every batch before it is sent. */
  beforeSend?: (db: Database, owner: string, input: SyncInput) => Promise<unknown>
}
/** What the test knows of one answer. Its number travels as `spentMs`, so it can be told from every other. */
export interface Given {
  n: number
  device: number
  questionNo: string
  owner: string
  /** recordAnswer resolved: the student was told "saved". */
  saved: boolean
  /** The student chose 放弃 while it might have been waiting. */
  givenUp: boolean
  /** Once it is saved. */
  opId: string
  /** The student took it back, or tried to. */
  retracted: boolean
  /** By the device's clock. */
  at: number
  right: boolean
  /** Moments of the test: when it was begun, and when it was said to be saved. */
  begun: number
  ended: number
}
/** What the test knows of one sitting. */
export interface HandedIn {
  attemptId: string
  device: number
  owner: string
  /** Its answers, by number. */
  ns: number[]
  earned: Earned
  saved: boolean
  givenUp: boolean
}
/** What the test knows of an act that is no answer and was said to be saved. */
interface Acted {
  opId: string
  device: number
  owner: string
  givenUp: boolean
}
interface Tab {
  engine: Engine
  owner: string
  gone: boolean
  /** Resolves when it is gone. */
  end: Promise<void>
  close: () => void
}
interface Device {
  no: number
  factory: IDBFactory
  record: StudyRecord
  /** `uid` outlives the token, as in session.ts. */
  session: { uid: string | null; epoch: number | null }
  tabs: Tab[]
  skewMs: number
  faults: Fault[]
  crashIn: number | null
  /** Last draft that was said to be saved, by owner and key, and later ones whose saving was cut off. */
  drafts: Map<string, { saved: number | null; maybe: number[] }>
}

const NEVER = new Promise<never>(() => {})
const LOGOUT_MS = 5_000
/** No timer of the engine waits longer than its longest back-off. */
const LONGEST_TIMER_MS = 61_000
const MAX_TURNS = 2_000_000
const ownerOf = (uid: string | null): string => (uid === null ? ANONYMOUS : `u:${uid}`)
const immediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Devices with tabs, students and one server, all in this process and without real time: the real engines on a fake
 * IndexedDB per device. Needs vitest's fake timers, and no BroadcastChannel and no Web Locks, so that drainers meet.
 */
export function createWorld(parts: WorldParts) {
  const { students, questions } = parts
  const asked = [...questions.map((question) => question.no), ...parts.unknown]
  let now = parts.startsAt
  let numbers = 0
  let moments = 0
  const rescued = new Set<string>()
  /** Disk and network work under way, without answers that hang. */
  let busy = 0
  const given: Given[] = []
  const handedIn: HandedIn[] = []
  /** Sittings that a device took twice. */
  const doubles: string[] = []
  const paper = modelPaper(questions)
  const acted: Acted[] = []
  const requests: { uid: string; input: SyncInput }[] = []
  const epochs = new Map(students.map((uid) => [uid, 0]))
  let held: { arrive: () => void; lose: () => void }[] = []
  const devices = Array.from({ length: parts.devices }, (_, no) => makeDevice(no))

  function makeDevice(no: number): Device {
    const factory = new IDBFactory()
    const session = { uid: students[no % students.length] ?? null, epoch: 0 }
    const record = createRecord(on(factory, openRecord()))
    const drafts: Device['drafts'] = new Map()
    return { no, factory, record, session, tabs: [], skewMs: 0, faults: [], crashIn: null, drafts }
  }

  /** The database of this device, whichever one was used last. */
  function on(factory: IDBFactory, db: Database): Database {
    return {
      close: db.close,
      run: (...args) => {
        globalThis.indexedDB = factory
        return tracked(db.run(...args))
      },
    }
  }

  function tracked<T>(work: Promise<T>): Promise<T> {
    busy++
    void work.then(
      () => busy--,
      () => busy--,
    )
    return work
  }

  /** Resolves when nothing moves any more without a timer or the network's delayed answers. */
  async function settled(): Promise<void> {
    for (let calm = 0, turns = 0; calm < 3; turns++) {
      await immediate()
      if (turns > MAX_TURNS) throw new Error('it never comes to rest')
      calm = busy === 0 ? calm + 1 : 0
    }
  }

  function die(device: Device): void {
    device.crashIn = null
    closeAll(device)
  }
  function closeAll(device: Device): void {
    for (const tab of device.tabs.splice(0)) tab.close()
  }
  /** An await of disk or network: here a device that is to die dies. */
  function point(device: Device): boolean {
    if (device.crashIn === null || device.crashIn-- > 0) return false
    die(device)
    return true
  }

  /** A page's database: the page hears nothing more once it is gone, and what it had not committed is undone. */
  function mortal(device: Device, tab: () => Tab | undefined): Database {
    const db = on(device.factory, openRecord())
    const gone = () => tab()?.gone ?? false
    return {
      close: db.close,
      run: async (stores, mode, body) => {
        if (gone() || point(device)) return NEVER
        try {
          const result = await db.run(stores, mode, async (tx) => {
            if (gone()) throw new Error('nobody is there')
            const value = await body(tx)
            if (gone() || !point(device)) return value
            tx.abort()
            throw new Error('died before the commit')
          })
          if (gone() || point(device)) return await NEVER
          return result
        } catch (error) {
          if (gone()) return NEVER
          throw error
        }
      },
    }
  }

  function wire(device: Device, db: Database, tab: () => Tab | undefined): Send {
    const gone = () => tab()?.gone ?? false
    const cross = async (sent: SyncInput): Promise<Answered> => {
      const input: SyncInput = JSON.parse(JSON.stringify(sent))
      const fault = device.faults.shift() ?? 'ok'
      if (fault === 'drop-before') throw new OfflineError('the wire is cut')
      if (fault === '500') throw new ServerFaultError(500)
      if (fault === '413' && input.ops.length > 1) throw new ServerFaultError(413)
      const { uid, epoch } = device.session
      if (uid === null || epoch === null || epoch !== epochs.get(uid)) {
        if (device.session.uid === uid) device.session.epoch = null
        throw new UnauthorizedError()
      }
      requests.push({ uid, input })
      let answer = await parts.sync(uid, input, now)
      if (fault === 'twice') answer = await parts.sync(uid, input, now)
      if (!answer) throw new RefusedError('another student’s ops')
      if (fault === 'drop-after') throw new OfflineError('the answer is lost')
      if (fault === 'slow') {
        const waiting = new Promise<void>((resolve, reject) => {
          held.push({ arrive: resolve, lose: () => reject(new OfflineError('the server went away')) })
        })
        busy--
        await waiting.finally(() => busy++)
      }
      return answer
    }
    return async (input) => {
      await parts.beforeSend?.(db, `u:${input.owner}`, input)
      if (gone() || point(device)) return NEVER
      try {
        const answer = await tracked(cross(input))
        return gone() || point(device) ? await NEVER : answer
      } catch (error) {
        if (gone()) return NEVER
        throw error
      }
    }
  }

  function openTab(device: Device): Tab {
    let tab: Tab | undefined
    const db = mortal(device, () => tab)
    const owner = ownerOf(device.session.uid)
    const engine = createEngine({
      db,
      owner,
      loggedIn: () => device.session.epoch !== null,
      scope: () => ({ sg_key: 'jg', area: '0', key: 'jg' }),
      send: wire(device, db, () => tab),
      now: () => now + device.skewMs,
      // Whatever is done to the clock.
      steady: () => now,
      random: () => 0.5,
    })
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const opened: Tab = {
      engine,
      owner,
      gone: false,
      end,
      close: () => {
        opened.gone = true
        engine.close()
        resolve()
      },
    }
    tab = opened
    device.tabs.push(opened)
    engine.start()
    return opened
  }

  const deviceOf = (no: number): Device => devices[no % devices.length] ?? makeDevice(no)
  const tabOf = (device: Device, no = 0): Tab => device.tabs[no % device.tabs.length] ?? openTab(device)
  /** Starts something a student does; whether it fails is theirs to see. */
  const begin = (work: Promise<unknown>): void => void work.catch(() => {})

  /** An answer about to be given. */
  function giving(device: Device, tab: Tab, questionNo: string, right: boolean): { one: Given; fact: AnswerFact } {
    const question = questions.find((each) => each.no === questionNo)
    const rightId = question?.rightId ?? 'A'
    const one: Given = {
      n: ++numbers,
      device: device.no,
      questionNo,
      owner: tab.owner,
      saved: false,
      givenUp: false,
      opId: '',
      retracted: false,
      at: now + device.skewMs,
      begun: ++moments,
      ended: 0,
      right: right && question !== undefined,
    }
    given.push(one)
    const fact: AnswerFact = {
      questionNo,
      right: one.right,
      response: { kind: 'choice', ids: [right ? rightId : 'D'] },
      spentMs: one.n,
      from: 'library',
      version: 1,
      place: placeOf(question),
    }
    return { one, fact }
  }

  function answer(action: Action & { do: 'answer' }): void {
    const device = deviceOf(action.device)
    const tab = tabOf(device, action.tab)
    const questionNo = asked[action.question % asked.length] ?? ''
    const { one, fact } = giving(device, tab, questionNo, action.right)
    const key = `batch:${questionNo}`
    const draft = action.draft ? { key: onDisk<number>(key), value: one.n } : undefined
    const saved = tab.engine.recordAnswer(fact, draft)
    const place = `${tab.owner} ${key}`
    const known = device.drafts.get(place) ?? { saved: null, maybe: [] }
    if (draft) device.drafts.set(place, { ...known, maybe: [...known.maybe, one.n] })
    begin(
      saved.then((opId) => {
        Object.assign(one, { saved: true, opId, ended: ++moments })
        if (draft) device.drafts.set(place, { saved: one.n, maybe: [] })
      }),
    )
  }

  /** Answers and hand-in in one write. */
  function handIn(action: Action & { do: 'hand-in' }): void {
    const device = deviceOf(action.device)
    const tab = tabOf(device, action.tab)
    const nos = asked.filter((_, i) => (action.answers >> i) & 1)
    const answers = nos.map((no, i) => ({
      ...giving(device, tab, no, ((action.right >> i) & 1) === 1),
      opId: uuidv7(),
    }))
    const earned = earnedBy(paper, new Map(answers.map(({ fact }) => [fact.questionNo, fact.response])))
    const one: HandedIn = {
      attemptId: uuidv7(),
      device: device.no,
      owner: tab.owner,
      ns: answers.map((each) => each.one.n),
      earned,
      saved: false,
      givenUp: false,
    }
    handedIn.push(one)
    const payload = {
      attemptId: one.attemptId,
      answers: answers.map(({ opId }) => opId),
      paper: MODEL_PAPER,
      mode: 'exam' as const,
      tookMs: 60_000,
      spentMs: one.ns.length,
    }
    const act: Act = { kind: 'handIn', payload, earned }
    const acts = [...answers.map(({ fact, opId }) => answerAct({ ...fact, from: 'set', opId })), act]
    begin(
      tab.engine.addAll(acts).then(() => {
        one.saved = true
        for (const { one: each, opId } of answers) Object.assign(each, { saved: true, opId, ended: ++moments })
      }),
    )
    // Nothing of it is written: had it been, the same op ids would not go onto the disk a second time.
    if (action.again) begin(tab.engine.addAll(acts).then((ids) => ids.length > 0 && doubles.push(one.attemptId)))
  }

  /** An answer more, for a sitting that is handed in on this device; none of its questions is an essay. */
  async function selfMark(action: Action & { do: 'self-mark' }): Promise<void> {
    const device = deviceOf(action.device)
    const tab = tabOf(device, action.tab)
    const mine = handedIn.filter((one) => one.device === device.no && one.owner === tab.owner && one.saved)
    const sitting = mine.at(-1 - (action.how % 3))
    const known = sitting && (await tracked(device.record.things(tab.owner, 'attempt')))
    if (!sitting || !known?.has(sitting.attemptId)) return
    const { one, fact } = giving(device, tab, asked[action.how % asked.length] ?? '', action.how % 2 === 0)
    const opId = uuidv7()
    const payload = { attemptId: sitting.attemptId, answers: [opId] }
    const acts: Act[] = [
      answerAct({ ...fact, from: 'set', opId }),
      { kind: 'selfMark', payload, earned: sitting.earned },
    ]
    begin(tab.engine.addAll(acts).then(() => void Object.assign(one, { saved: true, opId, ended: ++moments })))
  }

  const placeOf = (question: ModelQuestion | undefined): Place => {
    const { chapterNo, libraryNo, type, points } = question ?? placeIn('gone')
    return { chapterNo, libraryNo, type, points }
  }

  /** Of what a screen would offer; nothing when there is nothing to act on. */
  async function act(action: Action & { do: 'act' }): Promise<void> {
    const device = deviceOf(action.device)
    const tab = tabOf(device, action.tab)
    const { how } = action
    const questionNo = asked[action.question % asked.length] ?? ''
    const place = placeOf(questions.find((each) => each.no === questionNo))
    const state = await tracked(device.record.states(tab.owner, [questionNo])).then((states) => states.get(questionNo))
    const over = (held: readonly { opId: string }[] = []) => held.map(({ opId }) => opId)
    const ways: Record<ActKind, () => Act | null> = {
      retract: () => retraction(device, tab.owner, how),
      book: () => ({ kind: 'book', payload: { questionNo, in: how % 2 === 0 }, place }),
      cause: () => ({ kind: 'cause', payload: { questionNo, cause: how % 3 === 0 ? '' : 'guess' }, place }),
      collect: () => ({
        kind: 'collect',
        payload: { questionNo, folder: how % 3 === 0 ? null : `f${how % 2}`, over: over(state?.collected) },
        place,
      }),
      note: () => ({
        kind: 'note',
        payload: { questionNo, text: how % 4 === 0 ? '' : `第${++numbers}条`, over: over(state?.notes) },
        place,
      }),
      folder: () => ({ kind: 'folder', payload: { no: `f${how % 2}`, name: how % 5 === 0 ? '' : `夹${how}` } }),
      setting: () => ({ kind: 'setting', payload: { name: 'dayGoal', value: 1 + how } }),
      report: () => ({ kind: 'report', payload: { questionNo, version: 1, reason: 'stem', text: `第${++numbers}处` } }),
      watch: () => ({
        kind: 'watch',
        payload: { courseNo: 'C', lessonNo: `C_l${how % 2}`, watched: [[how, how + 7]], position: how + 7 },
      }),
      lessonNote: () => ({
        kind: 'lessonNote',
        payload: {
          noteNo: `018f0000-0000-7000-8000-0000000000b${how % 3}`,
          courseNo: 'C',
          lessonNo: `C_l${how % 2}`,
          ofKind: 'audio',
          titles: ['C 课程', '课时'],
          second: how,
          text: how % 4 === 0 ? '' : `第${++numbers}条`,
        },
      }),
    }
    const made = ways[action.kind]()
    if (!made) return
    const { owner } = tab
    begin(tab.engine.add(made).then((opId) => acted.push({ opId, device: device.no, owner, givenUp: false })))
  }

  /** Takes back one of the last answers that were saved here. */
  function retraction(device: Device, owner: string, how: number): Act | null {
    const mine = given.filter(
      (one) => one.device === device.no && one.owner === owner && one.saved && !one.givenUp && !one.retracted,
    )
    const one = mine.at(-1 - (how % 3))
    if (!one) return null
    one.retracted = true
    const { n, questionNo, opId } = one
    const place = placeOf(questions.find((each) => each.no === questionNo))
    return {
      kind: 'retract',
      payload: { questionNo, target: opId },
      place,
      undone: { at: one.at, right: one.right, spentMs: n },
    }
  }

  async function login(action: Action & { do: 'login' }): Promise<void> {
    const device = deviceOf(action.device)
    const tab = tabOf(device)
    if (action.oldTab && device.tabs.length === 1) openTab(device)
    // After an expired token one logs in without having logged out.
    if (tab.owner !== ANONYMOUS && device.session.epoch !== null) {
      if (action.waiting === 'discard') {
        const waiting = await device.record.waiting(tab.owner)
        const lost = new Set(waiting.flatMap((op) => (op.kind === 'answer' ? [op.payload.spentMs] : [])))
        for (const one of given) if (lost.has(one.n)) one.givenUp = true
        for (const one of handedIn) if (one.device === device.no && one.owner === tab.owner) one.givenUp = true
        const gone = new Set(waiting.map(({ opId }) => opId))
        for (const one of acted) if (gone.has(one.opId)) one.givenUp = true
      }
      const { engine } = tab
      begin(
        action.waiting === 'send' ? engine.sendSoon().then(() => engine.logout('keep')) : engine.logout(action.waiting),
      )
      await settled()
      pass(LOGOUT_MS)
      await settled()
    }
    const old = action.oldTab ? device.tabs.at(-1) : undefined
    for (const each of device.tabs.splice(0)) if (each !== old) each.close()
    const uid = action.student === null ? null : (students[action.student % students.length] ?? null)
    device.session = { uid, epoch: uid === null ? null : (epochs.get(uid) ?? null) }
    openTab(device)
    if (old) device.tabs.push(old)
  }

  async function merge(device: Device): Promise<void> {
    const tab = tabOf(device)
    if (tab.owner === ANONYMOUS) return
    begin(tab.engine.adoptVisitor())
    await settled()
    // A crash may have come before or after: what the disk says counts, but never half of it.
    if ((await device.record.waiting(ANONYMOUS)).length > 0) return
    for (const one of [...given, ...handedIn, ...acted])
      if (one.device === device.no && one.owner === ANONYMOUS) one.owner = tab.owner
    for (const [place, draft] of [...device.drafts].filter(([place]) => place.startsWith(`${ANONYMOUS} `))) {
      const mine = place.replace(ANONYMOUS, tab.owner)
      if (!device.drafts.has(mine)) device.drafts.set(mine, draft)
      device.drafts.delete(place)
    }
  }

  async function rescue(from: Device, to: Device): Promise<void> {
    const { owner } = tabOf(from)
    rescued.add(owner)
    const file = await writeRescue(owner, await from.record.waiting(owner))
    const target = tabOf(to)
    const taken = target.engine.importRescue(await file.text()).catch(() => {})
    await tracked(Promise.race([taken, target.end]))
  }

  function deliver(): void {
    for (const each of held.splice(0).toReversed()) each.arrive()
  }
  function pass(ms: number): void {
    now += ms
    vi.advanceTimersByTime(Math.min(ms, LONGEST_TIMER_MS))
  }

  async function start(action: Action): Promise<void> {
    switch (action.do) {
      case 'answer':
        return answer(action)
      case 'act':
        return act(action)
      case 'hand-in':
        return handIn(action)
      case 'self-mark':
        return selfMark(action)
      case 'sync':
        return begin(tabOf(deviceOf(action.device), action.tab).engine.syncNow())
      case 'wire':
        return void deviceOf(action.device).faults.push(...action.faults)
      case 'crash':
        return void (deviceOf(action.device).crashIn = action.after)
      case 'expire': {
        const uid = students[action.student % students.length] ?? ''
        return void epochs.set(uid, (epochs.get(uid) ?? 0) + 1)
      }
      case 'login':
        return login(action)
      case 'open-tab':
        return void openTab(deviceOf(action.device))
      case 'merge':
        return merge(deviceOf(action.device))
      case 'rescue':
        return rescue(deviceOf(action.from), deviceOf(action.to))
      case 'deliver':
        return deliver()
      case 'replay': {
        const old = requests[action.request % requests.length]
        return old && void (await tracked(parts.sync(old.uid, old.input, now)))
      }
      case 'restart-server':
        for (const each of held.splice(0)) each.lose()
        return
      case 'server-release':
        return void (parts.release.old = action.old)
      case 'jump':
        return void (deviceOf(action.device).skewMs += action.ms)
      case 'pass':
        return pass(action.ms)
      case 'together':
        return void (await Promise.all(action.actions.map(start)))
      default:
        action satisfies never
    }
  }

  /** Every network heals, everybody logs in everywhere, twice, so that all have seen all. */
  async function heal(): Promise<void> {
    parts.release.old = false
    deliver()
    await settled()
    for (const device of devices) {
      device.crashIn = null
      device.faults = []
    }
    for (let round = 0; round < 2; round++)
      for (const device of devices)
        for (const uid of students) {
          closeAll(device)
          device.session = { uid, epoch: epochs.get(uid) ?? 0 }
          openTab(device)
          await settled()
        }
  }

  return {
    devices,
    given,
    handedIn,
    doubles,
    /** Owners some of whose ops came back from a file, which says nothing of any order. */
    rescued,
    acted,
    students,
    questions,
    act: async (action: Action): Promise<void> => {
      await start(action)
      await settled()
    },
    heal,
    settled,
    /** A page of this student on this device, opened anew. */
    visit: async (device: Device, uid: string): Promise<Engine> => {
      closeAll(device)
      device.session = { uid, epoch: epochs.get(uid) ?? 0 }
      const { engine } = openTab(device)
      await settled()
      return engine
    },
    views: (device: Device, owner: string): Promise<Map<string, StudyState>> => device.record.states(owner, asked),
    /** What the server and this device agree on in the end. */
    record: async (device: Device, uid: string): Promise<Change[]> => {
      const owner = ownerOf(uid)
      const states = await device.record.states(owner, asked)
      const things = await Promise.all(
        (['day', 'folder', 'setting', 'attempt', 'report', 'lesson', 'lessonNote'] as const).map(async (kind) =>
          [...(await device.record.things(owner, kind))].map(([id, body]) => ({ kind, id, body }) as Change),
        ),
      )
      return [...[...states.values()].map((state): Change => ({ kind: 'state', state })), ...things.flat()]
    },
    sums: (device: Device, owner: string) => sumsOf((detail) => device.record.allCounters(owner, detail)),
    close: (): void => {
      held = []
      for (const device of devices) closeAll(device)
      // A page that died in the middle of a drain has left its beat behind.
      vi.clearAllTimers()
    },
  }
}
export type World = ReturnType<typeof createWorld>
