import * as v from 'valibot'

type Issue = v.BaseIssue<unknown>

/** Where in a file: books[0].author; '' is the file itself. */
export const placeOf = (issue: Issue): string => (v.getDotPath(issue) ?? '').replace(/\.(\d+)(?=\.|$)/g, '[$1]')

/** The schema's own message, or the library's English one put into Chinese. */
export function faultOf(issue: Issue): string {
  if (!issue.message.startsWith('Invalid ')) return issue.message
  if (issue.received === 'undefined') return '没有写'
  return `应为 ${issue.expected ?? '别的内容'}，实为 ${issue.received.slice(0, 40)}`
}

/** Both in one, where a fault stands without its place. */
export function reasonOf(issue: Issue): string {
  const place = placeOf(issue)
  if (issue.received === 'undefined') return `缺少 ${place}`
  const fault = faultOf(issue)
  return place === '' || fault.startsWith(place) ? fault : `${place} ${fault}`
}
