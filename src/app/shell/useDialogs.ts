import {
  type ComponentType,
  createElement,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { scopeChoice } from '#src/features/structural/scopeChoice.ts'
import { loginRequest } from '#src/session/loginRequest.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'

type DialogOf = ComponentType<{ onClose: () => void }>
/** The question about new agreements comes with the way out of whoever declines. */
async function askAgreed(): Promise<DialogOf> {
  const [{ AskDialog }, { leave }] = await Promise.all([
    import('#src/features/agreement/consent/AskDialog.tsx'),
    import('#src/features/account/leave.ts'),
  ])
  return ({ onClose }) => createElement(AskDialog, { onClose, onDecline: (client) => leave(client, 'keep') })
}
const FILES = {
  login: (): Promise<DialogOf> => import('#src/features/login/dialog/LoginDialog.tsx').then((m) => m.LoginDialog),
  agree: askAgreed,
  scope: (): Promise<DialogOf> => import('#src/features/structural/ScopeDialog.tsx').then((m) => m.ScopeDialog),
}
type Name = keyof typeof FILES

export interface Dialogs {
  shown: { Dialog: DialogOf } | null
  /** The file of one that was asked for is on its way. */
  coming: boolean
  /** The same, before the screen knows of it. */
  isComing: () => boolean
  /** @param unasked true where nobody asked for it: then nothing is said where it cannot be shown. */
  open: (name: Name, unasked?: boolean) => void
  close: () => void
}

/** The dialogs of the shell, one at a time. Each comes from a file of its own, and where that cannot be fetched the screen stays. */
export function useDialogs(): Dialogs {
  const [shown, setShown] = useState<Dialogs['shown']>(null)
  const [coming, setComing] = useState(false)
  const wanted = useRef<Name>(null)
  const isComing = useCallback(() => wanted.current !== null, [])
  const open = useCallback((name: Name, unasked = false) => {
    wanted.current = name
    setComing(true)
    const show = (Dialog: DialogOf | null) => {
      // Another one was asked for while this one was on its way.
      if (wanted.current !== name) return
      wanted.current = null
      setComing(false)
      if (Dialog) setShown({ Dialog })
      else if (!unasked) void feedback.warn('暂时打不开，请联网后再试。')
    }
    // A prevented preload error resolves without a module.
    void FILES[name]().then(show, () => show(null))
  }, [])
  const close = useCallback(() => setShown(null), [])
  useEffect(() => loginRequest.onAsk(() => open('login')), [open])
  return { shown, coming, isComing, open, close }
}

export const isAsking = (): boolean => feedback.get().question !== null

/**
 * A first visit is asked for region and direction, after whatever was to be said first: a warning under this dialog would be lost
 * with the address that the visitor wanted. Only 确定 is a choice; a dialog that was closed comes back with the next page.
 */
export function useFirstChoice({ shown, coming, isComing, open }: Dialogs): void {
  const asking = useSyncExternalStore(feedback.subscribe, isAsking)
  const [due, setDue] = useState(() => !scopeChoice.isMade())
  const free = due && !asking && !coming && shown === null
  useEffect(() => {
    if (!free) return
    // The answer to a question may ask for the login in the same moment: that dialog goes first, however long its file takes.
    const timer = setTimeout(() => {
      if (isComing()) return
      setDue(false)
      open('scope', true)
    })
    return () => clearTimeout(timer)
  }, [free, isComing, open])
}
