import type { Act } from '#src/offline/device/rows.ts'
import { placeIn } from './states.ts'

const inChapter = placeIn()
const ofQuestion = { questionNo: 'L_q1' }
const ofLesson = {
  noteNo: '018f0000-0000-7000-8000-0000000000b1',
  courseNo: 'C',
  lessonNo: 'C_l1',
  ofKind: 'audio' as const,
  titles: ['C 课程', '第2课'] satisfies [string, string],
  second: 3,
}
/** One of each kind of act, as a student does them one after another. */
export const ALL_ACTS: [Act, ...Act[]] = [
  {
    kind: 'answer',
    payload: { ...ofQuestion, response: { kind: 'choice', ids: ['B'] }, spentMs: 1000, from: 'library', version: 1 },
    place: inChapter,
    right: true,
  },
  {
    kind: 'retract',
    payload: { ...ofQuestion, target: '018f0000-0000-7000-8000-00000000000a' },
    place: inChapter,
    undone: { at: Date.now(), right: true, spentMs: 1000 },
  },
  { kind: 'book', payload: { ...ofQuestion, in: true }, place: inChapter },
  { kind: 'book', payload: { ...ofQuestion, in: false }, place: inChapter },
  { kind: 'cause', payload: { ...ofQuestion, cause: 'guess' }, place: inChapter },
  { kind: 'collect', payload: { ...ofQuestion, folder: '', over: [] }, place: inChapter },
  { kind: 'collect', payload: { ...ofQuestion, folder: null, over: [] }, place: inChapter },
  { kind: 'note', payload: { ...ofQuestion, text: '记一笔', over: [] }, place: inChapter },
  { kind: 'note', payload: { ...ofQuestion, text: '', over: [] }, place: inChapter },
  { kind: 'folder', payload: { no: 'f1', name: '易错' } },
  { kind: 'folder', payload: { no: 'f1', name: '' } },
  { kind: 'setting', payload: { name: 'dayGoal', value: 30 } },
  { kind: 'report', payload: { ...ofQuestion, version: 1, reason: 'stem', text: '题干缺字' } },
  { kind: 'watch', payload: { courseNo: 'C', lessonNo: 'C_l1', watched: [[0, 9]], position: 9 } },
  { kind: 'lessonNote', payload: { ...ofLesson, text: '记一笔' } },
  { kind: 'lessonNote', payload: { ...ofLesson, text: '' } },
]
