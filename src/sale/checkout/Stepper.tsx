import { IconMinus, IconPlus } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useState } from 'react'
import { mostOf, quantityOf } from '#src/domain/money/books.ts'
import common from '#src/ui/common.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'
import classes from './Stepper.module.css'

interface StepperProps {
  /** Of what, where several stand below each other. */
  of?: string
  quantity: number
  stock: number
  onQuantity: (quantity: number) => void
}

/** How many: by step or by number, never more than there are. */
export function Stepper({ of, quantity, stock, onQuantity }: StepperProps) {
  // What is being typed; null: what is chosen stands there.
  const [typed, setTyped] = useState<string | null>(null)
  const most = mostOf(stock)
  const take = (value: string | number) => {
    setTyped(null)
    onQuantity(quantityOf(value, stock))
  }
  return (
    <div className={clsx(common.wrap, classes.stepper)} role="group" aria-label={of ? `数量：${of}` : '数量'}>
      <b aria-hidden="true">数量</b>
      <span className={clsx(common.row, classes.box)}>
        <IconButton aria-label="减少" disabled={quantity <= 1} onClick={() => take(quantity - 1)}>
          <IconMinus size={20} aria-hidden="true" />
        </IconButton>
        <input
          className={clsx(common.figures, classes.number)}
          aria-label="购买数量"
          inputMode="numeric"
          value={typed ?? String(quantity)}
          disabled={most === 0}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={({ target }) => take(target.value)}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && take(currentTarget.value)}
        />
        <IconButton aria-label="增加" disabled={quantity >= most} onClick={() => take(quantity + 1)}>
          <IconPlus size={20} aria-hidden="true" />
        </IconButton>
      </span>
      {quantity >= most && most > 0 && (
        <small className={common.warm} role="status">
          {most < stock ? `一次最多买 ${most} 件` : `库存只有 ${stock} 件`}
        </small>
      )}
    </div>
  )
}
