/** What the app asks or tells over the page. Anyone may call; FeedbackHost shows. */
interface Question {
  title: string
  message: string
  /** It comes by itself: an Enter meant for something else must not answer it. */
  unasked?: boolean
  /** The first is the safe one; Escape chooses null. */
  actions: readonly { key: string; label: string; tone?: 'primary' | 'danger' | 'plain' }[]
}
/** What can be done about what a notice tells; doing it ends the notice. */
export interface ToastAction {
  label: string
  act: () => void
}
interface Toast {
  id: number
  text: string
  action?: ToastAction | undefined
}
export interface FeedbackState {
  loading: number
  toasts: readonly Toast[]
  question: (Question & { id: number; answer: (key: string | null) => void }) | null
}
const TOAST_MS = 3_500
/** With something to be done about it. */
const TOAST_ACTION_MS = 8_000
/** What a notice tells of may close a dialog in the same moment: it comes after that, because behind a dialog nobody hears it. */
const TOAST_WAIT_MS = 100

/** The title of spec §8, of every dialog that tells something. */
export const NOTICE_TITLE = '提示信息'

let state: FeedbackState = { loading: 0, toasts: [], question: null }
let lastId = 0
const listeners = new Set<() => void>()
const set = (patch: Partial<FeedbackState>): void => {
  state = { ...state, ...patch }
  for (const listener of listeners) listener()
}

/**
 * Asks, and resolves with the chosen action's key, or null. A second question waits for nobody: it replaces the first. What came
 * by itself is told only here, so it comes again when the second has been answered; once, though two should ask for it.
 */
function ask(question: Question): Promise<string | null> {
  const { question: shown } = state
  if (shown && (!shown.unasked || shown.message === question.message)) shown.answer(null)
  const { question: under } = state
  return new Promise((resolve) => {
    const answer = (key: string | null) => {
      set({ question: under })
      resolve(key)
    }
    set({ question: { ...question, id: ++lastId, answer } })
  })
}

function notice(text: string, action?: ToastAction): () => void {
  const id = ++lastId
  const comes = setTimeout(() => set({ toasts: [...state.toasts, { id, text, action }] }), TOAST_WAIT_MS)
  const end = () => {
    clearTimeout(comes)
    clearTimeout(goes)
    if (state.toasts.some((toast) => toast.id === id)) set({ toasts: state.toasts.filter((each) => each.id !== id) })
  }
  const goes = setTimeout(end, TOAST_WAIT_MS + (action ? TOAST_ACTION_MS : TOAST_MS))
  return end
}

export const feedback = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  get: (): FeedbackState => state,
  ask,
  /** The warning dialog of spec.md §8. */
  warn: async (message: string): Promise<void> =>
    void (await ask({ title: NOTICE_TITLE, message, actions: [{ key: 'ok', label: '知道了', tone: 'primary' }] })),
  toast: (text: string): void => void notice(text),
  /** A notice with something to be done about it. Returns the way to end it before its time. */
  offer: (text: string, action: ToastAction): (() => void) => notice(text, action),
  loading: (change: 1 | -1): void => set({ loading: Math.max(0, state.loading + change) }),
}
