import { expect, test } from 'vitest'
import type { Response } from '#src/contract/response.ts'
import { noticeRow } from '#server/study/answers.ts'
import { answer } from '#tests/support/facts.ts'

/** The word that an answer counts otherwise shows the student what they had chosen. */
const chosenIn = (response: Response) => noticeRow(answer({ response }), { keyed: 2 }, 7).body

test.each<[string, Response, string[]]>([
  ['the options', { kind: 'choice', ids: ['A', 'C'] }, ['A', 'C']],
  ['what was filled in', { kind: 'blank', texts: ['甲', ''] }, ['甲', '']],
  ['nothing of an essay, which is long', { kind: 'essay', text: '很长的一段话', ticked: [] }, []],
])('the notice of a corrected question holds %s', (_, response, chosen) => {
  expect(chosenIn(response)).toMatchObject({ at: 7, version: 2, chosen })
})
