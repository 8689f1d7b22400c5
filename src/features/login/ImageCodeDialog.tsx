import { login, pictureIdOf } from '#src/contract/login.ts'
import { TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '#src/api/client.ts'
import { OfflineError, TOLD_HERE } from '#src/api/errors.ts'
import { query } from '#src/api/query.ts'
import { wordsOf } from '#src/domain/app/failureWords.ts'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { Button } from '#src/ui/Button.tsx'
import { useMendingFocus } from './faults.ts'
import classes from './LoginDialog.module.css'
import { Told } from './Told.tsx'

interface ImageCodeDialogProps {
  mobile: string
  onSent: () => void
  onClose: () => void
}

/** The picture's letters, before a code is sent. A new picture comes after each try, because each serves once. */
export function ImageCodeDialog({ mobile, onSent, onClose }: ImageCodeDialogProps) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const image = useQuery({
    ...query(login.getImgVerifyCode, { mobile }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const another = () => {
    setText('')
    void image.refetch()
  }
  const form = useRef<HTMLFormElement>(null)
  const send = useMutation({
    meta: TOLD_HERE,
    mutationFn: () =>
      call(
        login.sendCode,
        { mobile, img_code: text.trim(), picture: pictureIdOf(image.data ?? '') },
        { loading: true },
      ),
    onSuccess: () => {
      feedback.toast('验证码已发送到您的手机!')
      onSent()
    },
    onError: another,
  })
  useMendingFocus(send.error, form)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setFault(text.trim() === '' ? '请输入图形验证码' : null)
    if (text.trim() !== '') send.mutate()
  }
  return (
    <Dialog title="图形验证码" width={360} onClose={onClose}>
      <form ref={form} className={clsx(common.stack, classes.form)} onSubmit={submit} noValidate>
        <div className={common.row}>
          <button
            type="button"
            className={clsx(common.fixed, classes.image)}
            onClick={another}
            aria-label="换一张图形验证码"
          >
            {image.data ? (
              <img className={classes.letters} src={image.data} alt="图形验证码" />
            ) : image.isError ? (
              '重新获取'
            ) : (
              ''
            )}
          </button>
          <span className={common.caption} role={image.isError ? 'alert' : undefined}>
            {image.isError ? whyNone(image.error) : '看不清？点图片换一张'}
          </span>
        </div>
        <TextInput
          label="请输入图中的字符"
          data-autofocus
          data-mends
          size="md"
          autoComplete="off"
          autoCapitalize="off"
          maxLength={8}
          value={text}
          error={fault}
          onChange={(event) => {
            setText(event.currentTarget.value)
            if (send.isError) send.reset()
          }}
        />
        <Told error={send.error} />
        <Button type="submit" busy={send.isPending}>
          发送验证码
        </Button>
      </form>
    </Dialog>
  )
}

const whyNone = (error: Error): string =>
  error instanceof OfflineError
    ? '没有网络，图片没有加载出来。联网后点左边重新获取'
    : wordsOf(error, '图片没有加载出来，请点左边重新获取')
