import { clsx } from 'clsx'
import { type KeyboardEvent, useId, useState } from 'react'
import { homeOf } from '#src/api/libraries.ts'
import type { Library } from '#src/contract/question.ts'
import type { Hit, LessonHit, Query } from '#src/search/client.ts'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { NoMore } from '#src/ui/list/More.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { Select } from '#src/ui/Select.tsx'
import unseen from '#src/ui/text/Unseen.module.css'
import { NoteHits, SaidHits } from './LessonHits.tsx'
import { SearchHit } from './SearchHit.tsx'
import { isSearchable, stateText } from './searchState.ts'
import { useSearch } from './useSearch.ts'
import classes from './SearchDialog.module.css'

const SCOPES = [
  ['all', '全部'],
  ['errors', '错题'],
  ['notes', '笔记'],
] as const

/** So many hits are seen to be all. */
const FEW = 20

export interface SearchDialogProps {
  libraries: readonly Library[]
  onOpen: (hit: Hit, chapter: string) => void
  /** Opens a lesson at the second where it says what was looked for, or where the student has written it. */
  onOpenLesson: (hit: LessonHit) => void
  onClose: () => void
}
/**
 * 搜题: every question on this device, by stem, options, analysis and one's own notes; one's notes on lessons; and what lessons say:
 * with or without a network those on this device, with one all that the student may open.
 */
export function SearchDialog({ libraries, onOpen, onOpenLesson, onClose }: SearchDialogProps) {
  const [query, setQuery] = useState<Query>({ text: '', scope: 'all' })
  const [cursor, setCursor] = useState({ of: '', at: 0 })
  const { state, answer } = useSearch(libraries, query)
  const list = useId()
  const hits = answer?.hits ?? []
  const noted = answer?.noted ?? []
  const said = answer?.said ?? []
  const moments: LessonHit[] = [...noted, ...said]
  const count = hits.length + moments.length
  // What the server adds comes below: the cursor stays where it is.
  const text = JSON.stringify(answer?.query)
  const active = cursor.of === text ? cursor.at : 0
  const open = (hit: Hit) => onOpen(hit, homeOf(libraries, hit).chapter?.title ?? '搜题')
  const openActive = () => {
    const [hit, moment] = [hits[active], moments[active - hits.length]]
    if (hit) open(hit)
    else if (moment) onOpenLesson(moment)
  }
  const behind = (before: number) => ({
    idOf: (place: number) => `${list}-${before + place}`,
    active: active - before,
    onOpen: onOpenLesson,
  })
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
      <div className={clsx(common.stack, classes.head)}>
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
      <p role="status" className={clsx(common.note, classes.state)}>
        {stateText(state, query, answer)}
      </p>
      {state.at === 'building' && state.total > 0 && (
        <progress className={classes.progress} value={state.done} max={state.total} />
      )}
      <div id={list} role="listbox" aria-label="搜索结果" className={clsx(common.stack, classes.list)}>
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
        <NoteHits hits={noted} {...behind(hits.length)} />
        <SaidHits hits={said} {...behind(hits.length + noted.length)} />
      </div>
      {answer && isSearchable(state, answer) && count > FEW && <NoMore />}
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
    <div className={clsx(common.between, classes.filters)}>
      <fieldset className={common.row}>
        <legend className={unseen.unseen}>搜索范围</legend>
        {SCOPES.map(([scope, name]) => (
          <label key={scope} className={clsx(common.row, common.sunken, classes.scope)}>
            <input
              className={common.cover}
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
        <Select
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
        </Select>
      )}
    </div>
  )
}
