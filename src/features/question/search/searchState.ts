import type { Query, SearchState } from '#src/search/client.ts'
import type { Answer } from './useSearch.ts'

const EMPTY = {
  all: '没有找到。换一个更短的词，或先打开、下载更多章节再搜：只能搜到已下载的题。',
  errors: '错题里没有找到。换一个更短的词，或改搜“全部”。',
  notes: '笔记里没有找到。换一个更短的词，或改搜“全部”。',
}

/** Whether there is anything that could have been found: on this device, or by the server. */
export const isSearchable = (state: SearchState, answer: Answer): boolean =>
  (state.at === 'ready' && state.size + state.notes + state.lessons > 0) || answer.said.length > 0

/** Says how the search stands, and what to do next. */
export function stateText(state: SearchState, query: Query, answer: Answer | null): string {
  if (state.at === 'failed') return '搜索没有加载完整，请联网后重新打开题库再试。'
  if (state.at === 'building')
    return state.total > 0 ? `正在整理题目 ${Math.round((state.done / state.total) * 100)}%` : '正在准备搜索…'
  const { size, notes, lessons } = state
  if (size + notes === 0 && !answer?.said.length)
    return '还没有下载题目。先联网打开一个章节做题，或下载题库，之后没有网络也能搜。'
  if (query.text.trim() === '') {
    const all = [
      size > 0 && `${size} 道题`,
      notes > 0 && `${notes} 条课时笔记`,
      lessons > 0 && `${lessons} 个课时的文稿`,
    ]
    return `已下载的 ${listed(all)}都能搜，没有网络也可以。多个词用空格隔开。`
  }
  return answer ? foundText(answer) : '正在搜索…'
}

function foundText({ total, alike, hits, noted, said, query }: Answer): string {
  if (total === 0) {
    const elsewhere = [
      noted.length > 0 && `课时笔记里有 ${noted.length} 条`,
      said.length > 0 && `课程文稿里有 ${said.length} 处`,
    ]
    const all = elsewhere.filter(Boolean)
    return all.length > 0 ? ['题目里没有找到', ...all].join('，') : EMPTY[query.scope]
  }
  const parts = [
    alike ? `没有完全一样的，以下 ${total} 道的题干与它只差一个字` : `找到 ${total} 道`,
    total > hits.length && `显示最相关的 ${hits.length} 道`,
    noted.length > 0 && `课时笔记 ${noted.length} 条`,
    said.length > 0 && `课程文稿 ${said.length} 处`,
  ]
  return parts.filter(Boolean).join('，')
}

/** As it is written in Chinese: 甲、乙和丙. */
function listed(parts: readonly (string | false)[]): string {
  const all = parts.filter(Boolean)
  return all.length > 1 ? `${all.slice(0, -1).join('、')}和 ${all.at(-1)}` : all.join('')
}
