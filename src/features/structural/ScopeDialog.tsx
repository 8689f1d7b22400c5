import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useRef, useState } from 'react'
import { libraryListQuery } from '#src/api/libraries.ts'
import { sharedQuery } from '#src/api/query.ts'
import type { ExamDirection } from '#src/contract/structural.ts'
import { structural } from '#src/contract/structural.ts'
import { NATIONWIDE, session } from '#src/session/session.ts'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { openAnew, reload } from '#src/ui/dialog/newPage.ts'
import { Button } from '#src/ui/Button.tsx'
import { Select } from '#src/ui/Select.tsx'
import { directionsQuery } from './queries.ts'
import { scopeChoice } from './scopeChoice.ts'
import classes from './ScopeDialog.module.css'

interface ScopeDialogProps {
  onClose: () => void
}

/** Tells a first visit with the home page behind it: elsewhere the visitor wanted something else than to practise. */
const mayBegin = (): boolean => !scopeChoice.isMade() && window.location.pathname === '/'

/** The page of the first batch in the new direction; null where its libraries are not to be had now. */
async function firstBatch(client: QueryClient): Promise<string | null> {
  const [library] = await client.fetchQuery(libraryListQuery()).catch(() => [])
  if (!library) return null
  return `/question/library_study/${library.no}/${session.get().chapterCount}/${encodeURIComponent(library.title)}`
}

/**
 * 报考方向, which is asked for, and 报考地区, which is 全国 until another one is chosen. Saving stores both and makes a new page,
 * because everything on the page belongs to them; 开始练习 makes the one of a batch.
 */
export function ScopeDialog({ onClose }: ScopeDialogProps) {
  const client = useQueryClient()
  const [begins] = useState(mayBegin)
  const [busy, setBusy] = useState(false)
  const [asked, setAsked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const choice = useChoice()
  const { area, exam } = choice
  const save = async (begin: boolean) => {
    setAsked(true)
    const missing = exam ? (area ? null : 'select') : 'input'
    if (missing) form.current?.querySelector<HTMLElement>(missing)?.focus()
    if (!area || !exam) return
    setBusy(true)
    session.setChoice(area, exam)
    scopeChoice.make()
    const batch = begin ? await firstBatch(client) : null
    onClose()
    if (batch) openAnew(batch)
    else reload()
  }
  return (
    <Dialog title="选择报考方向与地区" width={800} full onClose={onClose}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          void save(begins)
        }}
      >
        <Directions of={choice} />
        <div className={clsx(common.wrap, classes.foot)}>
          <Regions of={choice} asked={asked} />
          {/* Beside the buttons: the list may be longer than the screen. */}
          {asked && !exam && <Missing>请选择你的报考方向</Missing>}
          <Button type="submit" className={classes.save} busy={busy}>
            {begins ? '开始练习' : '确定'}
          </Button>
          {begins && (
            <Button
              type="button"
              look="light"
              className={classes.save}
              disabled={busy}
              onClick={() => (exam ? void save(false) : onClose())}
            >
              先看看
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

/** Reads what can be chosen, and holds what is. */
function useChoice() {
  const [made] = useState(() => (scopeChoice.isMade() ? session.get() : null))
  const [areaKey, setAreaKey] = useState(made?.area.key ?? NATIONWIDE.key)
  const [picked, setPicked] = useState<ExamDirection | null>(made?.exam ?? null)
  const areas = useQuery(sharedQuery(structural.areaList, {}))
  const directions = useQuery(directionsQuery(areaKey))
  // Lists that have not come hold up nobody: what was chosen before stands in for them.
  const own = made && made.area.key !== NATIONWIDE.key ? [made.area] : []
  const regions = [NATIONWIDE, ...(areas.data ?? own)]
  const before = made?.exam && made.area.key === areaKey ? [{ ...made.exam, about: '' }] : []
  const kept = directions.isError && before.length > 0 ? [{ name: '现在的方向', child: before }] : []
  const categories = directions.data ?? kept
  const offered = categories.flatMap(({ child }) => child)
  return {
    areas,
    directions,
    regions,
    categories,
    area: regions.find(({ key }) => key === areaKey) ?? null,
    // Another region may not have it.
    exam: offered.find(({ key }) => key === picked?.key) ?? null,
    picked,
    setAreaKey,
    setPicked,
  }
}

interface PartProps {
  of: ReturnType<typeof useChoice>
  /** It was to be saved already: what is missing is said then. */
  asked: boolean
}

function Directions({ of: { directions, categories, exam, picked, setPicked } }: Pick<PartProps, 'of'>) {
  const isElsewhere = picked !== null && exam === null && directions.data !== undefined
  return (
    <fieldset className={classes.group} aria-busy={directions.isPending}>
      <legend className={clsx(common.strong, classes.legend)}>报考方向</legend>
      {categories.map((category) => (
        <div key={category.name}>
          <p className={clsx(common.note, classes.category)}>{category.name}</p>
          <div className={classes.cards}>
            {category.child.map((each) => (
              <label key={each.key} className={classes.card} data-checked={each.key === exam?.key || undefined}>
                <input
                  className={common.cover}
                  type="radio"
                  name="exam"
                  checked={each.key === exam?.key}
                  aria-label={each.name}
                  aria-describedby={each.about ? `about-${each.key}` : undefined}
                  onChange={() => setPicked(each)}
                />
                {each.name}
                {each.about && (
                  <small id={`about-${each.key}`} className={clsx(common.note, classes.about)}>
                    {each.about}
                  </small>
                )}
              </label>
            ))}
          </div>
        </div>
      ))}
      {directions.isPending && <p className={common.quiet}>正在加载...</p>}
      <Unlisted what="方向" of={directions} />
      {directions.data?.length === 0 && <p className={common.quiet}>这个地区暂无开放的报考方向，请选择其他地区。</p>}
      {isElsewhere && <p className={common.note}>这个地区没有“{picked.name}”，请重新选择。</p>}
    </fieldset>
  )
}

function Regions({ of: { areas, regions, area, setAreaKey }, asked }: PartProps) {
  return (
    <div className={classes.regions}>
      <label className={clsx(common.row, common.strong)}>
        报考地区
        <Select value={area?.key ?? ''} onChange={(event) => setAreaKey(event.target.value)}>
          {!area && <option value="">请选择</option>}
          {regions.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </Select>
      </label>
      <Unlisted what="地区" of={areas} />
      {asked && !area && <Missing>请选择你的报考地区</Missing>}
    </div>
  )
}

const Missing = ({ children }: { children: string }) => (
  <p role="alert" className={clsx(common.small, common.wrong, classes.message)}>
    {children}
  </p>
)

interface UnlistedProps {
  what: string
  of: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown }
}
/** Beneath what can be chosen all the same: the list was never here, and does not come now. */
const Unlisted = ({ what, of: { data, error, isFetching, refetch } }: UnlistedProps) =>
  error !== null &&
  data === undefined && (
    <p role="status" className={clsx(common.wrap, common.note, classes.message)}>
      {error.name === 'OfflineError' ? `没有网络，其他${what}联网后可选` : `服务器开小差了，其他${what}稍后可选`}
      <Button small look="quiet" busy={isFetching} onClick={() => void refetch()}>
        重试
      </Button>
    </p>
  )
