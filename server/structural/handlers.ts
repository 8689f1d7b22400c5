import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { readAreas, readCategories, readPoints, readSubjects } from './store.ts'

export const structuralHandlers = (db: Db): Handlers<Contract['structural']> => ({
  areaList: () => readAreas(db),
  getList: ({ area }, { scope }) => readCategories(db, area ?? scope.area),
  subjectList: (_, { scope }) => readSubjects(db, scope),
  getPoint: ({ subject }) => readPoints(db, subject),
})
