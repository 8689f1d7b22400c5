import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { ListStudyPage } from '../lists/ListStudyPage.tsx'
import { todayList } from './todayList.ts'

interface TodayPageProps {
  /** It is cut to so many; null: all of the task. */
  minutes: number | null
  onLeave: () => void
  mark: ReactNode
}

/** 今日任务 in one sitting */
export function TodayPage({ minutes, onLeave, mark }: TodayPageProps) {
  const client = useQueryClient()
  const list = useMemo(() => todayList(client, minutes), [client, minutes])
  return (
    <ListStudyPage
      list={list}
      title="今日任务"
      empty={{ title: '今天的任务都完成了', text: '题库里的新题也做完了。可以去错题本巩固，或者从头再做一遍。' }}
      onLeave={onLeave}
      wayBack="返回首页"
      mark={mark}
    />
  )
}
