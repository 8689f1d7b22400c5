import { type BookPart, type Phase, PHASE_NAMES, PHASES } from '#src/domain/study/errorBook.ts'
import { Button } from '#src/ui/Button.tsx'
import { Choices } from '#src/ui/Choices.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { BOOK_GROUPS } from '../lists/lists.ts'
import { GROUP_NAMES } from './groups.ts'

interface FilterSheetProps {
  counts: Record<Phase, number>
  part: BookPart & { phase: Phase }
  onPart: (part: BookPart) => void
  onClose: () => void
}

/** 筛选: which questions of the error book are shown, and how they are grouped. What is chosen shows behind the sheet at once. */
export function FilterSheet({ counts, part: { phase, by = 'chapter' }, onPart, onClose }: FilterSheetProps) {
  const phases = PHASES.map((value) => ({ value, label: PHASE_NAMES[value], note: `${counts[value]} 题` }))
  const groups = BOOK_GROUPS.map((value) => ({ value, label: GROUP_NAMES[value] }))
  return (
    <Dialog title="筛选错题" sheet onClose={onClose}>
      <div className={common.stack}>
        <Choices
          title="掌握情况"
          options={phases}
          chosen={[phase]}
          onPick={(picked) => onPart({ phase: picked, by: by === 'library' ? 'chapter' : by })}
        />
        <Choices
          title="分组方式"
          options={groups}
          chosen={by === 'library' ? ['chapter'] : [by]}
          onPick={(picked) => onPart({ phase, by: picked })}
        />
        <Button onClick={onClose}>完成</Button>
      </div>
    </Dialog>
  )
}
