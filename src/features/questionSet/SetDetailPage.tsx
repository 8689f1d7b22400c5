import { useQuery } from '@tanstack/react-query'
import { IconChevronLeft, IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import type { PaperHead, SetDetail } from '#src/contract/questionSet.ts'
import { marksText } from '#src/domain/paper.ts'
import { Button } from '#src/ui/Button.tsx'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { RichText } from '#src/ui/RichText.tsx'
import { Badges } from './parts/Badges.tsx'
import { Skeleton } from './parts/Skeleton.tsx'
import { setQuery } from './queries.ts'
import { rememberedMode, rememberMode, SET_MODES, type SetMode } from './sitting.ts'
import { priceText, type SetProgress } from './texts.ts'
import classes from './Sets.module.css'

const MODES: Record<SetMode, { name: string; about: string }> = {
  practice: { name: '即时反馈', about: '每题答完就看对错与解析' },
  exam: { name: '交卷后看', about: '像考试一样，交卷前都能改' },
  recite: { name: '背题', about: '直接看答案与解析，不计成绩' },
}

interface SetDetailPageProps {
  no: string
  progress: SetProgress
  onStart: (itemNo: string, title: string) => void
  onLeave: () => void
}

/** A set: what it is, its papers, and how to do them. */
export function SetDetailPage({ no, progress, onStart, onLeave }: SetDetailPageProps) {
  const { data: set, error, isPending, refetch } = useQuery(setQuery(no))
  const [mode, setMode] = useState(rememberedMode)
  if (isPending) return <Skeleton />
  if (!set) return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} />
  const begin = ({ no: itemNo, title }: PaperHead) => {
    rememberMode(mode)
    onStart(itemNo, title)
  }
  return (
    <div className={classes.page}>
      <button type="button" className={classes.back} onClick={onLeave}>
        <IconChevronLeft size={18} aria-hidden="true" />
        全部题集
      </button>
      <Badges set={set} />
      <h1>{set.title}</h1>
      <div className={classes.intro}>
        <RichText html={set.intro} />
      </div>
      {!set.open && <Lock set={set} />}
      <fieldset className={classes.modes}>
        <legend>练习方式</legend>
        {SET_MODES.map((each) => (
          <label key={each}>
            <input type="radio" name="set-mode" checked={each === mode} onChange={() => setMode(each)} />
            <b>{MODES[each].name}</b>
            <span>{MODES[each].about}</span>
          </label>
        ))}
      </fieldset>
      <ul className={classes.items}>
        {set.items.map((item) => (
          <li key={item.no}>
            <PaperRow item={item} best={progress.get(item.no)?.best ?? null} onStart={() => begin(item)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function PaperRow({ item, best, onStart }: { item: PaperHead; best: number | null; onStart: () => void }) {
  const shut = item.locked === item.count
  return (
    <>
      <div>
        <h2>{item.title}</h2>
        <p className={classes.facts}>
          <span>{item.count} 题</span>
          <span>满分 {marksText(item.full)} 分</span>
          <span>建议 {item.minutes} 分钟</span>
          <span>{best === null ? '还没有成绩' : `最好 ${marksText(best)} 分`}</span>
        </p>
      </div>
      <Button disabled={shut} onClick={onStart} aria-label={`${startName(item)} ${item.title}`}>
        {startName(item)}
      </Button>
    </>
  )
}

const startName = ({ locked, count }: PaperHead): string =>
  locked === 0 ? '开始' : locked === count ? '未解锁' : `试做 ${count - locked} 题`

/** What a price keeps back, and what is free of it. */
function Lock({ set }: { set: SetDetail }) {
  return (
    <p className={classes.lock}>
      <IconLock size={20} aria-hidden="true" />
      <span>
        整套 {priceText(set)}
        {set.vip && '，VIP 可用'}。购买即将开放，现在可以免费试做前 {set.trial} 题，作答照常保留。
      </span>
    </p>
  )
}
