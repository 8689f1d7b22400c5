import type { ButtonHTMLAttributes } from 'react'
import { useLater } from '#src/ui/feedback/useLater.ts'

/** Opens 添加到桌面, whose file comes when it is asked for. In the installed app there is nothing to open. */
export function InstallOpener(look: ButtonHTMLAttributes<HTMLButtonElement>) {
  const { Part, open, close } = useLater(
    () => import('./guide/InstallSheet.tsx').then((m) => m.InstallSheet),
    '没有网络，安装需要联网，请联网后再试',
  )
  return (
    <>
      <button type="button" {...look} onClick={open}>
        添加到桌面
      </button>
      {Part && <Part onClose={close} />}
    </>
  )
}
