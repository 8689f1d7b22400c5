import { type Practice, practiceByPoint, weakest } from '#src/domain/study/stats.ts'
import { offline } from '#src/offline/index.ts'

/** A student of three years has ten times as many amounts of points as of everything else: they are read when they are asked for. */
export const readPoints = async (): Promise<[no: string, practice: Practice][]> =>
  weakest(practiceByPoint(await offline.allCounters('points').catch(() => [])))

export const NO_NAME = '知识点（联网后显示名称）'
