import { DEVICE_KEYS } from '#src/device/keys.ts'
import * as v from 'valibot'
import type { Scope } from '#src/contract/scalar.ts'
import { Area, ExamDirection } from '#src/contract/structural.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { Userinfo } from '#src/contract/user.ts'

/** Questions in a batch that a student may choose; 20 unless they do (spec.md §9). */
export const CHAPTER_COUNTS = [5, 10, 15, 20, 30, 50, 100] as const
/** The owner of what is done on a device that nobody has logged in on. */
export const VISITOR = 'anon'
export const NATIONWIDE: Area = { key: '0', name: '全国' }

/** localStorage 'user' (spec.md §3). `uid` outlives the token: whoever logged in last owns this device until logout. */
const State = v.object({
  token: v.fallback(v.string(), ''),
  uid: v.fallback(v.nullable(v.string()), null),
  userinfo: v.fallback(v.nullable(Userinfo), null),
  exam: v.fallback(v.nullable(ExamDirection), null),
  area: v.fallback(Area, NATIONWIDE),
  chapterCount: v.fallback(v.picklist(CHAPTER_COUNTS), 20),
})
export type SessionState = v.InferOutput<typeof State>

const listeners = new Set<(state: SessionState) => void>()
let state = read()

function read(): SessionState {
  let stored: unknown = {}
  try {
    stored = JSON.parse(deviceMemory.get(DEVICE_KEYS.session) ?? '{}')
  } catch {
    // Unreadable: start as a visitor rather than not at all.
  }
  const parsed = v.safeParse(State, stored)
  return parsed.success ? parsed.output : v.parse(State, {})
}

function publish(next: SessionState): void {
  state = next
  for (const listener of listeners) listener(state)
}

/** Another tab may have written since, and its event is still on the way: what this one writes goes on from that. */
const latest = (): SessionState => (deviceMemory.get(DEVICE_KEYS.session) === null ? state : read())

function change(patch: Partial<SessionState>): void {
  const next = { ...latest(), ...patch }
  deviceMemory.set(DEVICE_KEYS.session, JSON.stringify(next))
  publish(next)
}

if (typeof window !== 'undefined')
  window.addEventListener('storage', (event) => {
    if (event.key === DEVICE_KEYS.session || event.key === null) publish(read())
  })

/** A direction as it is kept: without what only the choice shows. */
const named = ({ key, name }: ExamDirection): ExamDirection => ({ key, name })

/** Who studies what. The one writer of localStorage 'user'; other tabs' changes arrive through `subscribe`. */
export const session = {
  get: (): SessionState => state,
  /** Calls back after every change, from this tab or another. Returns the way to stop. */
  subscribe(listener: (state: SessionState) => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  loggedIn: (): boolean => state.token !== '',
  /** Whose caches and ops this device works with: `u:<uid>`, also after the token expired, or `anon`. */
  owner: (): string => (state.uid === null ? VISITOR : `u:${state.uid}`),
  /** The three fields that every body carries (spec.md §7). */
  scope: (): Scope => ({ sg_key: state.exam?.key ?? '', area: state.area.key, key: state.exam?.key ?? '' }),

  login: (token: string, uid: string): void =>
    change({ token, uid, userinfo: state.uid === uid ? state.userinfo : null }),
  /** Keeps it if this page's student is still the one who is logged in. A login in another tab since then is left as it is. */
  setUserinfo: (userinfo: Userinfo): void => {
    const now = latest()
    if (now.uid === state.uid) change({ userinfo, uid: userinfo.uid })
    else publish(now)
  },
  /** The server no longer takes the token. The owner stays: studying goes on and waiting ops wait. */
  expire: (token: string): void => {
    if (latest().token === token) change({ token: '' })
  },
  logout: (): void => change({ token: '', uid: null, userinfo: null }),
  setExam: (exam: ExamDirection): void => change({ exam: named(exam) }),
  setChoice: (area: Area, exam: ExamDirection): void => change({ area, exam: named(exam) }),
  setChapterCount: (chapterCount: SessionState['chapterCount']): void => change({ chapterCount }),
}
