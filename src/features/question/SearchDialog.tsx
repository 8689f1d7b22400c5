import { type KeyboardEvent, useId, useState } from 'react'
import { homeOf } from '#src/api/libraries.ts'
import type { Library } from '#src/contract/question.ts'
import type { Hit, Query, SaidHit, SearchState } from '#src/search/client.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { NoMore } from '#src/ui/More.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { SaidHits } from './parts/SaidHits.tsx'
import { SearchHit } from './parts/SearchHit.tsx'
import { type Answer, useSearch } from './useSearch.ts'
import classes from './SearchDialog.module.css'

const SCOPES = [
  ['all', '全部'],
  ['errors', '错题'],
  ['notes', '笔记'],
] as const

export interface SearchDialogProps {
  libraries: readonly Library[]
  onOpen: (hit: Hit, chapter: string) => void
  /** A lesson, at the second where it says what was looked for. */
  onOpenSaid: (hit: SaidHit) => void
  onClose: () => void
}
/**
 * 搜题: every question on this device, by stem, options, analysis and one's own notes, and what lessons say: with or without a
 * network those on this device, with one all that the student may open.
 */
export function SearchDialog({ libraries, onOpen, onOpenSaid, onClose }: SearchDialogProps) {
  const [query, setQuery] = useState<Query>({ text: '', scope: 'all' })
  const [cursor, setCursor] = useState({ of: '', at: 0 })
  const { state, answer } = useSearch(libraries, query)
  const list = useId()
  const hits = answer?.hits ?? []
  const said = answer?.said ?? []
  const count = hits.length + said.length
  // What the server adds comes below: the cursor stays where it is.
  const text = JSON.stringify(answer?.query)
  const active = cursor.of === text ? cursor.at : 0
  const open = (hit: Hit) => onOpen(hit, homeOf(libraries, hit).chapter?.title ?? '搜题')
  const openActive = () => {
    const [hit, line] = [hits[active], said[active - hits.length]]
    if (hit) open(hit)
    else if (line) onOpenSaid(line)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    // Enter and arrows belong to the input method while it composes.
    if (event.nativeEvent.isComposing || (step === undefined && event.key !== 'Enter')) return
    event.preventDefault()
    // Hits of what was typed before are not what Enter asks for.
    if (step !== undefined) setCursor({ of: text, at: Math.max(0, Math.min(count - 1, active + step)) })
    else if (answer?.query.text === query.text) openActive()
  }
  return (
    <Dialog title="搜题" width={720} full onClose={onClose}>
      <div className={classes.head}>
        <SearchField
          data-autofocus
          role="combobox"
          aria-label="搜索题目"
          aria-expanded={count > 0}
          aria-controls={list}
          aria-activedescendant={count > 0 ? `${list}-${active}` : undefined}
          placeholder="题目、解析、笔记或课程里的字词"
          onWords={(text) => setQuery({ ...query, text })}
          onKeyDown={onKeyDown}
        />
        <Filters libraries={libraries} query={query} onChange={setQuery} />
      </div>
      <p role="status" className={classes.state}>
        {stateText(state, query, answer)}
      </p>
      {state.at === 'building' && state.total > 0 && <progress value={state.done} max={state.total} />}
      <div id={list} role="listbox" aria-label="搜索结果" className={classes.list}>
        {hits.map((hit, i) => (
          <SearchHit
            key={hit.no}
            id={`${list}-${i}`}
            hit={hit}
            place={homeOf(libraries, hit).text}
            states={answer?.states ?? null}
            active={i === active}
            onOpen={() => open(hit)}
          />
        ))}
        <SaidHits
          hits={said}
          idOf={(place) => `${list}-${hits.length + place}`}
          active={active - hits.length}
          onOpen={onOpenSaid}
        />
      </div>
      {answer && query.text.trim() !== '' && <NoMore />}
    </Dialog>
  )
}

interface FiltersProps {
  libraries: readonly Library[]
  query: Query
  onChange: (query: Query) => void
}

function Filters({ libraries, query, onChange }: FiltersProps) {
  const subjects = new Map(libraries.map(({ subject }) => [subject.no, subject.name]))
  const { subject, ...rest } = query
  return (
    <div className={classes.filters}>
      <fieldset className={classes.scopes}>
        <legend>搜索范围</legend>
        {SCOPES.map(([scope, name]) => (
          <label key={scope}>
            <input
              type="radio"
              name="scope"
              checked={query.scope === scope}
              onChange={() => onChange({ ...query, scope })}
            />
            {name}
          </label>
        ))}
      </fieldset>
      {subjects.size > 1 && (
        <select
          aria-label="科目"
          value={subject ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? rest : { ...rest, subject: target.value })}
        >
          <option value="">全部科目</option>
          {[...subjects].map(([no, name]) => (
            <option key={no} value={no}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

const EMPTY = {
  all: '没有找到。换一个更短的词，或先打开、下载更多章节再搜：只能搜到本机上的题。',
  errors: '错题里没有找到。换一个更短的词，或改搜“全部”。',
  notes: '笔记里没有找到。换一个更短的词，或改搜“全部”。',
}

/** How it stands, and what to do next. */
function stateText(state: SearchState, query: Query, answer: Answer | null): string {
  if (state.at === 'failed') return '搜索没有加载完整，请联网后重新打开题库再试。'
  if (state.at === 'building')
    return state.total > 0 ? `正在整理本机的题目 ${Math.round((state.done / state.total) * 100)}%` : '正在准备搜索…'
  if (state.size === 0 && !answer?.said.length)
    return '本机还没有题目。先联网打开一个章节做题，或下载题库，之后没有网络也能搜。'
  const lessons = state.lessons > 0 ? `和 ${state.lessons} 个课时的文稿` : ''
  if (query.text.trim() === '') return `本机的 ${state.size} 道题${lessons}都能搜，没有网络也可以。多个词用空格隔开。`
  if (!answer) return '正在搜索…'
  const said = answer.said.length
  if (answer.total === 0) return said > 0 ? `题目里没有找到，课程文稿里有 ${said} 处` : EMPTY[answer.query.scope]
  const shown = answer.total > answer.hits.length ? `，显示最相关的 ${answer.hits.length} 道` : ''
  const also = said > 0 ? `，课程文稿 ${said} 处` : ''
  return answer.alike
    ? `没有完全一样的，以下 ${answer.total} 道的题干与它只差一个字${shown}${also}`
    : `找到 ${answer.total} 道${shown}${also}`
}
