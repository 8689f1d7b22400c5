import type { TypedAddress } from '#src/offline/drafts/forms.ts'
import { clsx } from 'clsx'
import { useState } from 'react'
import { readAddress } from '#src/domain/address/addressText.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import classes from './Address.module.css'
import { Field } from './Field.tsx'
import type { Provinces } from './useRegions.ts'

interface PasteProps {
  /** Null until they are here. */
  provinces: Provinces | null
  onRead: (patch: Partial<TypedAddress>) => void
}

/** 粘贴识别: a text as somebody sent it fills the fields that it speaks of. */
export function Paste({ provinces, onRead }: PasteProps) {
  const [text, setText] = useState('')
  const [told, setTold] = useState('')
  const read = () => {
    if (!provinces) return
    const { region, ...words } = readAddress(text, provinces)
    const { province, city = '', district = '' } = region
    const found = {
      ...Object.fromEntries(Object.entries(words).filter(([, word]) => word !== '')),
      ...(province !== undefined && { province, city, district }),
    }
    // A text that speaks of nobody and of no place is no address: what was filled in stays.
    const speaks = words.name !== '' || words.mobile !== '' || province !== undefined
    if (speaks) onRead(found)
    const missing = [
      words.name === '' && '收件人',
      words.mobile === '' && '手机号',
      !province && '省市区',
      words.detail === '' && '详细地址',
    ].filter(Boolean)
    if (!speaks) return setTold('没有认出地址，填好的内容没有改动')
    setTold(missing.length === 0 ? '已填好，请核对' : `没有认出${missing.join('、')}，请手动填写`)
  }
  return (
    <div className={clsx(common.sunken, classes.paste)}>
      <Field
        label="粘贴识别"
        long
        value={text}
        placeholder="粘贴整段文字，如：张三 13800001111 湖南省长沙市开福区德雅路109号"
        onChange={setText}
      />
      <div className={clsx(common.wrap, classes.read)}>
        <span className={clsx(common.small, common.grow, classes.told)} role="status">
          {told}
        </span>
        <Button small look="light" disabled={text.trim() === '' || provinces === null} onClick={read}>
          识别并填写
        </Button>
      </div>
    </div>
  )
}
