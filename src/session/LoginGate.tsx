import type { MouseEvent, ReactNode } from 'react'
import { loginRequest } from './loginRequest.ts'
import { useSession } from './useSession.ts'

/** While nobody is logged in, any click inside (a key on a button is one, too) asks for a login instead. */
export function LoginGate({ children }: { children: ReactNode }) {
  const { token } = useSession()
  const intercept = (event: MouseEvent) => {
    if (token !== '') return
    event.preventDefault()
    event.stopPropagation()
    const { target } = event
    const link = target instanceof Element && target.closest('a')
    loginRequest.askFor(link ? link.pathname : '')
  }
  return (
    <div style={{ display: 'contents' }} onClickCapture={intercept}>
      {children}
    </div>
  )
}
