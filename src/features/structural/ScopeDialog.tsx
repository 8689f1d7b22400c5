import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { sharedQuery } from '#src/api/query.ts'
import type { Area, ExamDirection } from '#src/contract/directions.ts'
import { structural } from '#src/contract/structural.ts'
import { NATIONWIDE, session } from '#src/session/session.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { AvailableContext } from '#src/ui/available.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
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
  const offered = directions.data?.flatMap((category) => category.child) ?? []
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
    window.location.reload()
  }
  return (
    <AvailableContext value={null}>
      <Dialog title="选择报考地区与方向" width={800} full onClose={onClose}>
        <fieldset ref={group} className={classes.group}>
          <legend>报考地区</legend>
          {areas.isError && !areas.data ? <ErrorCard error={areas.error} onRetry={() => void areas.refetch()} /> : null}
          <div className={classes.chips} aria-busy={areas.isPending}>
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
            {areas.isPending && SHAPES.map((shape) => <i key={shape} className={classes.shape} />)}
          </div>
          {asked && !area && <p role="alert">请选择你的报考地区</p>}
        </fieldset>
        <fieldset className={classes.group}>
          <legend>报考方向</legend>
          {directions.isError && !directions.data ? (
            <ErrorCard error={directions.error} onRetry={() => void directions.refetch()} />
          ) : null}
          {!area && <p className={classes.none}>选好地区后，这里显示可以报考的方向。</p>}
          {directions.data?.map((category) => (
            <div key={category.name}>
              <p className={classes.category}>{category.name}</p>
              <div className={classes.chips}>
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
          {directions.data?.length === 0 && <p className={classes.none}>该地区暂无开放的报考方向，请选择其他地区。</p>}
          {asked && area && !exam && <p role="alert">请选择你的报考方向</p>}
        </fieldset>
        <div className={classes.foot}>
          <Button onClick={save}>确定</Button>
        </div>
      </Dialog>
    </AvailableContext>
  )
}

function Chip({ name, label, checked, onPick }: { name: string; label: string; checked: boolean; onPick: () => void }) {
  return (
    <label className={classes.chip} data-checked={checked || undefined}>
      <input type="radio" name={name} checked={checked} onChange={onPick} />
      {label}
    </label>
  )
}
