import { type Icon, IconBook2, IconPrinter, IconSettings } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { Phase } from '#src/domain/study/errorBook.ts'
import { Chevron } from '#src/ui/Chevron.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import classes from './Book.module.css'
import { ruleText } from './texts.ts'

interface MoreSheetProps {
  /** All questions of this phase can be recited; null where there are none, or only a group of them is shown. */
  recited: Phase | null
  rule: number
  onPrint: () => void
  onRule: () => void
  onClose: () => void
}

const ROW = clsx(common.row, common.link, classes.more)
/** @param value how a setting stands */
const Words = ({ icon: Mark, name, value }: { icon: Icon; name: string; value?: string }) => (
  <>
    <Mark size={22} stroke={1.6} className={common.fixed} aria-hidden="true" />
    <span className={common.grow}>{name}</span> {value !== undefined && <span className={common.note}>{value}</span>}
    <Chevron />
  </>
)

/** 更多 of the error book: what is wanted seldom, with the rule of leaving as the setting that it is. */
export function MoreSheet({ recited, rule, onPrint, onRule, onClose }: MoreSheetProps) {
  return (
    <Dialog title="更多" sheet onClose={onClose}>
      <ul className={classes.rows}>
        {recited && (
          <li>
            <Link
              to="/question/library_error_study/$no/$mode/$consolidate"
              params={{ no: 'all', mode: 'recite', consolidate: false }}
              search={{ phase: recited }}
              className={ROW}
              onClick={onClose}
            >
              <Words icon={IconBook2} name="全部背题" />
            </Link>
          </li>
        )}
        <li>
          <button type="button" className={ROW} onClick={onPrint}>
            <Words icon={IconPrinter} name="打印、导出" />
          </button>
        </li>
        <li>
          <button type="button" className={ROW} onClick={onRule}>
            <Words icon={IconSettings} name="移出规则" value={ruleText(rule)} />
          </button>
        </li>
      </ul>
    </Dialog>
  )
}
