import { clsx } from 'clsx'
import { useId, useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import common from '#src/ui/common.module.css'
import fields from '#src/ui/Field.module.css'

interface PasswordDialogProps {
  wrong: boolean
  onGive: (password: string) => void
  onClose: () => void
}

export function PasswordDialog({ wrong, onGive, onClose }: PasswordDialogProps) {
  const [password, setPassword] = useState('')
  const about = useId()
  return (
    <Dialog title="这份文档有密码" width={400} onClose={onClose}>
      <form
        className={common.stack}
        onSubmit={(event) => {
          event.preventDefault()
          if (password !== '') onGive(password)
        }}
      >
        <label className={fields.field}>
          <span className={common.strong}>文档密码</span>
          <input
            className={fields.input}
            type="password"
            autoComplete="off"
            data-autofocus
            aria-invalid={wrong}
            aria-describedby={about}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        </label>
        <p id={about} className={clsx(common.note, wrong && common.wrong)} role={wrong ? 'alert' : undefined}>
          {wrong ? '密码不对，请重新输入。' : '密码由文档发送者提供，只在这台设备上使用，不会上传。'}
        </p>
        <Button type="submit">打开</Button>
      </form>
    </Dialog>
  )
}
