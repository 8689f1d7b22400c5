import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useState } from 'react'
import type { CourseKind } from '#src/contract/course.ts'
import { bytesText } from '#src/domain/text/bytes.ts'
import { pick, QUALITY_OF, qualityText, wishOf, wishText } from '#src/domain/course/quality.ts'
import { Button } from '#src/ui/Button.tsx'
import { Choices } from '#src/ui/Choices.tsx'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { chooseQuality, type Offered, optionsOf, useWish } from './quality.ts'

interface QualityChoiceProps {
  kind: CourseKind
  /** What would be downloaded: the sizes are of all of them. */
  lessons: readonly Offered[]
}

/** 画质 of what is downloaded, for this device: nothing where lessons come in one only. */
export function QualityChoice({ kind, lessons }: QualityChoiceProps) {
  const wish = useWish()
  const [isOpen, setOpen] = useState(false)
  const options = optionsOf(lessons)
  const chosen = pick(options, wish)
  if (options.length < 2 || !chosen) return null
  const choose = (value: string) => {
    const next = wishOf(value)
    if (next) chooseQuality(next)
    setOpen(false)
  }
  return (
    <>
      <Button look="quiet" small onClick={() => setOpen(true)}>
        <IconAdjustmentsHorizontal size={18} aria-hidden="true" />
        {QUALITY_OF[kind]}：{qualityText(kind, chosen)}
      </Button>
      {isOpen && (
        <Dialog title={`下载${QUALITY_OF[kind]}`} sheet onClose={() => setOpen(false)}>
          <Choices
            title="选好后，这台设备都这样下载；已下载的不变"
            options={options.map((size) => ({
              value: wishText(size),
              label: qualityText(kind, size),
              note: `共 ${bytesText(size.bytes)}`,
            }))}
            chosen={[wishText(chosen)]}
            onPick={choose}
          />
        </Dialog>
      )}
    </>
  )
}
