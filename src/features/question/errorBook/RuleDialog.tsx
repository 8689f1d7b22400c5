import { unkeptWords } from '#src/domain/app/failureWords.ts'
import { useState } from 'react'
import { movesOf } from '#src/domain/study/errorBook.ts'
import { type Counters, offline } from '#src/offline/index.ts'
import { Button } from '#src/ui/Button.tsx'
import { Choices } from '#src/ui/Choices.tsx'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { feedback } from '#src/ui/feedback/feedback.ts'
import classes from './Book.module.css'
import { ruleText } from './texts.ts'

const RULES = [1, 2, 3, 4, 5, 0] as const

interface RuleDialogProps {
  rows: readonly Counters[]
  rule: number
  onClose: () => void
}

/** 移出规则: with what it would move, before it is saved. */
export function RuleDialog({ rows, rule, onClose }: RuleDialogProps) {
  const [next, setNext] = useState(rule)
  const save = () =>
    void offline
      .add({ kind: 'setting', payload: { name: 'errorRule', value: next } })
      .then(onClose, (error: unknown) => {
        feedback.toast(`未保存：${unkeptWords(error)}`)
      })
  return (
    <Dialog title="移出规则" onClose={onClose} sheet>
      <Choices
        title="做错之后，连续答对几次算掌握？"
        options={RULES.map((value) => ({ value, label: ruleText(value) }))}
        chosen={[next]}
        onPick={setNext}
      />
      <p role="status" className={classes.effect}>
        {previewText(movesOf(rows, rule, next))}
      </p>
      <p className={classes.effect}>移出的题放在“已消灭”里，不会删除；再做错就回到“未掌握”。</p>
      <Button disabled={next === rule} onClick={save}>
        保存
      </Button>
    </Dialog>
  )
}

function previewText({ out, back }: { out: number; back: number }): string {
  if (out + back === 0) return '按这个规则，没有题会移动。'
  return [out > 0 && `${out} 题会移到“已消灭”`, back > 0 && `${back} 题会从“已消灭”回到“巩固中”`]
    .filter(Boolean)
    .join('，')
    .concat('。')
}
