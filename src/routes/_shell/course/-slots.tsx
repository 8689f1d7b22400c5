import type { CatalogueSlots } from '#src/features/course/parts/Catalogue.tsx'
import { NotAlong, UnitQuiz } from '#src/features/testing/UnitQuiz.tsx'

/** What catalogues show that is not a course's own. */
export const SLOTS: CatalogueSlots = {
  unit: (course, unit) => <UnitQuiz course={course} unit={unit.no} />,
  notAlong: ({ no, handouts }) => <NotAlong course={no} handouts={handouts.some(({ src }) => src !== null)} />,
}
