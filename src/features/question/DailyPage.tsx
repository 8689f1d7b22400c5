import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { dailyList } from './daily.ts'
import { ListStudyPage } from './lists/ListStudyPage.tsx'

interface DailyPageProps {
  /** A library. */
  no: string
  /** Of Asia/Shanghai. */
  day: number
  /** Questions. */
  size: number
  onLeave: () => void
  mark: ReactNode
}

/** 每日一练 */
export function DailyPage({ no, day, size, onLeave, mark }: DailyPageProps) {
  const client = useQueryClient()
  const list = useMemo(() => dailyList(client, { libraryNo: no, day, size }), [client, no, day, size])
  return (
    <ListStudyPage
      key={day}
      list={list}
      title="每日一练"
      empty={{ title: '这个题库还没有题目', text: '换一个题库练习，或者明天再来。' }}
      onLeave={onLeave}
      wayBack="返回首页"
      mark={mark}
    />
  )
}
