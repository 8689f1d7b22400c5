import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import * as v from 'valibot'
import { Mobile } from '#src/contract/scalar.ts'
import { Button } from '#src/ui/Button.tsx'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { ImageCodeDialog } from './ImageCodeDialog.tsx'
import classes from './LoginDialog.module.css'
import { useCountdown } from './useCountdown.ts'

interface CodeFieldProps {
  /** Where the code goes. */
  mobile: string
  value: string
  fault: string | undefined
  /** 验证码 unless there are two. */
  label?: string
  onChange: (value: string) => void
}

/** The field for an SMS code with the button that sends one. `picture` belongs outside the form: it has a form of its own. */
export function useCodeField({ mobile, value, fault, label, onChange }: CodeFieldProps): {
  field: ReactNode
  picture: ReactNode
} {
  const [asking, setAsking] = useState(false)
  const countdown = useCountdown(label)
  const askImage = () => {
    if (v.is(Mobile, mobile)) setAsking(true)
    else void feedback.warn('请输入合法的手机号~')
  }
  const sent = () => {
    setAsking(false)
    countdown.start()
  }
  const field = (
    <div className={classes.code}>
      <TextInput
        label={label ?? '验证码'}
        size="md"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        data-mends
        value={value}
        error={fault}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button look="light" className={classes.send} disabled={countdown.seconds > 0} onClick={askImage}>
        {countdown.seconds > 0 ? `${countdown.seconds}秒后重发` : '发送验证码'}
      </Button>
    </div>
  )
  return {
    field,
    picture: asking && <ImageCodeDialog mobile={mobile} onClose={() => setAsking(false)} onSent={sent} />,
  }
}
