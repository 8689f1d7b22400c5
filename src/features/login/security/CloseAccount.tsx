import { TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type FormEvent, useState } from 'react'
import * as v from 'valibot'
import { call } from '#src/api/client.ts'
import { TOLD_HERE } from '#src/api/errors.ts'
import { query } from '#src/api/query.ts'
import { CLOSING_WORD, ClosingWord, user } from '#src/contract/user.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { useFaults } from '#src/ui/faults.ts'
import classes from './CloseAccount.module.css'
import { faultsOf, useMendingFocus } from '../faults.ts'
import form from '../LoginDialog.module.css'
import { Told } from '../Told.tsx'
import { useProof } from './useProof.tsx'

const GOES = [
  '手机号、昵称、密码和所有登录状态',
  '全部作答、错题、收藏、笔记、复习安排和学习计划，包括这台设备上还没有同步的',
  '题集、测评、模拟考试的作答记录，课程的学习进度，提交过的纠错',
  '还没有用完的会员、课程、题集等权益',
]
const STAYS = [
  '订单、支付和退款记录：《电子商务法》要求自交易完成之日起保存不少于三年，期间只按法律要求使用',
  '模拟考试排名里的分数：不再与你有任何联系，显示为“匿名考生”，其他考生的名次不变',
  '短信发送次数：与手机号一起最多再保留两天，用于防止滥发',
]

interface CloseAccountProps {
  onClose: () => void
  /** The account is no more. */
  onClosed: () => void
}

/** 注销账号: what goes and what stays, what has to be settled before, and the proof that the student means it. */
export function CloseAccount({ onClose, onClosed }: CloseAccountProps) {
  const { data: matters, error, refetch } = useQuery({ ...query(user.openMatters, {}), staleTime: 0 })
  return (
    <Dialog title="注销账号" onClose={onClose}>
      {matters ? (
        <div>
          <h3 className={classes.heading}>注销后立即删除，无法恢复</h3>
          <List className={classes.told} items={GOES} />
          <h3 className={classes.heading}>以下内容会保留</h3>
          <List className={classes.told} items={STAYS} />
          <h3 className={classes.heading}>你还需要知道</h3>
          <p className={common.caption}>
            手机号可以马上重新注册，但得到的是一个新账号，不会找回任何内容。其他设备会退出登录，那里没有同步的记录只留在那台设备上，不会上传到任何账号。需要留底，请先在“我的资料”里导出我的数据。
          </p>
          {matters.length > 0 ? (
            <>
              <h3 className={classes.heading}>请先处理</h3>
              <div role="alert">
                <List className={classes.matters} items={matters} />
              </div>
            </>
          ) : (
            <ClosingForm onClosed={onClosed} />
          )}
        </div>
      ) : error ? (
        <ErrorCard error={error} away="没有网络，联网后才能注销账号" onRetry={() => void refetch()} />
      ) : (
        <Skeleton />
      )}
    </Dialog>
  )
}

const List = ({ className, items }: { className: string | undefined; items: readonly string[] }) => (
  <ul className={clsx(common.sunken, classes.list, className)}>
    {items.map((item) => (
      <li key={item}>{item}</li>
    ))}
  </ul>
)

function ClosingForm({ onClosed }: { onClosed: () => void }) {
  const [word, setWord] = useState('')
  const { faults, setFaults, form: ref } = useFaults()
  const proof = useProof(faults, () => setFaults({}))
  const closing = useMutation({
    meta: TOLD_HERE,
    mutationFn: () => call(user.close, { word: CLOSING_WORD, ...proof.given }, { loading: true }),
    onSuccess: onClosed,
  })
  useMendingFocus(closing.error, ref)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = faultsOf(v.object({ ...proof.entries, word: ClosingWord }), { word: word.trim(), ...proof.given })
    setFaults(found ?? {})
    if (!found) closing.mutate()
  }
  return (
    <>
      <form ref={ref} className={clsx(common.stack, form.form, classes.form)} onSubmit={submit} noValidate>
        {proof.fields}
        <TextInput
          label={`输入“${CLOSING_WORD}”确认`}
          size="md"
          autoComplete="off"
          value={word}
          error={faults.word}
          onChange={(event) => setWord(event.currentTarget.value)}
        />
        <Told error={closing.error} />
        <Button type="submit" tone="danger" busy={closing.isPending}>
          注销账号
        </Button>
      </form>
      {proof.picture}
    </>
  )
}
