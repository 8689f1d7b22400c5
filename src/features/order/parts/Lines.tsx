import { IconBook, IconClipboardText, IconCrown, IconSchool } from '@tabler/icons-react'
import { clsx } from 'clsx'
import type { OrderLine, SoldKind } from '#src/contract/order.ts'
import { moneyText } from '#src/sale/money.ts'
import { Stepper } from '#src/sale/checkout/Stepper.tsx'
import { CoverPicture } from '#src/ui/CoverPicture.tsx'
import common from '#src/ui/common.module.css'
import classes from '../Order.module.css'
import { Place } from './Place.tsx'

const KINDS: Record<SoldKind, { name: string; Icon: typeof IconBook }> = {
  course: { name: '课程', Icon: IconSchool },
  package: { name: '课程套餐', Icon: IconSchool },
  set: { name: '题集', Icon: IconClipboardText },
  exam: { name: '模拟考试', Icon: IconClipboardText },
  vip: { name: '会员', Icon: IconCrown },
  book: { name: '图书', Icon: IconBook },
  library: { name: '题库', Icon: IconClipboardText },
}
export type Line = OrderLine & { note?: string; shut?: boolean; stock?: number | null }

interface LinesProps {
  lines: readonly Line[]
  /** Where the number of goods can be chosen: how many of one. */
  onQuantity?: (line: Line, quantity: number) => void
  /** Each leads to what it is. */
  linked?: boolean
}

/** What is bought, line by line. */
export function Lines({ lines, onQuantity, linked = false }: LinesProps) {
  return (
    <ul className={clsx(common.stack, classes.lines)}>
      {lines.map((line) => (
        <li key={[line.kind, line.no, line.variant].join()} className={classes.line} data-shut={line.shut || undefined}>
          <LineRow line={line} linked={linked} />
          {onQuantity && !!line.stock && (
            <Stepper
              of={line.title}
              quantity={line.quantity}
              stock={line.stock}
              onQuantity={(quantity) => onQuantity(line, quantity)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

const SHUT = clsx(common.caption, common.strong, common.warm)
const LINK = { className: classes.place }

function LineRow({ line, linked }: { line: Line; linked: boolean }) {
  const { kind, title, detail, cover, price, quantity, note, shut } = line
  const { name, Icon } = KINDS[kind]
  return (
    <>
      <span className={classes.picture} aria-hidden="true">
        {cover ? <CoverPicture of={cover} className={classes.cover} /> : <Icon size={26} stroke={1.5} />}
      </span>
      <span className={common.column}>
        <strong className={classes.name}>
          {linked ? (
            <Place line={line} look={LINK}>
              {title}
            </Place>
          ) : (
            title
          )}
        </strong>
        <small className={common.caption}>
          {name}
          {detail && ` · ${detail}`}
        </small>
        {note && <em className={clsx(classes.notice, shut ? SHUT : common.caption)}>{note}</em>}
      </span>
      <span className={clsx(common.column, common.figures, classes.price)}>
        <b className={common.strong}>{moneyText(price)}</b>
        <small className={common.caption}>× {quantity}</small>
      </span>
    </>
  )
}
