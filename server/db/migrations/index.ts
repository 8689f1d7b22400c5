import type { Migration } from 'kysely/migration'
import { foundation } from './0001-foundation.ts'
import { questionText } from './0002-question-text.ts'
import { questionSets } from './0003-question-sets.ts'
import { studyRecord } from './0004-study-record.ts'
import { packs } from './0005-packs.ts'
import { sittings } from './0006-sittings.ts'
import { corrections } from './0007-corrections.ts'
import { rights } from './0008-rights.ts'
import { firstAnswers } from './0009-first-answers.ts'
import { remarkFailed } from './0010-remark-failed.ts'
import { freePapers } from './0011-free-papers.ts'
import { exams } from './0012-exams.ts'
import { ranking } from './0013-ranking.ts'
import { testings } from './0014-testings.ts'
import { sealedPapers } from './0015-sealed-papers.ts'
import { examQuestions } from './0016-exam-questions.ts'
import { courses } from './0017-courses.ts'
import { news } from './0018-news.ts'
import { operatorLog } from './0020-operator-log.ts'
import { guarded } from './0021-guarded.ts'
import { shop } from './0022-shop.ts'
import { newsByCategory } from './0023-news-by-category.ts'
import { courseSums } from './0024-course-sums.ts'
import { operatorContent } from './0025-operator-content.ts'
import { withdrawnCourses } from './0026-withdrawn-courses.ts'
import { orders } from './0027-orders.ts'
import { addresses } from './0028-addresses.ts'
import { uploads } from './0029-uploads.ts'
import { account } from './0030-account.ts'
import { sinceInSets } from './0031-since-in-sets.ts'
import { couponCodes } from './0032-coupon-codes.ts'
import { operatorDesk } from './0033-operator-desk.ts'
import { releases } from './0034-releases.ts'
import { formulae } from './0035-formulae.ts'
import { pictures } from './0036-pictures.ts'
import { devices } from './0037-devices.ts'
import { endedSessions } from './0038-ended-sessions.ts'
import { securityEvents } from './0039-security-events.ts'
import { ownTime } from './0040-own-time.ts'
import { fairRanking } from './0041-fair-ranking.ts'
import { heldEntries } from './0042-held-entries.ts'
import { lessonEditions } from './0043-lesson-editions.ts'
import { lessonQuestions } from './0046-lesson-questions.ts'
import { movedQuestions } from './0047-moved-questions.ts'
import { foretold } from './0048-foretold.ts'
import { examSubjects } from './0049-exam-subjects.ts'
import { jobs } from './0050-jobs.ts'
import { examMultiple } from './0052-exam-multiple.ts'
import { testingMultiple } from './0053-testing-multiple.ts'
import { agreements } from './0054-agreements.ts'
import { consents } from './0055-consents.ts'
import { reminderTries } from './0051-reminder-tries.ts'

/** In order of their names; a released migration never changes. */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-question-text': questionText,
  '0003-question-sets': questionSets,
  '0004-study-record': studyRecord,
  '0005-packs': packs,
  '0006-sittings': sittings,
  '0007-corrections': corrections,
  '0008-rights': rights,
  '0009-first-answers': firstAnswers,
  '0010-remark-failed': remarkFailed,
  '0011-free-papers': freePapers,
  '0012-exams': exams,
  '0013-ranking': ranking,
  '0014-testings': testings,
  '0015-sealed-papers': sealedPapers,
  '0016-exam-questions': examQuestions,
  '0017-courses': courses,
  '0018-news': news,
  '0020-operator-log': operatorLog,
  '0021-guarded': guarded,
  '0022-shop': shop,
  '0023-news-by-category': newsByCategory,
  '0024-course-sums': courseSums,
  '0025-operator-content': operatorContent,
  '0026-withdrawn-courses': withdrawnCourses,
  '0027-orders': orders,
  '0028-addresses': addresses,
  '0029-uploads': uploads,
  '0030-account': account,
  '0031-since-in-sets': sinceInSets,
  '0032-coupon-codes': couponCodes,
  '0033-operator-desk': operatorDesk,
  '0034-releases': releases,
  '0035-formulae': formulae,
  '0036-pictures': pictures,
  '0037-devices': devices,
  '0038-ended-sessions': endedSessions,
  '0039-security-events': securityEvents,
  '0040-own-time': ownTime,
  '0041-fair-ranking': fairRanking,
  '0042-held-entries': heldEntries,
  '0043-lesson-editions': lessonEditions,
  '0046-lesson-questions': lessonQuestions,
  '0047-moved-questions': movedQuestions,
  '0048-foretold': foretold,
  '0049-exam-subjects': examSubjects,
  '0050-jobs': jobs,
  '0051-reminder-tries': reminderTries,
  '0052-exam-multiple': examMultiple,
  '0053-testing-multiple': testingMultiple,
  '0054-agreements': agreements,
  '0055-consents': consents,
}
