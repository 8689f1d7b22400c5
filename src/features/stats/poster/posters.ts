import { isPlaceTold } from '#src/domain/paper/exam.ts'
import type { ExamReport } from '#src/contract/exam.ts'
import type { Earned } from '#src/contract/sitting.ts'
import { marksText } from '#src/domain/paper/paper.ts'
import { accuracyOf, calendar, type Days, longestStreak, streakOf } from '#src/domain/study/stats.ts'
import { type Week, WEEK_DAYS } from '#src/domain/study/week.ts'
import { dayText } from '#src/ui/dates.ts'
import { percentText, timeText } from '../texts.ts'
import { rangeText, streakText, weekdayText } from '../week/texts.ts'

/** A poster says this. Nothing of it names anybody. */
export interface Poster {
  /** Students choose it by this name. */
  name: string
  /** Above the figure. */
  title: string
  /** The figure that it is made for. */
  figure: string
  unit: string
  /** Below the figure; '' for nothing. */
  note: string
  /** The days of a week, and whether they were studied on; null: not yet. */
  marks?: readonly { name: string; on: boolean | null }[]
  /** Three at most, side by side. */
  facts: readonly { name: string; value: string }[]
  /** A line of its own at the end, to go on with. */
  closing: string
}

export function weekPoster(week: Week, monday: number, today: number): Poster {
  const { now } = week
  return {
    name: '一周学习',
    title: `${rangeText(monday, monday + WEEK_DAYS - 1)} 我答题`,
    figure: `${now.all.answered}`,
    unit: '次',
    note: streakText(week, monday, today),
    marks: Array.from({ length: WEEK_DAYS }, (_, i) => {
      const day = now.days[i]
      return { name: weekdayText(monday + i).slice(1), on: day ? day.answered > 0 : null }
    }),
    facts: [
      { name: '正确率', value: percentText(accuracyOf(now.all)) },
      { name: '答题用时', value: timeText(now.all.spentMs) },
      { name: '学习天数', value: `${now.studied}/${WEEK_DAYS}` },
    ],
    closing: '一步一步，离目标更近',
  }
}

/** Returns null where no day in a row is there to be proud of. */
export function streakPoster(days: Days, today: number): Poster | null {
  const streak = streakOf(days, today)
  if (streak === 0) return null
  const answered = [...days.values()].reduce((sum, each) => sum + each.answered, 0)
  const right = [...days.values()].reduce((sum, each) => sum + each.right, 0)
  return {
    name: '连续学习',
    title: '我已连续学习',
    figure: `${streak}`,
    unit: '天',
    note: `截至 ${dayText(today)}`,
    marks: calendar(days, today - WEEK_DAYS + 1, today).map(({ day, answered: ofDay }) => ({
      name: weekdayText(day).slice(1),
      on: ofDay > 0,
    })),
    facts: [
      { name: '最长连续', value: `${longestStreak(days)} 天` },
      { name: '累计答题', value: `${answered} 次` },
      { name: '正确率', value: percentText(accuracyOf({ answered, right })) },
    ],
    // Yesterday's days in a row still stand today, before anything was done.
    closing: days.has(today) ? '今天也没有缺席' : '今天接着来',
  }
}

/** @param report where the sitting stands among others, when the device knows it */
export function examPosters(title: string, earned: Earned, report: ExamReport | undefined): Poster[] {
  const score = { name: '得分', value: `${marksText(earned.score)}/${marksText(earned.full)}` }
  const right = { name: '答对', value: `${earned.right}/${earned.total} 题` }
  // The report does the same: among a few there is no place to show.
  const placed = report && report.rank !== null && isPlaceTold(report) ? report : null
  const place = placed ? { name: '名次', value: `${placed.rank}/${placed.ranked} 人` } : null
  const beaten = placed && placed.beaten !== null ? { name: '击败', value: `${placed.beaten / 10}%` } : null
  const facts = (...all: (Poster['facts'][number] | null)[]) => all.flatMap((each) => each ?? [])
  const ofScore: Poster = {
    name: '考试得分',
    title,
    figure: marksText(earned.score),
    unit: '分',
    note: `满分 ${marksText(earned.full)} 分`,
    facts: facts(right, place, beaten),
    closing: '模考见真章，接着练',
  }
  if (!placed) return [ofScore]
  const ofRank: Poster = {
    ...ofScore,
    name: '考试名次',
    figure: `第 ${placed.rank}`,
    unit: '名',
    note: `共 ${placed.ranked} 人参加排名`,
    facts: facts(score, right, beaten),
  }
  return [ofScore, ofRank]
}

/** All that stands on it, for who hears it. */
export const posterText = ({ title, figure, unit, note, facts, closing }: Poster, nickname: string): string =>
  [nickname, `${title} ${figure} ${unit}`, note, ...facts.map(({ name, value }) => `${name} ${value}`), closing]
    .filter(Boolean)
    .join('；')
