import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useRef, useState } from 'react'
import { sharedQuery } from '#src/api/query.ts'
import type { Area, ExamDirection } from '#src/contract/structural.ts'
import { structural } from '#src/contract/structural.ts'
import { NATIONWIDE, session } from '#src/session/session.ts'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { reload } from '#src/ui/dialog/newPage.ts'
import { Button } from '#src/ui/Button.tsx'
import { directionsQuery } from './queries.ts'
import { scopeChoice } from './scopeChoice.ts'
import classes from './ScopeDialog.module.css'

/** The room of the regions that are still coming. */
const SHAPES = Array.from({ length: 31 }, (_, i) => i)

interface ScopeDialogProps {
  onClose: () => void
}

/**
 * 报考地区 and 报考方向. Nothing is chosen until the student chooses; the first direction of a region is suggested. Saving stores both
 * and reloads, because everything on the page belongs to them.
 */
export function ScopeDialog({ onClose }: ScopeDialogProps) {
  const [area, setArea] = useState<Area | null>(() => (scopeChoice.isMade() ? session.get().area : null))
  const [picked, setPicked] = useState<ExamDirection | null>(() => (area ? session.get().exam : null))
  const [asked, setAsked] = useState(false)
  const group = useRef<HTMLFieldSetElement>(null)
  const areas = useQuery(sharedQuery(structural.areaList, {}))
  const directions = useQuery({ ...directionsQuery(area?.key ?? NATIONWIDE.key), enabled: area !== null })
  // A list that has not come holds up nobody: what was chosen before stands in for it, for its own region.
  const before = scopeChoice.isMade() && area?.key === session.get().area.key ? session.get().exam : null
  const known = directions.data ?? (directions.isError && before ? [{ name: '现在的方向', child: [before] }] : [])
  // Those of 全国 are here before any region is chosen, and are nobody's choice yet.
  const categories = area === null ? [] : known
  const offered = categories.flatMap((category) => category.child)
  // Another region may not have it; the first direction then stands in.
  const exam = offered.find((each) => each.key === picked?.key) ?? offered[0] ?? null
  const own = area && area.key !== NATIONWIDE.key ? [area] : []
  // While the list is coming, 全国 alone would look like the student's own.
  const regions = areas.isPending && own.length > 0 ? own : [NATIONWIDE, ...(areas.data ?? own)]
  const save = () => {
    setAsked(true)
    // Where it is mended: the list of regions may have gone out of sight.
    if (!area) group.current?.querySelector('input')?.focus()
    if (!area || !exam) return
    session.setChoice(area, exam)
    scopeChoice.make()
    onClose()
    reload()
  }
  return (
    <Dialog title="选择报考地区与方向" width={800} full onClose={onClose}>
      <fieldset ref={group} className={classes.group}>
        <legend className={clsx(common.strong, classes.legend)}>报考地区</legend>
        <div className={common.wrap} aria-busy={areas.isPending}>
          {regions.map((each) => (
            <Chip
              key={each.key}
              name="area"
              label={each.name}
              checked={each.key === area?.key}
              onPick={() => {
                setArea(each)
                setAsked(false)
                if (each.key !== area?.key) setPicked(null)
              }}
            />
          ))}
          {areas.isPending && SHAPES.map((shape) => <i key={shape} className={clsx(common.sunken, classes.shape)} />)}
        </div>
        <Unlisted what="地区" of={areas} />
        {asked && !area && (
          <p role="alert" className={clsx(common.small, common.wrong, classes.message)}>
            请选择你的报考地区
          </p>
        )}
      </fieldset>
      <fieldset className={classes.group}>
        <legend className={clsx(common.strong, classes.legend)}>报考方向</legend>
        {!area && <p className={common.quiet}>选好地区后，这里显示可以报考的方向。</p>}
        {categories.map((category) => (
          <div key={category.name}>
            <p className={clsx(common.note, classes.category)}>{category.name}</p>
            <div className={common.wrap}>
              {category.child.map((each) => (
                <Chip
                  key={each.key}
                  name="exam"
                  label={each.name}
                  checked={each.key === exam?.key}
                  onPick={() => setPicked(each)}
                />
              ))}
            </div>
          </div>
        ))}
        <Unlisted what="方向" of={directions} />
        {directions.data?.length === 0 && <p className={common.quiet}>这个地区暂无开放的报考方向，请选择其他地区。</p>}
        {asked && area && !exam && (
          <p role="alert" className={clsx(common.small, common.wrong, classes.message)}>
            请选择你的报考方向
          </p>
        )}
      </fieldset>
      <div className={classes.foot}>
        <Button className={classes.save} onClick={save}>
          确定
        </Button>
      </div>
    </Dialog>
  )
}

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

function Chip({ name, label, checked, onPick }: { name: string; label: string; checked: boolean; onPick: () => void }) {
  return (
    <label className={clsx(common.row, classes.chip)} data-checked={checked || undefined}>
      <input className={common.cover} type="radio" name={name} checked={checked} onChange={onPick} />
      {label}
    </label>
  )
}
